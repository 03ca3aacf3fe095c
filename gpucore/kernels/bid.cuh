// The bid of Suitor algorithms: a weight and a proposer in one word.
//
// A bid is the pair (weight, proposer) in 64 bits: weight bits above, vertex + 1 below.  The bits
// of positive floats are ordered like their values, so one atomicMax compares and installs a bid,
// and equal weights are decided for the larger vertex.  0 means "no bid yet".
// The same packing with the neighbour in place of the proposer orders a vertex's own edges.
#pragma once

typedef unsigned long long Bid;

constexpr unsigned ALL_LANES = 0xffffffffu;

__device__ inline Bid pack(float weight, int vertex)
{
    return (Bid)__float_as_uint(weight) << 32 | (unsigned)(vertex + 1);
}

// The vertex of a bid, -1 for "no bid".
__device__ inline int vertex_of(Bid bid) { return (int)(unsigned)bid - 1; }

__device__ inline float weight_of(Bid bid) { return __uint_as_float((unsigned)(bid >> 32)); }

// The same edge seen from its other end.
__device__ inline Bid with_vertex(Bid edge, int vertex)
{
    return edge >> 32 << 32 | (unsigned)(vertex + 1);
}

// Largest bid of the warp; every lane gets it.  The upper halves are compared first; from compute
// capability 8.0 the hardware reduces 32-bit values in one instruction.
__device__ inline Bid warp_max(Bid bid)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (int d = 16; d > 0; d /= 2) {
        const Bid other = __shfl_xor_sync(ALL_LANES, bid, d);
        if (other > bid) bid = other;
    }
    return bid;
#else
    const unsigned upper = (unsigned)(bid >> 32);
    const unsigned top = __reduce_max_sync(ALL_LANES, upper);
    return (Bid)top << 32 | __reduce_max_sync(ALL_LANES, upper == top ? (unsigned)bid : 0u);
#endif
}

// Largest bid among `width` neighbouring lanes (a power of two); each of them gets it.
__device__ inline Bid group_max(Bid bid, int width)
{
    for (int d = width / 2; d > 0; d /= 2) {
        const Bid other = __shfl_xor_sync(ALL_LANES, bid, d);
        if (other > bid) bid = other;
    }
    return bid;
}
