// What kernels of a run on several ranks share: owners of vertices, messages to other ranks, and
// words in the memory of other ranks.
//
// Ranks have contiguous ranges of vertices.  A message is W 32-bit words; it goes into the bucket
// of the rank that it is for.  gpucore/ranks/mail.py makes the buckets and reads the counts.
#pragma once

// Rank r has the vertices bounds[r] to bounds[r + 1] - 1.
__device__ inline int owner_of(const long long* bounds, int ranks, int vertex)
{
    int low = 0, high = ranks;                          // bounds[low] <= vertex < bounds[high]
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (bounds[middle] <= vertex) low = middle;
        else high = middle;
    }
    return low;
}

// A rank's ghosts are all other vertices from `first` to `last` - 1.
struct Ghosts {
    int lo, n, first, last;

    __device__ inline int count() const { return last - first - n; }
    __device__ inline int vertex(long long i) const
    {
        return i < lo - first ? (int)(first + i) : (int)(i - (lo - first) + lo + n);
    }
};

// Buckets of messages of W words: that of rank r begins at message starts[r] and holds counts[r].
struct Mail {
    unsigned* words;
    const long long* starts;
    int* counts;
};

// All lanes of a warp call; those with `to` >= 0 put a message into the bucket of rank `to`, under
// one atomic for each rank that the warp writes to.
template <int W>
__device__ inline void post(Mail mail, int to, const unsigned (&message)[W])
{
    const int lane = threadIdx.x % 32;
    unsigned left = __ballot_sync(0xffffffffu, to >= 0);
    while (left) {
        const int leader = __ffs(left) - 1;
        const int rank = __shfl_sync(0xffffffffu, to, leader);
        const unsigned same = __ballot_sync(0xffffffffu, to == rank);
        int place = 0;
        if (lane == leader) place = atomicAdd(mail.counts + rank, __popc(same));
        place = __shfl_sync(0xffffffffu, place, leader);
        if (to == rank) {
            const long long slot = mail.starts[rank] + place + __popc(same & ((1u << lane) - 1));
            for (int i = 0; i < W; ++i) mail.words[slot * W + i] = message[i];
        }
        left &= ~same;
    }
}

// All lanes of a warp call; those with `wanted` append an item to a list of this rank.
__device__ inline void append(int* list, int* count, bool wanted, int item)
{
    const int lane = threadIdx.x % 32;
    const unsigned who = __ballot_sync(0xffffffffu, wanted);
    if (who == 0) return;
    int place = 0;
    if (lane == __ffs(who) - 1) place = atomicAdd(count, __popc(who));
    place = __shfl_sync(0xffffffffu, place, __ffs(who) - 1);
    if (wanted) list[place + __popc(who & ((1u << lane) - 1))] = item;
}

// Atomics on words that the launches of several ranks update: they have the scope of the system.
#define ATOMIC_OF_ALL_RANKS(name) name##_system
