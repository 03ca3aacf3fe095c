// Rows of the adjacency matrix of a grid: vertices are numbered row by row, each is joined with its
// neighbours above, left, right and below.  A thread has a vertex.
#include "simt.h"

#include "rows.cuh"

// Entries of the vertices before v, of a grid with n vertices.
__device__ inline long long entries_before(long long v, long long n, long long columns)
{
    const long long row = v / columns, column = v % columns;
    const long long beside = row * 2 * (columns - 1) + max(2 * column - 1, 0ll);
    return beside + max(v - columns, 0ll) + min(v, n - columns);
}

// Vertices `first` to `last` - 1, whose last `indptr` the caller knows.
SIMT_KERNEL(grid_rows)
(long long n, long long columns, long long first, long long last, long long* indptr, int* indices)
{
    const long long start = entries_before(first, n, columns);
    for (long long v = first + thread_number(); v < last; v += thread_count()) {
        const long long column = v % columns;
        long long place = entries_before(v, n, columns) - start;
        indptr[v - first] = place;
        if (v >= columns) indices[place++] = (int)(v - columns);
        if (column > 0) indices[place++] = (int)(v - 1);
        if (column < columns - 1) indices[place++] = (int)(v + 1);
        if (v < n - columns) indices[place++] = (int)(v + columns);
    }
}

SIMT_EXPORT(grid_rows)
