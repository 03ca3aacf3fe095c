// The launches of ranks meet on their cards, so that the host need not wait for what goes before.
//
// A rank that is late, or dead, is waited for only for a while.  Mostly nothing depends on it but time:
// what follows may find the other ranks not as far as hoped.  Where the solution depends on it, the
// host looks at `missed` in the end.
#include "simt.h"

// One thread.  `met` counts the meetings that each rank has come to; `met_of` are all ranks' arrays.
// `patience` in nanoseconds; `missed` counts the ranks for which it was not enough.
SIMT_KERNEL(meet)(int rank, int ranks, unsigned* met, const unsigned long long* met_of,
                  unsigned long long patience, unsigned* missed)
{
    if (blockIdx.x != 0 || threadIdx.x != 0) return;
    const unsigned now = simt_load(met + rank) + 1;
    __threadfence_system();                         // who sees the count sees what was done before
    for (int r = 0; r < ranks; ++r)
        simt_store(reinterpret_cast<unsigned*>(met_of[r]) + rank, now);
    const unsigned long long begin = simt_time();
    for (int r = 0; r < ranks; ++r) {
        while (simt_load(met + r) < now) {
            if (simt_time() - begin >= patience) {
                ++*missed;
                return;
            }
            __nanosleep(100);
        }
    }
    __threadfence_system();
}

SIMT_EXPORT(meet)
