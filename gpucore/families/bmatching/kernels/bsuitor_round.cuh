// Shared by the kernels of b-Suitor that work in rounds: sorted lists, and what is put off.
//
// Source: Khan et al., SIAM J. Sci. Comput. 38(5), 2016: delayed updates.
#pragma once

#include "bsuitor.cuh"

// The heads of the lists of neighbours, by falling (weight, neighbour); empty where all is unsorted.
struct Heads {
    const long long* starts;
    const int* indices;
    const float* weights;
};

// The vertices of a round, and those that the next one gets; `owed` are proposals still to make.
struct Round {
    int number;
    const int* vertices;        // in round 0 all vertices
    int count;
    int *owed, *next_owed, *next_vertices, *next_count;
};

// Proposals that fell out are put off to the next round.
__device__ inline void put_off(Round round, int u, int proposals = 1)
{
    if (atomicAdd(round.next_owed + u, proposals) == 0)
        round.next_vertices[atomicAdd(round.next_count, 1)] = u;
}

// The arrays of heads, offers and cursors, and of a round, in the order in which kernels take them.
#define STATE_PARAMS                                                                           \
    const long long *head_starts, const int *head_indices, const float *head_weights,          \
        Bid *slots, const long long *starts, unsigned *worst, int *locks, int *sizes, Bid *cursors
#define HEADS {head_starts, head_indices, head_weights}
#define OFFERS {slots, starts, worst, locks, sizes}
#define ROUND_PARAMS                                                                           \
    int number, const int *vertices, int count, int *owed, int *next_owed, int *next_vertices, \
        int *next_count
#define ROUND {number, vertices, count, owed, next_owed, next_vertices, next_count}
