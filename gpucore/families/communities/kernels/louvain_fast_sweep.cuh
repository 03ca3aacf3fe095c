// Louvain, tuned: a sweep beside the partition: what is due, which moves are allowed, how they are made and
// counted.
#pragma once

#include "louvain_fast.cuh"

// Blocks add their gains and moves in TALLIES places, each in a memory sector of its own: additions in
// one place follow one another, half a thousand million a second, and would take longer than the
// sweep.
#ifndef TALLIES
#define TALLIES 512
#endif
#define TALLY_STRIDE 4
// Where the blocks of a launch meet after a sweep, and all of them read the sums, there are fewer places:
// a set for the sweep, one that the others may still read, and one that is emptied.
#define MEETING_TALLIES 64
#define MEETING_SETS 3
// Behind them are the turns that warps, and blocks, have taken in a sweep; see for_each_due.
static_assert((MEETING_TALLIES + 2) * MEETING_SETS <= TALLIES, "the host allocates TALLIES places");
// Moves that gain less modularity are not made when vertices are visited until none could gain.  Vertices that are
// alike would change places for ever; the certificate allows twice as much, see GAIN_TOLERANCE in certificate.py.
#define SETTLING_TOLERANCE 5e-10
// Gains are added in these parts of a modularity of 1: sums of integers do not depend on the order.
#define GAIN_UNITS 1125899906842624.0

__device__ inline int tally_of_block() { return (int)(blockIdx.x % TALLIES) * TALLY_STRIDE; }

// Which vertices are due: those that do not rest; in the first sweep of a stage all, and in the next one too, so
// nothing is marked; where vertices seem to trade places, any half of those that do not rest.
enum Duty { WHO_DOES_NOT_REST, ALL, SOME };

// State of a sweep beside the partition.
struct Sweep {
    unsigned char* rested;      // 1: no neighbour has moved since the vertex was visited
    Weight* gained;             // sum of the movers' gains, in GAIN_UNITS; this block's share
    int* moved;
    Duty duty;
    Visit visit;                // if a small stage were processed at once, no vertex would see the
                                // moves of the others
    int* target;                // null: moves take effect at once; else where they wait until all of
                                // the part are decided.  Not -1: the vertex moves there, or did so
                                // when it moved last
    int later;                  // all vertices, if moves wait; else 0
    float least = 0.0f;         // a move gains more, in scores
};

// Where moves wait there are, for `later` vertices: how many have moved, less one, since it begins as -1 like all
// targets; the targets; and the movers, in their turns.  A part has no more movers than there are places.
__device__ inline int* count_of(Sweep sweep) { return sweep.target - 1; }

__device__ inline int* mover_of(Sweep sweep, int turn)
{
    const unsigned places = 0xffffffffu >> __clz(sweep.later);      // less one
    return sweep.target + sweep.later + (turn & places);
}

__device__ inline int count_movers(const int* waiting) { return simt_load(waiting) + 1; }

// The log of a launch that does several stages: what it begins with, and a row of a stage of one block.
enum {
    OUTCOME, STAGES, ROWS, CONTRACTIONS, ALONE, REACHED, KNOWN, FINAL, FINAL_COMMUNITIES, FINAL_SWEEPS,
    FINAL_MOVES, BEGAN, ENDED_LAST, ENDED_ALL, TWO_M, OF_COPIES = 16, HEADER = 32
};
enum LastColumn { VERTICES, ENTRIES, SWEEPS, COMMUNITIES, MODULARITY, COLUMNS };

// The state of a phase: not 0 when it has ended (launches that are still queued do nothing), launches,
// sweeps in a row that gained little, all moves.
enum { DONE, LAUNCHES, IDLE, MOVES, STATES };
// How it has ended: by its rule; a pass over all vertices follows; a pass moved none.
enum { ENDED = 1, FURTHER, SETTLED };

// In the first two sweeps of four, moves go to smaller, then to larger numbers only.
__device__ inline int direction_of(int sweep)
{
    return sweep % 4 == 0 ? -1 : sweep % 4 == 1 ? 1 : 0;
}

// The sweep with which such fours begin, if moves go anywhere in `sweep` and in the next one.
__device__ inline int free_first(int sweep) { return sweep % 4 - 2; }

// Whether the vertex has to be visited now; then it rests until a neighbour moves.  One thread calls:
// others may see a change.
__device__ inline bool is_due(Sweep sweep, int vertex)
{
    if (sweep.duty == ALL) return true;
    if (simt_load(sweep.rested + vertex) != 0) return false;
    if (sweep.duty == SOME && (mixed((unsigned)vertex + sweep.visit.turn) & 1)) return false;
    simt_store(sweep.rested + vertex, 1);
    return true;
}

