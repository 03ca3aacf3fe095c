// Finds data races: two accesses to the same memory by different threads, at least one of them a
// write, and with nothing between them that orders them (order.h).
//
// Atomic functions, simt_load and simt_store do not race with each other, nor with volatile accesses.
// Two volatile accesses race, unless the one that writes follows a fence: volatile makes each access
// happen, but gives no order, and warps have not run in lockstep since Volta.  Stores that all write
// the same value are counted apart: formally a race, but no GPU shows it.
//
// Four accesses are remembered for every 8 bytes, as in ThreadSanitizer (Serebryany and Iskhodzhanov,
// WBIA 2009).  So a race that is reported is one, whatever the schedule; one whose accesses lie far
// apart may be forgotten.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "order.h"

namespace simt::instrument {

// How an access is made; of the same strength where both are.
enum class Strength : std::uint8_t { plain, through_volatile, atomic };

struct Access {
    std::uint32_t site, size;
    bool write;
    bool read_too;            // an atomic function, which keeps what others released
    Strength strength;
};

// A pair of places in the code that raced; report.cpp hands it to Python.
struct Race {
    std::uint32_t first, second;              // sites, as found one after the other
    std::uint32_t first_block, first_thread;  // who was seen first
    std::uint32_t second_block, second_thread;
    std::uint64_t count;                      // accesses that raced
    std::uint64_t same;                       // of these, stores of the value that was there
};

class RaceDetector {
public:
    void start(std::uint32_t blocks, std::uint32_t warps_per_block);
    void access(const Thread& who, std::uint64_t address, const Access& access, bool shared);
    // The last write has happened: looks at its value.  To be called before anything else is.  Returns
    // whether it changed the memory.
    bool settle();
    // The launch ended in the middle of an access.
    void forget_write()
    {
        written_.clear();
        rivals_.clear();
    }

    Order order;
    const std::vector<Race>& races() const { return races_; }

private:
    static constexpr int cells = 4;
    static constexpr std::uint64_t page_words = 512;
    static constexpr std::size_t kept_pages = 4096;    // from launch to launch: some 400 MB

    struct Cell {
        Moment moment;
        std::uint32_t site;
        std::uint8_t bytes;                  // which of the word's 8 bytes; 0: empty
        bool write, released;
        Strength strength;
        std::uint64_t value;                 // of the word after a write
    };
    struct Page {
        Cell cell[page_words][cells];
    };
    // A word that was written, until its value is known.
    struct Written {
        Cell* cell;
        std::uint64_t word, before;
    };
    // An earlier store to it that raced.
    struct Rival {
        std::uint64_t word, value, mask;
        std::size_t race;
    };

    void access_word(const Thread& who, std::uint64_t word, const Cell& mine, bool shared);
    bool conflict(const Cell& before, const Cell& mine) const;
    std::size_t report(const Cell& before, const Cell& mine);
    Cell* find(std::uint64_t word);

    std::uint32_t turn_ = 0;
    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
    // Pages used lately, found without the hash table.
    static constexpr std::size_t recent_pages = 64;
    struct Recent {
        std::uint64_t number;
        Page* page;
    };
    Recent recent_[recent_pages];
    std::vector<Race> races_;
    std::vector<Written> written_;
    std::vector<Rival> rivals_;
};

}  // namespace simt::instrument
