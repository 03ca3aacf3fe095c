// Vertices with long adjacencies: a list, and for the first round pieces that blocks take.
//
// One block reads an adjacency of a million edges in about a millisecond, however many others are
// idle.  So in the first round, which looks for the best edges of every vertex, a block takes
// HUB_PIECE edges at a time.  What it finds goes into words of the hub; the block that finishes the
// last piece goes on with them.
#pragma once

#include "bid.cuh"

#ifndef HUB_DEGREE
#define HUB_DEGREE 1024
#endif
#ifndef HUB_PIECE
#define HUB_PIECE 8192
#endif

// The first piece of a hub counts how many are done.
struct Piece {
    int hub, first, done, unused;
};

struct Hubs {
    int* list;                  // vertices with more than HUB_DEGREE edges
    int* counters;              // zeroed before
    Piece* pieces;              // of hubs with more than HUB_PIECE edges
    Bid* words;                 // a few for each piece, of which those of first pieces are used
    enum { LISTED, PIECES, TAKEN, TAKEN_LATER };

    __device__ inline int count() const { return counters[LISTED]; }
};

__device__ inline int pieces_of(long long degree)
{
    return (int)((degree + HUB_PIECE - 1) / HUB_PIECE);
}

// List vertex u if it is a hub; `each` words a piece are cleared.
__device__ inline void list_hub(Hubs hubs, int u, long long degree, int each)
{
    if (degree <= HUB_DEGREE) return;
    hubs.list[atomicAdd(hubs.counters + Hubs::LISTED, 1)] = u;
    const int count = pieces_of(degree);
    if (count == 1) return;
    const int first = atomicAdd(hubs.counters + Hubs::PIECES, count);
    for (int i = 0; i < count; ++i) hubs.pieces[first + i] = {u, first, 0, 0};
    for (int i = 0; i < each; ++i) hubs.words[(long long)first * each + i] = 0;
}

// What a block has to read: a hub and the number of a piece, -1 for the whole hub.
struct Share {
    int hub, piece;
};

// All threads of a block call and get its next share; hub -1 at the end.  `found`: 2 shared ints.
template <class DegreeOf>
__device__ inline Share next_share(Hubs hubs, DegreeOf degree_of, int* found)
{
    if (threadIdx.x == 0) {
        const int listed = hubs.counters[Hubs::LISTED], pieces = hubs.counters[Hubs::PIECES];
        int hub = -1, piece = -1;
        for (int taken; hub < 0 && (taken = atomicAdd(hubs.counters + Hubs::TAKEN, 1)) <
                                       pieces + listed;) {
            if (taken < pieces) {
                piece = taken;
                hub = hubs.pieces[taken].hub;
            } else {
                const int whole = hubs.list[taken - pieces];
                if (pieces_of(degree_of(whole)) == 1) hub = whole;
            }
        }
        found[0] = hub;
        found[1] = piece;
    }
    __syncthreads();
    const Share share = {found[0], found[1]};
    __syncthreads();
    return share;
}

// First edge of a share in its hub's adjacency.
__device__ inline int first_edge(Hubs hubs, Share share)
{
    return share.piece < 0 ? 0 : (share.piece - hubs.pieces[share.piece].first) * HUB_PIECE;
}

// One thread calls, after it has entered what its block found: whether the words are complete.
__device__ inline bool is_last(Hubs hubs, Share share, long long degree)
{
    __threadfence();
    Piece* first = hubs.pieces + hubs.pieces[share.piece].first;
    const bool last = atomicAdd(&first->done, 1) == pieces_of(degree) - 1;
    __threadfence();
    return last;
}

// The arrays of hubs in the order in which kernels take them.
#define HUB_PARAMS int *hubs, int *counters, Piece *pieces, Bid *piece_words
#define HUBS \
    Hubs { hubs, counters, pieces, piece_words }
