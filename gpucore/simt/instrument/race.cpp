#include "race.h"

#include <algorithm>
#include <cstring>

namespace simt::instrument {

static constexpr std::uint64_t word_bytes = 8;
// Most bytes of an access whose value is looked at.
static constexpr std::uint32_t valued_bytes = 16;

void RaceDetector::start(std::uint32_t blocks, std::uint32_t warps_per_block)
{
    order.start(blocks, warps_per_block);
    if (pages_.size() > kept_pages) pages_.clear();
    std::fill(recent_, recent_ + recent_pages, Recent{0, nullptr});
    races_.clear();
    forget_write();
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

void RaceDetector::access(const Thread& who, std::uint64_t address, const Access& access,
                          bool shared)
{
    const bool is_flag = access.strength != Strength::plain;
    Cell mine{};
    mine.released = is_flag && access.write && order.just_fenced(who);
    if (is_flag && (!access.write || access.read_too)) order.flag_read(who, address);
    mine.moment = order.now(who);
    mine.site = access.site;
    mine.write = access.write;
    mine.strength = access.strength;
    const std::uint64_t begin = address;
    for (std::uint64_t left = access.size; left > 0;) {
        const std::uint64_t offset = address % word_bytes;
        const std::uint64_t part = std::min(left, word_bytes - offset);
        mine.bytes = std::uint8_t(((1u << part) - 1) << offset);
        access_word(who, address / word_bytes, mine, shared);
        address += part;
        left -= part;
    }
    if (access.size > valued_bytes) forget_write();
    if (is_flag && access.write) order.flag_written(who, begin, access.read_too);
    order.acted(who);
}

bool RaceDetector::conflict(const Cell& before, const Cell& mine) const
{
    if ((before.bytes & mine.bytes) == 0 || !(before.write || mine.write)) return false;
    if (before.strength == Strength::plain || mine.strength == Strength::plain) return true;
    if (before.strength == Strength::atomic || mine.strength == Strength::atomic) return false;
    return !(before.write ? before.released : mine.released);
}

static std::uint64_t value_of(std::uint64_t word)
{
    std::uint64_t value;
    std::memcpy(&value, reinterpret_cast<const void*>(word * word_bytes), word_bytes);
    return value;
}

void RaceDetector::access_word(const Thread& who, std::uint64_t word, const Cell& mine, bool shared)
{
    Cell* const cell = find(word);
    Cell* place = nullptr;
    for (int i = 0; i < cells; ++i) {
        Cell& before = cell[i];
        if (before.bytes == 0 || order.is_old(before.moment)) {
            if (place == nullptr) place = &before;
            continue;
        }
        const bool atomic = before.strength != Strength::plain;
        const bool is_ordered = order.ordered(before.moment, atomic, who, shared);
        if (!is_ordered && conflict(before, mine)) {
            const std::size_t race = report(before, mine);
            const bool stores = before.write && mine.write && before.strength != Strength::atomic &&
                                mine.strength != Strength::atomic;
            const std::uint64_t common = before.bytes & mine.bytes;
            if (stores) rivals_.push_back({word, before.value, common, race});
        }
        // What comes later and races with `before` races with `mine` as well: it may be forgotten.
        const bool same_kind = before.write == mine.write && before.strength == mine.strength;
        const bool covers = (before.bytes & ~mine.bytes) == 0;
        if (is_ordered && covers && (same_kind || (mine.write && mine.strength == Strength::plain)))
            place = &before;
    }
    if (place == nullptr) place = &cell[turn_++ % cells];
    *place = mine;
    if (mine.write) written_.push_back({place, word, value_of(word)});
}

static std::uint64_t byte_mask(std::uint64_t bytes)
{
    std::uint64_t mask = 0;
    for (int i = 0; i < 8; ++i)
        if (bytes >> i & 1) mask |= std::uint64_t(0xff) << (8 * i);
    return mask;
}

bool RaceDetector::settle()
{
    if (written_.empty()) return false;
    bool changed = false;
    for (const Written& written : written_) {
        written.cell->value = value_of(written.word);
        changed |= written.cell->value != written.before;
    }
    for (const Rival& rival : rivals_)
        if (((value_of(rival.word) ^ rival.value) & byte_mask(rival.mask)) == 0)
            ++races_[rival.race].same;
    forget_write();
    return changed;
}

std::size_t RaceDetector::report(const Cell& before, const Cell& mine)
{
    for (Race& race : races_) {
        if ((race.first == before.site && race.second == mine.site) ||
            (race.first == mine.site && race.second == before.site)) {
            ++race.count;
            return std::size_t(&race - races_.data());
        }
    }
    races_.push_back({before.site, mine.site, before.moment.block, before.moment.thread,
                      mine.moment.block, mine.moment.thread, 1, 0});
    return races_.size() - 1;
}

}  // namespace simt::instrument
