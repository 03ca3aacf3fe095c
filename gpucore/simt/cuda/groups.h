// Cooperative groups of a block, of the grid, and of tiles of a warp (cooperative_groups.h).
//
// Groups of the lanes that happen to run together are not there: the executor promises no
// convergence, so it cannot say which lanes those are.
#pragma once

#include "functions.h"
#include "words.h"

namespace cooperative_groups {

// Number of the calling thread in its block, and threads of the block.
inline unsigned rank_in_block()
{
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
inline unsigned threads_of_block() { return blockDim.x * blockDim.y * blockDim.z; }

class thread_block {
public:
    static void sync(SIMT_HERE) { __syncthreads(SIMT_AT); }
    static unsigned thread_rank() { return rank_in_block(); }
    static unsigned num_threads() { return threads_of_block(); }
    static unsigned size() { return threads_of_block(); }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_index() { return blockIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
};
inline thread_block this_thread_block() { return {}; }

// sync() needs a cooperative launch.
class grid_group {
public:
    static void sync(SIMT_HERE) { simt::grid_barrier(simt::Call::grid_sync, true, SIMT_AT); }
    static unsigned long long num_blocks()
    {
        return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank()
    {
        return blockIdx.x + gridDim.x * (blockIdx.y + (unsigned long long)gridDim.y * blockIdx.z);
    }
    static unsigned long long num_threads() { return num_blocks() * threads_of_block(); }
    static unsigned long long size() { return num_threads(); }
    static unsigned long long thread_rank()
    {
        return block_rank() * threads_of_block() + rank_in_block();
    }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 group_dim() { return gridDim; }
    static dim3 block_index() { return blockIdx; }
};
inline grid_group this_grid() { return {}; }

// A tile of `width` lanes, a power of two of at most 32.  The lanes of the warp that the block does
// not have are in no mask.
class tile_of_lanes {
public:
    explicit tile_of_lanes(unsigned width, unsigned parent)
        : width_(width), tiles_((parent + width - 1) / width)
    {
        const unsigned left = threads_of_block() - (rank_in_block() & ~31u);
        const unsigned whole = width == 32 ? ~0u : (1u << width) - 1;
        mask_ = whole << first() & (left < 32 ? (1u << left) - 1 : ~0u);
        tile_ = rank_in_block() % parent / width;
    }
    void sync(SIMT_HERE) const { __syncwarp(mask_, SIMT_AT); }
    unsigned thread_rank() const { return simt::current->id & (width_ - 1); }
    unsigned num_threads() const { return width_; }
    unsigned size() const { return width_; }
    unsigned meta_group_size() const { return tiles_; }
    unsigned meta_group_rank() const { return tile_; }

    int any(int predicate, SIMT_HERE) const { return __any_sync(mask_, predicate, SIMT_AT); }
    int all(int predicate, SIMT_HERE) const { return __all_sync(mask_, predicate, SIMT_AT); }
    unsigned ballot(int predicate, SIMT_HERE) const
    {
        return __ballot_sync(mask_, predicate, SIMT_AT) >> first();
    }
    template <class T> unsigned match_any(T value, SIMT_HERE) const
    {
        return __match_any_sync(mask_, value, SIMT_AT) >> first();
    }
    template <class T> unsigned match_all(T value, int& equal, SIMT_HERE) const
    {
        return __match_all_sync(mask_, value, &equal, SIMT_AT) >> first();
    }
#define SIMT_SHUFFLE(name, call, Distance)                                              \
    template <class T> T name(T value, Distance distance, SIMT_HERE) const              \
    {                                                                                   \
        return simt::by_words(value, [&](auto word) {                                   \
            return call(mask_, word, distance, int(width_), SIMT_AT);                   \
        });                                                                             \
    }
    SIMT_SHUFFLE(shfl, __shfl_sync, int)
    SIMT_SHUFFLE(shfl_up, __shfl_up_sync, unsigned)
    SIMT_SHUFFLE(shfl_down, __shfl_down_sync, unsigned)
    SIMT_SHUFFLE(shfl_xor, __shfl_xor_sync, int)
#undef SIMT_SHUFFLE

private:
    unsigned first() const { return simt::current->id & ~(width_ - 1); }

    unsigned mask_, width_, tiles_, tile_;
};

template <unsigned width, class Parent = void> class thread_block_tile : public tile_of_lanes {
    static_assert(width <= 32, "a tile of more than 32 threads cannot be watched");

public:
    explicit thread_block_tile(unsigned parent) : tile_of_lanes(width, parent) {}
    template <class P>   // the tile's parent may be left out in its type
    thread_block_tile(const thread_block_tile<width, P>& other) : tile_of_lanes(other) {}
    static constexpr unsigned num_threads() { return width; }
    static constexpr unsigned size() { return width; }
};

template <unsigned width, class Parent>
inline thread_block_tile<width, Parent> tiled_partition(const Parent& parent)
{
    return thread_block_tile<width, Parent>(unsigned(parent.size()));
}

// Any of these groups, for functions that take one and for tiles whose width is a variable.
class thread_group {
public:
    thread_group(thread_block) : whole_(true), tile_(32, threads_of_block()) {}
    thread_group(const tile_of_lanes& tile) : whole_(false), tile_(tile) {}
    void sync(SIMT_HERE) const { whole_ ? __syncthreads(SIMT_AT) : tile_.sync(SIMT_AT); }
    unsigned thread_rank() const { return whole_ ? rank_in_block() : tile_.thread_rank(); }
    unsigned num_threads() const { return whole_ ? threads_of_block() : tile_.size(); }
    unsigned size() const { return num_threads(); }

private:
    bool whole_;
    tile_of_lanes tile_;
};
inline thread_group tiled_partition(const thread_group& parent, unsigned width)
{
    return tile_of_lanes(width, parent.size());
}

template <class Group> inline void sync(const Group& group, SIMT_HERE) { group.sync(SIMT_AT); }
template <class Group> inline auto thread_rank(const Group& group) { return group.thread_rank(); }
template <class Group> inline auto group_size(const Group& group) { return group.size(); }

}  // namespace cooperative_groups
