// Searches of adjacencies by groups of lanes that fit their lengths; for Suitor on one device, on
// peers and on ranks.
#pragma once

#include "bid.cuh"
#include "record.cuh"

#ifndef LONG_DEGREE
#define LONG_DEGREE 96
#endif
#ifndef LANE_EDGES
#define LANE_EDGES 4
#endif

// Heaviest of the edges that fall to lane `member` of `width` lanes; as the pair (weight,
// position), which is ordered like (weight, neighbour) because rows are sorted by neighbour.
template <class Problem, class Seeker>
__device__ inline Bid heaviest(const Problem& p, const Seeker& s, int member, int width)
{
    Bid choice = 0;
    for (int base = member; base < s.degree; base += LANE_EDGES * width) {
        float weight[LANE_EDGES];
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const int i = base + j * width;
            weight[j] = i < s.degree ? __ldcs(p.weights + s.begin + i) : 0.0f;
        }
#pragma unroll
        for (int j = 0; j < LANE_EDGES; ++j) {
            const Bid edge = pack(weight[j], base + j * width);
            if (edge > choice) choice = edge;
        }
    }
    return choice;
}

// Work of one search, for the record: edges of this lane's share, lane slots of the warp.
struct Effort {
    unsigned edges, lane_slots;
};

// Each lane passes a seeker and gets its best candidate, 0 if there is none.  Short adjacencies
// are searched side by side by groups of lanes that fit their average length, then long ones by
// the whole warp.  `order` are 32 bytes of shared memory.
//
// `Seeker` has a begin and a degree; borrow() copies what else acceptable(seeker, member, width), the
// search after the first round, has to know from the lane of the seeker's owner.
template <bool FIRST, class Problem, class Seeker, class Acceptable>
__device__ inline Bid search(const Problem& p, const Seeker& mine, unsigned char* order, int lane,
                             Effort& effort, Acceptable acceptable)
{
    Bid result = 0;
#pragma unroll 1
    for (int part = 0; part < 2; ++part) {
        const bool in_part = mine.degree > 0 && (mine.degree > LONG_DEGREE) == (part == 1);
        const unsigned who = __ballot_sync(ALL_LANES, in_part);
        if (who == 0) continue;
        const int seekers = __popc(who), rank = __popc(who & ((1u << lane) - 1));
        int width = 32;
        if (part == 0) {
            int edges = in_part ? mine.degree : 0;
            for (int d = 16; d > 0; d /= 2) edges += __shfl_xor_sync(ALL_LANES, edges, d);
            width = 1;
            while (width < 32 && LANE_EDGES * width * seekers < edges) width *= 2;
        }
        const int groups = 32 / width, group = lane / width, member = lane % width;
        if (in_part) order[rank] = (unsigned char)lane;
        __syncwarp();
        for (int base = 0; base < seekers; base += groups) {
            const bool idle = base + group >= seekers;
            const int owner = idle ? 0 : order[base + group];
            Seeker s;
            s.begin = __shfl_sync(ALL_LANES, mine.begin, owner);
            s.degree = __shfl_sync(ALL_LANES, mine.degree, owner);
            if (idle) s.degree = 0;
            Bid choice;
            if (FIRST) {
                choice = heaviest(p, s, member, width);
            } else {
                borrow(s, mine, owner);
                choice = acceptable(s, member, width);
            }
            choice = group_max(choice, width);
            const Bid found = __shfl_sync(ALL_LANES, choice, (rank % groups) * width);
            if (in_part && rank / groups == base / groups) result = found;
            RECORD_COUNTERS(
                const unsigned trips = (s.degree + width - 1) / width;
                effort.edges += member == 0 ? s.degree : 0;
                effort.lane_slots += 32 * warp_largest(trips);)
        }
        __syncwarp();                                   // `order` may be written again
    }
    if (FIRST && result != 0)
        result = with_vertex(result, p.indices[mine.begin + vertex_of(result)]);
    return result;
}
