// The update of all CPU methods, compiled for processors with and without wide vectors.
//
// The kernels' order of additions is kept. A lane has two neighbouring components, and with k = 128
// also the two that are 64 further; it adds their products one after the other. The lanes' sums are
// added in a butterfly, from the farthest lanes to the nearest.

#include "sgd.h"
#include "sgd_vectors.h"

namespace cpu {

namespace {

// The product of two vectors.
template <int kEights>
SGD_INLINE float product(const Eight* p, const Eight* q) {
    constexpr int kSums = kEights < 8 ? kEights : 8;
    Eight sums[kSums];
    for (int s = 0; s < kSums; ++s) {
        // The odd components have the lanes' sums, the even ones only the first part of them.
        Eight sum = {};
        for (int i = s; i < kEights; i += kSums) {
            if (i > s) exchange_neighbours(sum);
            multiply_add(sum, p[i], q[i], sum);
            exchange_neighbours(sum);
            multiply_add(sum, p[i], q[i], sum);
        }
        sums[s] = sum;
    }
    for (int half = kSums / 2; half > 0; half /= 2)
        for (int s = 0; s < half; ++s) sums[s] += sums[s + half];
    return (sums[0][1] + sums[0][5]) + (sums[0][3] + sums[0][7]);
}

// own + rate (error other - reg own) of eight components.
SGD_INLINE void move(Eight& to, const Eight& own, const Eight& other, const Eight& step,
                     const Eight& minus_decay) {
    multiply_add(to, minus_decay, own, own);
    multiply_add(to, step, other, to);
}

template <bool kRacy>
SGD_INLINE void move_bias(float* bias, float step, float decay) {
    const float own = load_one<kRacy>(bias);
    store_one<kRacy>(bias, step + __builtin_fmaf(-decay, own, own));
}

template <int kK, bool kRacy>
SGD_INLINE void update_one(const SgdModel& model, const SgdEntry& entry) {
    constexpr int kEights = kK / kEight;
    float* const user = model.users + static_cast<long long>(entry.user) * kK;
    float* const item = model.items + static_cast<long long>(entry.item) * kK;
    Eight p[kEights], q[kEights];
    for (int i = 0; i < kEights; ++i) {
        load<kRacy>(p[i], user + i * kEight);
        load<kRacy>(q[i], item + i * kEight);
    }
    float predicted = product<kEights>(p, q) + model.mean;
    const bool biases = model.flags & kBiases, positive = model.flags & kPositive;
    if (biases) {
        predicted = predicted + load_one<kRacy>(model.user_bias + entry.user);
        predicted = predicted + load_one<kRacy>(model.item_bias + entry.item);
    }
    const float step = model.rate * (entry.value - predicted);
    Eight steps, minus_decay;
    fill(steps, step);
    fill(minus_decay, -model.decay);
    Eight p_moved[kEights], q_moved[kEights];
    for (int i = 0; i < kEights; ++i) {
        move(p_moved[i], p[i], q[i], steps, minus_decay);
        move(q_moved[i], q[i], p[i], steps, minus_decay);
    }
    if (positive) {
        for (Eight& moved : p_moved) raise_to_zero(moved);
        for (Eight& moved : q_moved) raise_to_zero(moved);
    }
    for (int i = 0; i < kEights; ++i) {
        store<kRacy>(user + i * kEight, p_moved[i]);
        store<kRacy>(item + i * kEight, q_moved[i]);
    }
    if (biases) {
        move_bias<kRacy>(model.user_bias + entry.user, step, model.decay);
        move_bias<kRacy>(model.item_bias + entry.item, step, model.decay);
    }
}

template <int kK, bool kRacy>
SGD_INLINE void update_all(const SgdModel& given, const SgdEntry* entries, long long count) {
    const SgdModel model = given;  // a copy that no store to the vectors can change
    const long long middle = count > kSgdAhead ? count - kSgdAhead : 0;
    for (long long i = 0; i < middle; ++i) {
        sgd_fetch(model, kK, entries[i + kSgdAhead]);
        update_one<kK, kRacy>(model, entries[i]);
    }
    for (long long i = middle; i < count; ++i) update_one<kK, kRacy>(model, entries[i]);
}

// For any processor. Where it has no fused multiply-add, the C library computes the same bits.
template <int kK, bool kRacy>
void update_anywhere(const SgdModel& model, const SgdEntry* entries, long long count) {
    update_all<kK, kRacy>(model, entries, count);
}

#if defined(__x86_64__)

template <int kK, bool kRacy>
__attribute__((target("avx2,fma"))) void update_by_avx2(const SgdModel& model,
                                                        const SgdEntry* entries, long long count) {
    update_all<kK, kRacy>(model, entries, count);
}

template <int kK, bool kRacy>
SgdUpdate choose() {
    __builtin_cpu_init();
    const bool wide = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return wide ? update_by_avx2<kK, kRacy> : update_anywhere<kK, kRacy>;
}

#else

template <int kK, bool kRacy>
SgdUpdate choose() {
    return update_anywhere<kK, kRacy>;
}

#endif

template <bool kRacy>
SgdUpdate choose_for(int k) {
    switch (k) {
        case 8: return choose<8, kRacy>();
        case 16: return choose<16, kRacy>();
        case 32: return choose<32, kRacy>();
        case 64: return choose<64, kRacy>();
        default: return choose<128, kRacy>();
    }
}

}  // namespace

SgdUpdate sgd_update(int k, bool racy) { return racy ? choose_for<true>(k) : choose_for<false>(k); }

}  // namespace cpu
