// Louvain, tuned: all last stages in one launch.
//
// A stage of some thousand vertices takes a GPU a few microseconds of work, but twenty launches and
// six reads by the host, and between all blocks of a launch every step takes microseconds.  Here one
// block of a single launch sweeps and contracts, stage after stage, until a stage gains too little;
// what it works on is in its shared memory, and the host reads one log.  Moves and their rules are
// those of louvain_fast.cu; the steps of a stage are in louvain_fast_last.cuh.
#include "simt.h"

#include "louvain_fast_last.cuh"

// One block.  `log`: the number of rows and of contractions, then the rows.  See last_stages().
SIMT_KERNEL(fast_last, __launch_bounds__(512))
(int n, int entries, const int* live, int* number_of, const long long* indptr, const int* indices,
 const float* weights, const Weight* level_sums, double unit, int kind, const Weight* strength,
 double two_m, double resolution, double start, double threshold, double least, double early,
 double last_share, int relative, int take_back, int patience, int max_sweeps, int max_stages, int enough_parts, int parts,
 int near_bytes, int table_bytes, unsigned char* far, int* maps, int* whole, double* log,
 [[maybe_unused]] int step RECORD_PARAMS)
{
    SIMT_DYN_SHARED(unsigned char, near);
    SIMT_SHARED(Choice[16], best);
    SIMT_SHARED(Weight[16], inner);
    SIMT_SHARED(int[1], note);
    SIMT_SHARED(int[16], warps);
    SIMT_SHARED(double[16], shares);
    SIMT_SHARED(Weight[1], gained);
    SIMT_SHARED(double[1], gain);
    SIMT_SHARED(int[1], moved);
    SIMT_SHARED(int[STATES], state);
    SIMT_SHARED(int[TALLY_STRIDE + 1], turns);
    SIMT_SHARED(BlockTurns[1], block_turns);
    SIMT_SHARED(int[CLASSES + 1], first);
    SIMT_SHARED(int[CLASSES], cursor);
    SIMT_SHARED(Lists[2], lists);
    const LastFound found = last_stages(
        n, entries, live, number_of, {indptr, indices, weights, level_sums, unit, kind}, strength,
        two_m, resolution,
        {start, threshold, least, early, last_share, relative, take_back, patience, max_sweeps, max_stages,
         enough_parts},
        parts,
        {near, near_bytes, table_bytes, {best, inner, note}, warps, shares, gained, gain, moved,
         state, turns, block_turns, first, cursor, lists},
        far, maps, whole, log + HEADER, step RECORD_COUNTERS(, rec));
    if (threadIdx.x != 0) return;
    log[ROWS] = found.rows;
    log[CONTRACTIONS] = found.contractions;
}

SIMT_EXPORT(fast_last)
