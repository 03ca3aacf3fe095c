// Microbenchmarks of what a schedule of matrix factorisation is made of.
//
// Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
// graph algorithms", IPDPS 2016, section V: figure 9, atomics a second against threads, and b, the
// cost of a barrier.
#include "simt.h"

// As in probe.py.
enum Atomic { ADD = 0, CAS = 1, EXCHANGE = 2, ADD_FLOAT = 3 };

// Each of `threads` threads makes `repeats` atomics, one after the other, on the word that lies
// `spread` words after that of the thread before it; 0: all on one word.  The result of an atomic
// is used, so that it is none without an answer.  A CAS expects what the last one found, as a lock
// under contention.  `last` gets the last answer of each thread.
SIMT_KERNEL(sgd_atomics)
(unsigned* words, float* numbers, int kind, int spread, int repeats, int threads, unsigned* last)
{
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;
    if (thread >= threads) return;
    const long long at = (long long)thread * spread;
    unsigned found = 0;
    for (int i = 0; i < repeats; ++i) {
        if (kind == ADD)
            found = atomicAdd(words + at, 1u);
        else if (kind == CAS)
            found = atomicCAS(words + at, found, found + 1);
        else if (kind == EXCHANGE)
            found = atomicExch(words + at, found + 1);
        else
            found = __float_as_uint(atomicAdd(numbers + at, 1.0f));
    }
    last[thread] = found;
}

// All blocks meet `repeats` times; `passed` counts the barriers of all blocks.
SIMT_KERNEL(sgd_barriers)(unsigned* barrier, int repeats, unsigned* passed)
{
    for (int i = 0; i < repeats; ++i) simt_grid_sync(barrier);
    if (threadIdx.x == 0) atomicAdd(passed, (unsigned)repeats);
}

SIMT_EXPORT(sgd_atomics)
SIMT_EXPORT(sgd_barriers)
