// One collective a launch, with masks, values and widths from outside; a NumPy model predicts it.
#include "simt.h"

#define SHUFFLES(T, name)                                                                     \
    SIMT_KERNEL(shuffle_##name)(int kind, const unsigned* masks, const T* values,             \
                                const int* offsets, const int* widths, T* out)                \
    {                                                                                         \
        const int t = int(blockIdx.x * blockDim.x + threadIdx.x);                             \
        const unsigned mask = masks[t];                                                       \
        if (kind == 0) out[t] = __shfl_sync(mask, values[t], offsets[t], widths[t]);          \
        if (kind == 1) out[t] = __shfl_up_sync(mask, values[t], offsets[t], widths[t]);       \
        if (kind == 2) out[t] = __shfl_down_sync(mask, values[t], offsets[t], widths[t]);     \
        if (kind == 3) out[t] = __shfl_xor_sync(mask, values[t], offsets[t], widths[t]);      \
    }                                                                                         \
    SIMT_EXPORT(shuffle_##name)

#define MATCHES(T, name)                                                                      \
    SIMT_KERNEL(match_##name)(const unsigned* masks, const T* values, unsigned* any,          \
                              unsigned* all, int* equal)                                      \
    {                                                                                         \
        const int t = int(blockIdx.x * blockDim.x + threadIdx.x);                             \
        any[t] = __match_any_sync(masks[t], values[t]);                                       \
        all[t] = __match_all_sync(masks[t], values[t], &equal[t]);                            \
    }                                                                                         \
    SIMT_EXPORT(match_##name)

#define EVERY_TYPE(X)                                                                         \
    X(int, int32) X(unsigned, uint32) X(long long, int64) X(unsigned long long, uint64)       \
    X(float, float32) X(double, float64)

EVERY_TYPE(SHUFFLES)
EVERY_TYPE(MATCHES)

SIMT_KERNEL(vote)(const unsigned* masks, const int* predicates, unsigned* ballot, int* any,
                  int* all)
{
    const int t = int(blockIdx.x * blockDim.x + threadIdx.x);
    ballot[t] = __ballot_sync(masks[t], predicates[t]);
    any[t] = __any_sync(masks[t], predicates[t]);
    all[t] = __all_sync(masks[t], predicates[t]);
}
SIMT_EXPORT(vote)

SIMT_KERNEL(reduce_int32)(const unsigned* masks, const int* values, int* add, int* least,
                          int* most)
{
    const int t = int(blockIdx.x * blockDim.x + threadIdx.x);
    add[t] = __reduce_add_sync(masks[t], values[t]);
    least[t] = __reduce_min_sync(masks[t], values[t]);
    most[t] = __reduce_max_sync(masks[t], values[t]);
}
SIMT_EXPORT(reduce_int32)

SIMT_KERNEL(reduce_uint32)(const unsigned* masks, const unsigned* values, unsigned* add,
                           unsigned* least, unsigned* most, unsigned* conjunction,
                           unsigned* disjunction, unsigned* parity)
{
    const int t = int(blockIdx.x * blockDim.x + threadIdx.x);
    add[t] = __reduce_add_sync(masks[t], values[t]);
    least[t] = __reduce_min_sync(masks[t], values[t]);
    most[t] = __reduce_max_sync(masks[t], values[t]);
    conjunction[t] = __reduce_and_sync(masks[t], values[t]);
    disjunction[t] = __reduce_or_sync(masks[t], values[t]);
    parity[t] = __reduce_xor_sync(masks[t], values[t]);
}
SIMT_EXPORT(reduce_uint32)

// Lanes named in `leaving` return first; the others name them in their masks all the same.
SIMT_KERNEL(vote_without)(unsigned leaving, unsigned* ballot)
{
    if (leaving >> threadIdx.x & 1) return;
    ballot[threadIdx.x] = __ballot_sync(0xffffffffu, 1);
}
SIMT_EXPORT(vote_without)

SIMT_KERNEL(active)(unsigned* masks) { masks[threadIdx.x] = __activemask(); }
SIMT_EXPORT(active)
