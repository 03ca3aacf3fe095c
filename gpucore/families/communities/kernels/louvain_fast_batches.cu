// Louvain, tuned: batches of a contraction whose table of pairs would not fit into memory.
//
// A batch is a range of new communities.  A vertex is in the batch of its community, so each batch
// reads the edges of its own vertices only, and all batches together read every edge once.
//   fast_degrees      entries of the vertices of every community: a bound for its pairs
//   fast_batch_count  vertices of every batch and class of degree
//   fast_batch_place  the vertices, batch by batch, and class by class in a batch
#include "simt.h"

#include "louvain_fast.cuh"

SIMT_KERNEL(fast_degrees)
(int n, const long long* indptr, const int* mapping, unsigned long long* degrees)
{
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v >= n) return;
    const long long degree = indptr[v + 1] - indptr[v];
    if (degree) atomicAdd(degrees + mapping[v], (unsigned long long)degree);
}

// The batch of a community; batch b begins with community first[b], the first one with 0.
__device__ inline int batch_of(const int* first, int batches, int community)
{
    int low = 0, high = batches - 1;
    while (low < high) {
        const int middle = (low + high + 1) / 2;
        if (first[middle] <= community) low = middle;
        else high = middle - 1;
    }
    return low;
}

// A vertex's part of the order: its batch, and its class there.
__device__ inline int part_of(const long long* indptr, const int* mapping, const int* first,
                              int batches, int vertex)
{
    return batch_of(first, batches, mapping[vertex]) * CLASSES +
           class_of(indptr[vertex + 1] - indptr[vertex]);
}

// Shared memory: four bytes for each part.
SIMT_KERNEL(fast_batch_count)
(int n, const long long* indptr, const int* mapping, const int* first, int batches, int* counts)
{
    SIMT_DYN_SHARED(int, block_counts);
    const int parts = batches * CLASSES;
    for (int k = threadIdx.x; k < parts; k += blockDim.x) block_counts[k] = 0;
    __syncthreads();
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n) atomicAdd(block_counts + part_of(indptr, mapping, first, batches, (int)v), 1);
    __syncthreads();
    for (int k = threadIdx.x; k < parts; k += blockDim.x)
        if (block_counts[k]) atomicAdd(counts + k, block_counts[k]);
}

// `cursors` initially hold the starts of the parts.  Shared memory: eight bytes for each part.
SIMT_KERNEL(fast_batch_place)
(int n, const long long* indptr, const int* mapping, const int* first, int batches, int* cursors,
 int* order)
{
    SIMT_DYN_SHARED(int, block_counts);
    const int parts = batches * CLASSES;
    int* starts = block_counts + parts;
    for (int k = threadIdx.x; k < parts; k += blockDim.x) block_counts[k] = 0;
    __syncthreads();
    const long long v = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    int mine = 0, place = 0;
    if (v < n) {
        mine = part_of(indptr, mapping, first, batches, (int)v);
        place = atomicAdd(block_counts + mine, 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < parts; k += blockDim.x)
        if (block_counts[k]) starts[k] = atomicAdd(cursors + k, block_counts[k]);
    __syncthreads();
    if (v < n) order[starts[mine] + place] = (int)v;
}

SIMT_EXPORT(fast_degrees)
SIMT_EXPORT(fast_batch_count)
SIMT_EXPORT(fast_batch_place)
