// Finds data races: two accesses to the same memory by different threads, at least one of them a
// write, not both synchronising (atomic, or through simt_load and simt_store), and with nothing
// between them that orders them.
//
// What orders accesses is what CUDA promises (CUDA C++ Programming Guide, "Warp Vote", "Warp
// Shuffle", "Synchronization Functions"): __syncwarp among the lanes of its mask, the barriers of
// a block for its threads, the barrier of the grid for all, and the end of a launch.  Shuffles and
// votes carry values but order no memory.  Fences and locks are not followed: data handed over
// under a flag has to be read through simt_load.
//
// Method: happens-before by epochs, as in Flanagan and Freund, "FastTrack", PLDI 2009, with vector
// clocks only inside a warp, where they are needed; four remembered accesses for every 8 bytes of
// memory, as in ThreadSanitizer (Serebryany and Iskhodzhanov, WBIA 2009).  So a race that is
// reported is one, whatever the schedule; one whose accesses lie far apart may be forgotten.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace simt::instrument {

// A thread of the launch, as far as ordering is concerned.
struct Thread {
    std::uint32_t block;          // number of the block in the grid
    std::uint32_t thread;         // in its block
    std::uint32_t block_slot;     // place of the block, and of the warp, in the worker
    std::uint32_t warp_slot;
};

// A pair of places in the code that raced; report.cpp hands it to Python.
struct Race {
    std::uint32_t first, second;              // sites, as found one after the other
    std::uint32_t first_block, first_thread;  // who was seen first
    std::uint32_t second_block, second_thread;
    std::uint64_t count;                      // accesses that raced
};

class RaceDetector {
public:
    void start(std::uint32_t blocks, std::uint32_t warps_per_block);

    void access(const Thread& who, std::uint64_t address, std::uint32_t size, std::uint32_t site,
                bool write, bool synchronising, bool shared);

    // A new block took a place: what another block did in that shared memory is gone.
    void block_started(std::uint32_t block_slot);
    void warp_synchronised(std::uint32_t warp_slot, std::uint32_t lanes);
    void block_synchronised(std::uint32_t block_slot) { ++block_epoch_[block_slot]; }
    void grid_synchronised() { ++grid_epoch_; }

    const std::vector<Race>& races() const { return races_; }

private:
    static constexpr int lanes = 32;
    static constexpr int cells = 4;
    static constexpr std::uint64_t page_words = 512;
    static constexpr std::size_t kept_pages = 4096;    // from launch to launch: some 230 MB

    struct Cell {
        std::uint32_t site, block, thread;
        std::uint32_t clock, block_epoch, grid_epoch;
        std::uint8_t bytes;                  // which of the word's 8 bytes; 0: empty
        bool write, synchronising;
    };
    struct Page {
        Cell cell[page_words][cells];
    };
    // When a lane last synchronised, and what it knows of the others.
    struct WarpClocks {
        std::uint32_t now[lanes];
        std::uint32_t seen[lanes][lanes];
    };

    void access_word(const Thread& who, std::uint64_t word, const Cell& mine, bool shared);
    bool ordered(const Cell& before, const Thread& who, const Cell& mine, bool shared) const;
    void report(const Cell& before, const Cell& mine);
    Cell* find(std::uint64_t word);

    // Epochs of the grid go on from launch to launch, so that what an earlier launch left in the
    // cells is known to be old and need not be cleared.
    std::uint32_t grid_epoch_ = 0, first_epoch_ = 0;
    std::uint32_t warps_per_block_ = 0, turn_ = 0;
    std::vector<std::uint32_t> block_epoch_;
    std::vector<WarpClocks> warps_;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
    // Pages used lately, found without the hash table.
    static constexpr std::size_t recent_pages = 64;
    struct Recent {
        std::uint64_t number;
        Page* page;
    };
    Recent recent_[recent_pages];
    std::vector<Race> races_;
};

}  // namespace simt::instrument
