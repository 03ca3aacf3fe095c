// What a rank has collected for vertices of other ranks (ghosts), packed, so that their owners can
// read it as a stream.
//
// A rank has `each` 64-bit words for every vertex of the graph; the first is not 0 if there is anything.
// A parcel is the words for PARCEL neighbouring vertices of one owner.  Packing moves those of
// vertices that have any to the parcel's beginning, in order, and sets their bits in the parcel's mask.
// gpucore/families/matching/peers_program.py makes the masks.
#pragma once

#include "ranks.cuh"

// Vertices of a parcel.
constexpr int PARCEL = 256;

// One parcel as its owner sees it; all lanes of a warp have it.  Lane i has word i of the mask.
struct Parcel {
    const unsigned long long* words;
    unsigned mask;

    // The number among the packed vertices of this lane's vertex of 32, the `k`-th group of the
    // parcel; -1 if there is nothing for it.  All lanes call.
    __device__ inline int place(int k) const
    {
        const int lane = threadIdx.x % 32;
        int before = 0;
        for (int i = 0; i < k; ++i) before += __popc(__shfl_sync(0xffffffffu, mask, i));
        const unsigned group = __shfl_sync(0xffffffffu, mask, k);
        return group >> lane & 1 ? before + __popc(group & ((1u << lane) - 1)) : -1;
    }
};

struct Parcels {
    const long long* bounds;    // rank r has the vertices bounds[r] to bounds[r + 1] - 1
    int ranks, rank, each;

    __device__ inline long long count(int owner) const
    {
        return (bounds[owner + 1] - bounds[owner] + PARCEL - 1) / PARCEL;
    }
    // Where the mask of an owner's parcel is among the words of all masks.
    __device__ inline long long mask_of(int owner, long long parcel) const
    {
        return PARCEL / 32 * (bounds[owner] / PARCEL + owner + parcel);
    }
    // What rank `r` has packed for a parcel of this rank.  All lanes of a warp call.
    __device__ inline Parcel from(int r, long long parcel, const unsigned long long* words_of,
                                  const unsigned long long* masks_of) const
    {
        const int lane = threadIdx.x % 32;
        const auto* words = reinterpret_cast<const unsigned long long*>(words_of[r]);
        const auto* masks = reinterpret_cast<const unsigned*>(masks_of[r]);
        return {words + (bounds[rank] + PARCEL * parcel) * each,
                lane < PARCEL / 32 ? simt_load(masks + mask_of(rank, parcel) + lane) : 0};
    }
};

// Pack what is here for other ranks, a warp a parcel.
__device__ inline void pack_ghosts(Parcels parcels, unsigned long long* words, unsigned* masks)
{
    const int lane = threadIdx.x % 32, each = parcels.each;
    long long parcel = (long long)blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    int owner = 0;
    for (; owner < parcels.ranks; ++owner) {
        if (owner == parcels.rank) continue;
        if (parcel < parcels.count(owner)) break;
        parcel -= parcels.count(owner);
    }
    if (owner == parcels.ranks) return;
    const long long first = parcels.bounds[owner] + PARCEL * parcel;
    const long long size = parcels.bounds[owner + 1] - first;
    words += first * each;
    int count = 0;
    unsigned mask = 0;
    for (int k = 0; k < PARCEL / 32; ++k) {
        const int i = 32 * k + lane;
        const bool wanted = i < size && words[(long long)i * each] != 0;
        const unsigned who = __ballot_sync(0xffffffffu, wanted);
        const int place = count + __popc(who & ((1u << lane) - 1));
        for (int j = 0; j < each; ++j) {                // no lane writes what another has to read
            const unsigned long long word = wanted ? words[i * each + j] : 0;
            __syncwarp();
            if (wanted) words[place * each + j] = word;
            __syncwarp();
        }
        count += __popc(who);
        if (lane == k) mask = who;
    }
    if (lane < PARCEL / 32) masks[parcels.mask_of(owner, parcel) + lane] = mask;
}

// Write a vertex's weight into the arrays of all ranks.
__device__ inline void show_to_all(const unsigned long long* weights_of, int ranks, long long v,
                                   unsigned weight)
{
    for (int r = 0; r < ranks; ++r)
        simt_store(reinterpret_cast<unsigned*>(weights_of[r]) + v, weight);
}
