// Rows of the adjacency matrix of a random geometric graph, whose points are hashes of their
// numbers: a thread finds the neighbours of a vertex in its own cell and the eight around it.
//
// The unit square has `side` x `side` cells, at least as wide as the radius.  Cell c has the
// vertices from c n / side^2 on, up to those of the next cell, so any rank knows the points of any
// cell.  Coordinates are whole numbers: a cell is 2^24 wide, so distances are exact.
#include "simt.h"

#include "rows.cuh"

#define CELL_BITS 24

struct Square {
    long long n, side;
    Word radius2, key;
};

// First vertex of a cell, and the cell of a vertex.
__device__ inline long long vertex_of_cell(Square s, long long cell)
{
    return cell * s.n / (s.side * s.side);
}

__device__ inline long long cell_of_vertex(Square s, long long v)
{
    return ((v + 1) * s.side * s.side - 1) / s.n;
}

struct Point {
    long long x, y;
};

__device__ inline Point point_of(Square s, long long v, long long row, long long column)
{
    const Word number = drawn(s.key, v), mask = (1 << CELL_BITS) - 1;
    return Point{(long long)(column << CELL_BITS | (number & mask)),
                 (long long)(row << CELL_BITS | (number >> 32 & mask))};
}

// Number of neighbours of v, which are written in ascending order if there is a place for them.
__device__ inline int neighbours(Square s, long long v, int* indices)
{
    const long long cell = cell_of_vertex(s, v), row = cell / s.side, column = cell % s.side;
    const Point own = point_of(s, v, row, column);
    int count = 0;
    for (long long i = max(row - 1, 0ll); i <= min(row + 1, s.side - 1); ++i) {
        for (long long j = max(column - 1, 0ll); j <= min(column + 1, s.side - 1); ++j) {
            const long long end = vertex_of_cell(s, i * s.side + j + 1);
            for (long long u = vertex_of_cell(s, i * s.side + j); u < end; ++u) {
                const Point other = point_of(s, u, i, j);
                const long long dx = other.x - own.x, dy = other.y - own.y;
                if (u == v || (Word)(dx * dx + dy * dy) > s.radius2) continue;
                if (indices != nullptr) indices[count] = (int)u;
                ++count;
            }
        }
    }
    return count;
}

// Degrees of the vertices `first` to `last` - 1.
SIMT_KERNEL(rgg_count)
(long long n, long long side, Word radius2, Word key, long long first, long long last,
 long long* degrees)
{
    const Square s{n, side, radius2, key};
    for (long long v = first + thread_number(); v < last; v += thread_count())
        degrees[v - first] = neighbours(s, v, nullptr);
}

SIMT_EXPORT(rgg_count)

SIMT_KERNEL(rgg_fill)
(long long n, long long side, Word radius2, Word key, long long first, long long last,
 const long long* indptr, int* indices)
{
    const Square s{n, side, radius2, key};
    for (long long v = first + thread_number(); v < last; v += thread_count())
        neighbours(s, v, indices + indptr[v - first]);
}

SIMT_EXPORT(rgg_fill)

// Coordinates of the vertices `first` to `last` - 1 in the unit square, for drawings.
SIMT_KERNEL(rgg_points)
(long long n, long long side, Word key, long long first, long long last, double* places)
{
    const Square s{n, side, 0, key};
    const double width = (double)(s.side << CELL_BITS);
    for (long long v = first + thread_number(); v < last; v += thread_count()) {
        const long long cell = cell_of_vertex(s, v);
        const Point own = point_of(s, v, cell / side, cell % side);
        places[2 * (v - first)] = own.x / width;
        places[2 * (v - first) + 1] = own.y / width;
    }
}

SIMT_EXPORT(rgg_points)
