#include "race.h"

#include <algorithm>

namespace simt::instrument {

static constexpr std::uint64_t word_bytes = 8;

void RaceDetector::start(std::uint32_t blocks, std::uint32_t warps_per_block)
{
    warps_per_block_ = warps_per_block;
    first_epoch_ = ++grid_epoch_;
    block_epoch_.assign(blocks, 0);
    warps_.assign(std::size_t(blocks) * warps_per_block, WarpClocks{});
    for (std::uint32_t block = 0; block < blocks; ++block) block_started(block);
    if (pages_.size() > kept_pages) pages_.clear();
    std::fill(recent_, recent_ + recent_pages, Recent{0, nullptr});
    races_.clear();
}

void RaceDetector::block_started(std::uint32_t block_slot)
{
    for (std::uint32_t w = 0; w < warps_per_block_; ++w) {
        WarpClocks& warp = warps_[block_slot * warps_per_block_ + w];
        warp = WarpClocks{};
        std::fill(warp.now, warp.now + lanes, 1u);
    }
}

// Each lane that met now knows everything that any of them knew, and their own accesses.
void RaceDetector::warp_synchronised(std::uint32_t warp_slot, std::uint32_t met)
{
    WarpClocks& warp = warps_[warp_slot];
    std::uint32_t joined[lanes] = {};
    for (int lane = 0; lane < lanes; ++lane) {
        if ((met >> lane & 1) == 0) continue;
        for (int k = 0; k < lanes; ++k) joined[k] = std::max(joined[k], warp.seen[lane][k]);
        joined[lane] = std::max(joined[lane], warp.now[lane]);
    }
    for (int lane = 0; lane < lanes; ++lane) {
        if ((met >> lane & 1) == 0) continue;
        std::copy(joined, joined + lanes, warp.seen[lane]);
        ++warp.now[lane];
    }
}

RaceDetector::Cell* RaceDetector::find(std::uint64_t word)
{
    const std::uint64_t number = word / page_words;
    Recent& recent = recent_[number % recent_pages];
    if (recent.page == nullptr || recent.number != number) {
        std::unique_ptr<Page>& page = pages_[number];
        if (!page) page.reset(new Page());
        recent = {number, page.get()};
    }
    return recent.page->cell[word % page_words];
}

void RaceDetector::access(const Thread& who, std::uint64_t address, std::uint32_t size,
                          std::uint32_t site, bool write, bool synchronising, bool shared)
{
    Cell mine{};
    mine.site = site;
    mine.block = who.block;
    mine.thread = who.thread;
    mine.clock = warps_[who.warp_slot].now[who.thread % lanes];
    mine.block_epoch = block_epoch_[who.block_slot];
    mine.grid_epoch = grid_epoch_;
    mine.write = write;
    mine.synchronising = synchronising;
    for (std::uint64_t left = size; left > 0;) {
        const std::uint64_t offset = address % word_bytes;
        const std::uint64_t part = std::min(left, word_bytes - offset);
        mine.bytes = std::uint8_t(((1u << part) - 1) << offset);
        access_word(who, address / word_bytes, mine, shared);
        address += part;
        left -= part;
    }
}

bool RaceDetector::ordered(const Cell& before, const Thread& who, const Cell& mine,
                           bool shared) const
{
    if (before.block != mine.block) return shared || before.grid_epoch != mine.grid_epoch;
    if (before.thread == mine.thread || before.block_epoch != mine.block_epoch) return true;
    if (before.thread / lanes != mine.thread / lanes) return false;
    const WarpClocks& warp = warps_[who.warp_slot];
    return warp.seen[mine.thread % lanes][before.thread % lanes] >= before.clock;
}

void RaceDetector::access_word(const Thread& who, std::uint64_t word, const Cell& mine, bool shared)
{
    Cell* const cell = find(word);
    Cell* place = nullptr;
    for (int i = 0; i < cells; ++i) {
        Cell& before = cell[i];
        if (before.bytes == 0 || before.grid_epoch < first_epoch_) {
            if (place == nullptr) place = &before;
            continue;
        }
        const bool is_ordered = ordered(before, who, mine, shared);
        const bool conflict = (before.bytes & mine.bytes) != 0 && (before.write || mine.write) &&
                              !(before.synchronising && mine.synchronising);
        if (conflict && !is_ordered) report(before, mine);
        // What comes later and races with `before` races with `mine` as well: it may be forgotten.
        const bool same_kind =
            before.write == mine.write && before.synchronising == mine.synchronising;
        const bool covers = (before.bytes & ~mine.bytes) == 0;
        if (is_ordered && covers && (same_kind || (mine.write && !mine.synchronising)))
            place = &before;
    }
    if (place == nullptr) place = &cell[turn_++ % cells];
    *place = mine;
}

void RaceDetector::report(const Cell& before, const Cell& mine)
{
    for (Race& race : races_) {
        if ((race.first == before.site && race.second == mine.site) ||
            (race.first == mine.site && race.second == before.site)) {
            ++race.count;
            return;
        }
    }
    races_.push_back(
        {before.site, mine.site, before.block, before.thread, mine.block, mine.thread, 1});
}

}  // namespace simt::instrument
