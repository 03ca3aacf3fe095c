// What the CPU methods for maximal matching share: whom a vertex chooses, and how it is coloured.
//
// Source: B. O. Fagginger Auer and R. H. Bisseling, "A GPU algorithm for greedy graph matching",
// Facing the Multicore-Challenge II, 2012. Every edge but a loop may be matched, whatever it
// weighs; otherwise a matching of them would not be maximal.
#pragma once

#include <cstdint>

#include "common.h"

namespace cpu {

constexpr int kNoVertex = -1;

// A number that looks random (the finaliser of MurmurHash3, of public domain).
inline std::uint32_t scatter(std::uint32_t value, std::uint32_t salt) {
    value ^= salt * 0x9e3779b9u;
    value = (value ^ value >> 16) * 0x85ebca6bu;
    value = (value ^ value >> 13) * 0xc2b2ae35u;
    return value ^ value >> 16;
}

// The function `select` of the paper, section 2: one of the neighbours of v that fit. The heaviest
// edge wins, of equal ones that to the larger number; not weighted, the first that fits does, from
// a place on that depends on v and `salt`. (The paper takes the first of the list, and renumbers
// the vertices at random before.)
template <class Fits>
int choose(const Csr& graph, int v, bool weighted, std::uint32_t salt, Fits&& fits) {
    const long long begin = graph.indptr[v], end = graph.indptr[v + 1];
    int best = kNoVertex;
    if (weighted) {
        float heaviest = 0.0f;
        for (long long e = begin; e < end; ++e) {
            // Rows are sorted: of equal weights the last one is the largest number.
            if (best != kNoVertex && graph.weights[e] < heaviest) continue;
            if (!fits(graph.indices[e])) continue;
            best = graph.indices[e];
            heaviest = graph.weights[e];
        }
        return best;
    }
    if (begin == end) return best;
    const long long middle = begin + scatter(static_cast<std::uint32_t>(v), salt) % (end - begin);
    for (long long e = middle; e < end; ++e)
        if (fits(graph.indices[e])) return graph.indices[e];
    for (long long e = begin; e < middle; ++e)
        if (fits(graph.indices[e])) return graph.indices[e];
    return best;
}

// Algorithm 4: the first quarter of MD5 (RFC 1321) of the words v, rv, ..., r^15 v, all in one sum.
inline std::uint32_t md5_quarter(std::uint32_t v, std::uint32_t r) {
    constexpr std::uint32_t kSines[16] = {
        0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu, 0xf57c0fafu, 0x4787c62au,
        0xa8304613u, 0xfd469501u, 0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu,
        0x6b901122u, 0xfd987193u, 0xa679438eu, 0x49b40821u};
    constexpr std::uint32_t kStart[4] = {0x67452301u, 0xefcdab89u, 0x98badcfeu, 0x10325476u};
    std::uint32_t a = kStart[0], b = kStart[1], c = kStart[2], d = kStart[3];
    for (int i = 0; i < 16; ++i) {
        const int turn = 7 + 5 * (i % 4);
        const std::uint32_t sum = a + ((b & c) | (~b & d)) + kSines[i] + v;
        a = d;
        d = c;
        c = b;
        b += sum << turn | sum >> (32 - turn);
        v *= r;
    }
    return a + b + c + d + (kStart[0] + kStart[1] + kStart[2] + kStart[3]);
}

// What a run by colours is given, and where it leaves its answers; `redblue_omp.py` has the same
// structure.
struct RedBlueTask {
    Csr graph;
    int threads;
    int weighted;
    unsigned blue_below;      // a vertex is blue if its hash is below this
    int max_rounds;
    const unsigned* numbers;  // one number for each round
    const int* cancel;
    int* mate;
    int* matched;  // vertices matched in each round
    int* dead;     // vertices without live neighbours found in each round
    int rounds;
    int left;  // vertices that are neither matched nor dead in the end
};

}  // namespace cpu
