// Edges of a graph with planted communities of equal size, each a hash of its number: the first
// `inside` ones have both ends in one community, the others are between any two vertices.
//
// Source: Condon, Karp, "Algorithms for graph partitioning on the planted partition model", Random
// Structures & Algorithms 18 (2001), with edges drawn instead of a coin toss for every pair.
#include "simt.h"

#include "drawn_rows.cuh"

struct PlantedDraw {
    Word key;
    long long inside;           // edges inside communities
    unsigned n, size;           // vertices, of the graph and of a community
    bool shuffle;
    Numbering by;

    // A number below `limit` from the upper or lower half of a word.
    __device__ static inline unsigned below(Word bits, unsigned limit)
    {
        return (unsigned)((bits & 0xffffffffu) * limit >> 32);
    }

    __device__ inline Ends operator()(Word edge) const
    {
        const Word bits = drawn(key, edge);
        unsigned u = below(bits, n), v;
        if ((long long)edge < inside) v = u / size * size + below(bits >> 32, size);
        else v = below(bits >> 32, n);
        if (!shuffle) return {(int)u, (int)v};
        return {renumbered_below(u, by, n), renumbered_below(v, by, n)};
    }
};

SIMT_KERNEL(planted_count)
(long long begin, long long end, long long inside, int n, int size, int shuffle, int bits, Word key,
 Word* counts)
{
    count_entries(PlantedDraw{key, inside, (unsigned)n, (unsigned)size, shuffle != 0,
                              numbering(bits, ~key)}, begin, end, counts);
}

SIMT_EXPORT(planted_count)

SIMT_KERNEL(planted_fill)
(long long begin, long long end, long long inside, int n, int size, int shuffle, int bits, Word key,
 int first, int last, Word* places, int* indices)
{
    fill_entries(PlantedDraw{key, inside, (unsigned)n, (unsigned)size, shuffle != 0,
                             numbering(bits, ~key)}, begin, end, first, last, places, indices);
}

SIMT_EXPORT(planted_fill)
