// Shared by the kernels of red/blue matching: colours, preferences, recording.
//
// Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
// Multicore-Challenge II, 2012.
#pragma once

#include "record.cuh"
#include "scatter.cuh"

#define ALL_LANES 0xffffffffu
#define NONE -1
#define LONELY -2               // sigma of a vertex without live neighbours: it dies

enum State : unsigned char { BLUE = 0, RED = 1, MATCHED = 2, DEAD = 3 };

__device__ inline bool is_live(unsigned char state) { return state <= RED; }

// Colouring of a round: its random number r, p as a threshold of 32 bits, and whether the generator
// is Philox instead of MD5.
struct Colouring {
    unsigned r, threshold;
    bool philox;
};

__device__ inline unsigned rotate_left(unsigned value, int by)
{
    return value << by | value >> (32 - by);
}

// Algorithm 4: the first quarter of MD5 (RFC 1321) of the words v, rv, r^2 v, ..., r^15 v.
__device__ inline unsigned md5_quarter(unsigned v, unsigned r)
{
    const unsigned sines[16] = {0xd76aa478u, 0xe8c7b756u, 0x242070dbu, 0xc1bdceeeu,
                                0xf57c0fafu, 0x4787c62au, 0xa8304613u, 0xfd469501u,
                                0x698098d8u, 0x8b44f7afu, 0xffff5bb1u, 0x895cd7beu,
                                0x6b901122u, 0xfd987193u, 0xa679438eu, 0x49b40821u};
    const unsigned h0 = 0x67452301u, h1 = 0xefcdab89u, h2 = 0x98badcfeu, h3 = 0x10325476u;
    unsigned a0 = h0, a1 = h1, a2 = h2, a3 = h3;
#pragma unroll
    for (int i = 0; i < 16; ++i) {
        const int shifts = 7 + 5 * (i % 4);
        const unsigned mixed = (a1 & a2) | (~a1 & a3);
        const unsigned next = a1 + rotate_left(a0 + mixed + sines[i] + v, shifts);
        a0 = a3;
        a3 = a2;
        a2 = a1;
        a1 = next;
        v *= r;
    }
    return (h0 + a0) + (h1 + a1) + (h2 + a2) + (h3 + a3);
}

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC
// 2011) of the counter (v, 0, 0, 0) and the key (r, 0): its first word.
__device__ inline unsigned philox(unsigned v, unsigned r)
{
    unsigned c0 = v, c1 = 0, c2 = 0, c3 = 0, k0 = r, k1 = 0;
    for (int i = 0; i < 10; ++i) {
        const unsigned long long one = 0xd2511f53ull * c0, two = 0xcd9e8d57ull * c2;
        c0 = (unsigned)(two >> 32) ^ c1 ^ k0;
        c2 = (unsigned)(one >> 32) ^ c3 ^ k1;
        c1 = (unsigned)two;
        c3 = (unsigned)one;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    return c0;
}

__device__ inline State colour_of(int v, Colouring c)
{
    const unsigned number = c.philox ? philox((unsigned)v, c.r) : md5_quarter((unsigned)v, c.r);
    return number < c.threshold ? BLUE : RED;
}

// Selections of a vertex: the heaviest edge (ties: the larger number), the first eligible neighbour
// from a place that depends on vertex and round, or the first of its list.
enum Select { WEIGHTED, RANDOM, FIRST };

// The graph, and the selection in round number r.
struct Lists {
    const long long* indptr;
    const int* indices;
    const float* weights;
    Select select;
    unsigned r;
};

// The start of a vertex's search among its `degree` neighbours.  Eligible neighbours that follow a
// gap are chosen more often.
__device__ inline long long first_place(Lists g, int vertex, long long degree)
{
    return g.select == RANDOM && degree ? scatter((unsigned)vertex, g.r) % degree : 0;
}

// A choice as one number, larger for a better one; 0: none.  Weights are positive, so their bits
// have the same order.
typedef unsigned long long Choice;

__device__ inline Choice choice_of(Lists g, long long e, int other)
{
    return (Choice)__float_as_uint(g.weights[e]) << 32 | (unsigned)(other + 1);
}

__device__ inline int chosen(Choice choice)
{
    return choice == 0 ? NONE : (int)(unsigned)choice - 1;
}

__device__ inline float weight_of(Choice choice)
{
    return __uint_as_float((unsigned)(choice >> 32));
}

enum RedBlueEvent : unsigned {
    NO_EVENT = 0,
    COLOUR = 1,                 // vertex, 0: blue or 1: red
    PROPOSE = 2,                // blue vertex, red vertex; weight
    RESPOND = 3,                // red vertex, blue vertex; weight
    MATCH = 4,                  // blue vertex, red vertex
    DIE = 5                     // vertex
};

// Sub-steps of a round; an iteration of the record is 4 * round + sub-step.
enum SubStep { COLOURING, PROPOSING, RESPONDING, MATCHING };

// A warp's row of the record for one sub-step.
struct Effort {
    unsigned looked, live, edges, lane_slots, proposals, responses, matched, dead;
};

#if RECORD >= 1
// All lanes of the warp call, each with its own counters.
__device__ inline void record_effort(Recorder* rec, int warp, int step, Effort e)
{
    const unsigned words[8] = {warp_sum(e.looked),    warp_sum(e.live),      warp_sum(e.edges),
                               warp_sum(e.lane_slots), warp_sum(e.proposals), warp_sum(e.responses),
                               warp_sum(e.matched),   warp_sum(e.dead)};
    if (threadIdx.x % 32 == 0) add_words_to_row(rec, warp, step, words);
}
#endif

// One lane records one event.
#if RECORD >= 2
#define TELL(kind, a, b, value) record_event(rec, step, warp, kind, a, b, NONE, value, 0)
#else
#define TELL(kind, a, b, value)
#endif

// Count over the warp, and add; all lanes call.
__device__ inline void add_to(int* counter, bool mine)
{
    const unsigned who = __ballot_sync(ALL_LANES, mine);
    if (threadIdx.x % 32 == 0 && who) atomicAdd(counter, __popc(who));
}
