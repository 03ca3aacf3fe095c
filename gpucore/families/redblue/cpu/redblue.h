// Shared by the CPU methods for maximal matching: the choice of a neighbour, and colours.
//
// Source: B. O. Fagginger Auer and R. H. Bisseling, "A GPU algorithm for greedy graph matching",
// Facing the Multicore-Challenge II, 2012. Every edge except a loop may be matched, whatever
// its weight; otherwise the matching would not be maximal.
#pragma once

#include <algorithm>
#include <cstdint>

#include "common.h"
#include "record.h"

namespace cpu {

constexpr int kNoVertex = -1;

// A number that looks random (the finaliser of MurmurHash3, of public domain).
inline std::uint32_t scatter(std::uint32_t value, std::uint32_t salt) {
    value ^= salt * 0x9e3779b9u;
    value = (value ^ value >> 16) * 0x85ebca6bu;
    value = (value ^ value >> 13) * 0xc2b2ae35u;
    return value ^ value >> 16;
}

// The neighbour that a vertex selects: that of the heaviest edge (ties: the larger number); the
// first that fits from a place that depends on the vertex and a salt; or the first of the list.
enum Select : int { kWeighted, kRandom, kFirst };

// The function `select` of the paper, section 2: one of the neighbours of v that fit.
template <class Fits>
int choose(const Csr& graph, int v, Select select, std::uint32_t salt, Fits&& fits) {
    const long long begin = graph.indptr[v], end = graph.indptr[v + 1];
    int best = kNoVertex;
    if (select == kWeighted) {
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
    const auto degree = static_cast<std::uint64_t>(end - begin);
    const std::uint64_t place =
        select == kRandom ? scatter(static_cast<std::uint32_t>(v), salt) % degree : 0;
    const long long middle = begin + static_cast<long long>(place);
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

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC
// 2011) of the counter (v, 0, 0, 0) and the key (r, 0): its first word.
inline std::uint32_t philox(std::uint32_t v, std::uint32_t r) {
    std::uint32_t c0 = v, c1 = 0, c2 = 0, c3 = 0, k0 = r, k1 = 0;
    for (int i = 0; i < 10; ++i) {
        const std::uint64_t one = std::uint64_t{0xd2511f53u} * c0;
        const std::uint64_t two = std::uint64_t{0xcd9e8d57u} * c2;
        c0 = static_cast<std::uint32_t>(two >> 32) ^ c1 ^ k0;
        c2 = static_cast<std::uint32_t>(one >> 32) ^ c3 ^ k1;
        c1 = static_cast<std::uint32_t>(two);
        c3 = static_cast<std::uint32_t>(one);
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c0;
}

// The input of a run by colours, and the places of its results; `methods.py` has the same
// structure.
struct RedBlueTask {
    Csr graph;
    int threads;
    int select;
    int philox;               // the hash is Philox instead of MD5
    unsigned blue_below;      // a vertex is blue if its hash is below this
    int max_rounds;
    const unsigned* numbers;  // one number for each round
    const int* cancel;
    int* mate;
    int* matched;  // vertices matched in each round
    int* dead;     // vertices without live neighbours found in each round
    int rounds;
    int left;  // vertices that are neither matched nor dead at the end
    const Recording* recording;  // null: nothing is recorded
};

// The events of the record, as kernels/redblue.cuh numbers and describes them; TAKE is that of
// methods without colours.
struct RedBlueLog {
    enum RedBlueEvent : unsigned {
        COLOUR = 1,
        PROPOSE = 2,
        RESPOND = 3,
        MATCH = 4,
        DIE = 5,
        TAKE = 6,
    };
    // Sub-steps of a round; an iteration of the record is 4 * round + sub-step.
    enum SubStep { kColouring, kProposing, kResponding, kMatching };
    // The words of a thread's row in the record.
    enum Word { kLooked, kLive, kEdges, kLaneSlots, kProposals, kResponses, kMatched, kDead };
};

// The weight of the edge between two vertices; rows are sorted.
inline float weight_between(const Csr& graph, int v, int u) {
    const int* const begin = graph.indices + graph.indptr[v];
    const int* const end = graph.indices + graph.indptr[v + 1];
    return graph.weights[std::lower_bound(begin, end, u) - graph.indices];
}

// A vertex looked through its list.
template <class Log>
void count_search(Log& log, const Csr& graph, int v) {
    if (!Log::kOn) return;
    const long long degree = graph.indptr[v + 1] - graph.indptr[v];
    log.count(RedBlueLog::kLooked, 1);
    log.count(RedBlueLog::kLive, 1);
    log.count(RedBlueLog::kEdges, degree);
    log.count(RedBlueLog::kLaneSlots, degree);
}

// v has no live neighbour.
template <class Log>
void log_death(Log& log, int v) {
    log.event(RedBlueLog::DIE, v);
    log.count(RedBlueLog::kDead, 1);
}

}  // namespace cpu