// Strength of a community.  In a launch over a large graph a few communities are next to most vertices, so that most
// reads are of the same few places; there multiprocessors keep them, see refresh_some().
__device__ inline Weight total_of(Partition p, int community)
{
    return p.near ? simt_load_near(p.total + community) : simt_load(p.total + community);
}

// A multiprocessor reads the strengths again when it begins with one of so many blocks.
#define REFRESH_BLOCKS 17

__device__ inline void refresh_some()
{
    if (blockIdx.x % REFRESH_BLOCKS == 0 && threadIdx.x == 0) simt_refresh();
}

// The rule for single vertices needs no sizes: a vertex is alone if its community has the same
// strength, and so is the vertex that gave the other community its number, if it is still there.
__device__ inline bool may_go(Partition p, Weight strength, Weight home_total, int from, int to)
{
    if (p.direction != 0 && (to > from) != (p.direction > 0)) return false;
    if (to < from || home_total != strength) return true;
    return simt_load(p.total + to) != p.strength[to] || simt_load(p.community + to) != to;
}

// A thread's counters of a launch, and its place in the record.
struct Effects {
    double scale;               // from a difference of scores to GAIN_UNITS
    int step, warp, batch;
    Weight gain;                // in GAIN_UNITS
    int moves;

    __device__ void add(double gained, int to)
    {
        if (to < 0) return;
        gain += (Weight)(gained * scale + 0.5);
        moves += 1;
    }

    // All lanes of the warp call.
    __device__ void report(Weight* gained, int* moved)
    {
        for (int d = 16; d > 0; d /= 2) {
            gain += __shfl_xor_sync(ALL_LANES, gain, d);
            moves += __shfl_xor_sync(ALL_LANES, moves, d);
        }
        if (threadIdx.x % 32 == 0 && moves > 0) {
            atomicAdd(gained, gain);
            atomicAdd(moved, moves);
        }
    }
};

__device__ inline Effects effects_of(double two_m, int step, int warp)
{
    return {2.0 * GAIN_UNITS / (two_m * two_m), step, warp, 0, 0, 0};
}

__device__ inline float modularity(Partition p, double gain)
{
    return (float)(2.0 * gain / (p.two_m * p.two_m));
}

// Choose for one vertex, move it or note where it moves, and return its new community, or -1.  One thread calls.
__device__ inline int settle(Partition p, Sweep sweep, int vertex, int home, Weight home_total,
                             Weight strength, Weight inner, Choice best, double& gain)
{
    if (best.community < 0) return -1;
    gain = best.score - score(p, inner, strength, home_total - strength);
    if (!(gain > sweep.least)) return -1;
    if (!may_go(p, strength, home_total, home, best.community)) {
        simt_store(sweep.rested + vertex, 0);               // the move may be allowed next time
        return -1;
    }
    if (sweep.target) {
        simt_store(sweep.target + vertex, best.community);
        const int turn = atomicAdd(count_of(sweep), 1) + 1;
        simt_store(mover_of(sweep, turn), vertex);
        return best.community;
    }
    simt_store(p.community + vertex, best.community);
    atomicAdd(p.total + best.community, strength);
    atomicAdd(p.total + home, 0 - strength);                // modulo 2^64
    return best.community;
}

// Arguments of a search for moves.
struct Search {
    Partition partition;
    Level level;
    Sweep sweep;
};

// The search in a part of a sweep.  Where moves wait, the parts are others in every sweep: vertices of
// one part do not see each other's moves, and could trade places for ever.
__device__ inline Search search_in(Partition partition, Level level, unsigned char* rested,
                                   Weight* gained, int* moved, int* waiting, int later, int sweep,
                                   int part, int parts)
{
    const int tally = tally_of_block();
    partition.direction = direction_of(sweep);
    return {partition, level,
            {rested, gained + tally, moved + tally, sweep == 0 ? ALL : WHO_DOES_NOT_REST,
             {part, parts, later ? mixed((unsigned)sweep) | 1 : 0}, later ? waiting + 1 : nullptr,
             later}};
}

// By how much a move has to gain more than nothing while a graph settles, in scores.
__device__ inline float least_of(double two_m) { return (float)(SETTLING_TOLERANCE / 2.0 * two_m * two_m); }

// The search of a launch, by how many came before it in the phase.
__device__ inline Search search_of(Partition partition, Level level, unsigned char* rested,
                                   Weight* gained, int* moved, int* waiting, int later, int settles,
                                   int launches, int parts)
{
    Search s = search_in(partition, level, rested, gained, moved, waiting, later, launches / parts,
                         launches % parts, parts);
    if (settles) s.sweep.least = least_of(partition.two_m);
    return s;
}
