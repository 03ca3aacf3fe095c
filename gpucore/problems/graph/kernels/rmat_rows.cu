// R-MAT edges, each a hash of its number: count the entries of every row, then write those of some
// rows.
//
// Source: Chakrabarti, Zhan, Faloutsos, "R-MAT: a recursive model for graph mining", SIAM Data
// Mining 2004, section 3.  An edge descends `scale` levels of quadrants; a level takes 32 random
// bits, which are compared with the sums of the quadrants' probabilities in units of 2^-32.
#include "simt.h"

#include "drawn_rows.cuh"

#define LEVELS 16               // pairs of levels that an edge may have, a power of two

struct Quadrants {
    Word a, ab, abc;
};

struct RmatDraw {
    Word key;
    int scale;
    Quadrants q;
    Numbering by;

    __device__ inline Ends operator()(Word edge) const
    {
        unsigned row = 0, column = 0;
        for (int level = 0; level < scale; level += 2) {
            Word bits = drawn(key, edge * LEVELS + level / 2);
            for (int half = level; half < min(level + 2, scale); ++half, bits >>= 32) {
                const Word number = bits & 0xffffffffu;
                const bool down = number >= q.ab;
                row = 2 * row + down;
                column = 2 * column + (number >= (down ? q.abc : q.a));
            }
        }
        return {renumbered(row, by), renumbered(column, by)};
    }
};

SIMT_KERNEL(rmat_count)
(long long begin, long long end, int scale, Word a, Word ab, Word abc, Word key, Word* counts)
{
    count_entries(RmatDraw{key, scale, {a, ab, abc}, numbering(scale, ~key)}, begin, end, counts);
}

SIMT_EXPORT(rmat_count)

SIMT_KERNEL(rmat_fill)
(long long begin, long long end, int scale, Word a, Word ab, Word abc, Word key, int first,
 int last, Word* places, int* indices)
{
    fill_entries(RmatDraw{key, scale, {a, ab, abc}, numbering(scale, ~key)}, begin, end, first, last,
                 places, indices);
}

SIMT_EXPORT(rmat_fill)
