// Random preference lists: the easy instances of F. Manne, M. Naim, H. Lerring and
// M. Halappanavar, "On stable marriages and greedy matchings", CSC 2016, section 4.
// Every man ranks a given number of different women, drawn at random; every woman ranks
// exactly the men that rank her, in random order. Random numbers depend on the seed, on whom they
// are for and on how many were drawn before, so that the instance is the same for any number of
// threads. Time is proportional to the pairs.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "common.h"
#include "team.h"

namespace cpu {

// What a call is given; `random_lists.py` has the same structure.
struct RandomListsTask {
    int num_men;
    int num_women;
    int threads;
    std::uint64_t seed;
    const long long* indptr;  // how long every man's list is to be
    int* women;
    int* her_rank;
    long long* start;  // room: one number for each woman and one more
    long long* pairs;  // room: one number for each pair
};

namespace {

using Task = RandomListsTask;
using Word = std::uint64_t;

// The finaliser of SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014).
Word scramble(Word value) {
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

constexpr Word kStep = 0x9e3779b97f4a7c15u;

// The random numbers of one person (or pair): a counter, scrambled.
class Draws {
public:
    Draws(Word seed, Word whose) : state_(scramble(scramble(seed + kStep) + whose * kStep)) {}
    Word next() { return scramble(state_ += kStep); }
    // One of 0 .. count - 1: the upper half of a product of 128 bits.
    int below(int count) {
        const auto product = static_cast<unsigned __int128>(next()) * static_cast<Word>(count);
        return static_cast<int>(product >> 64);
    }

private:
    Word state_;
};

// Draws lists of different women; one for each thread.
class Drawer {
public:
    explicit Drawer(int num_women) : num_women_(num_women) {}

    void draw(Draws draws, int* list, long long length) {
        if (length <= kShort && length <= num_women_ / 2)
            draw_again(draws, list, static_cast<int>(length));
        else
            shuffle(draws, list, static_cast<int>(length));
    }

private:
    static constexpr int kShort = 64;

    // Few of many: a woman that stands in the list already is drawn again.
    void draw_again(Draws& draws, int* list, int length) const {
        for (int k = 0; k < length;) {
            const int woman = draws.below(num_women_);
            if (std::find(list, list + k, woman) == list + k) list[k++] = woman;
        }
    }

    // The first steps of Fisher's and Yates's shuffle, which are taken back afterwards.
    void shuffle(Draws& draws, int* list, int length) {
        if (all_.empty()) {
            all_.resize(static_cast<std::size_t>(num_women_));
            std::iota(all_.begin(), all_.end(), 0);
        }
        swaps_.resize(static_cast<std::size_t>(length));
        for (int k = 0; k < length; ++k) {
            swaps_[k] = k + draws.below(num_women_ - k);
            std::swap(all_[k], all_[swaps_[k]]);
            list[k] = all_[k];
        }
        for (int k = length; k-- > 0;) std::swap(all_[k], all_[swaps_[k]]);
    }

    const int num_women_;
    std::vector<int> all_;
    std::vector<int> swaps_;
};

// How many pairs of each woman have been counted, or put in their place.
using Counts = std::vector<std::atomic<unsigned>>;

void draw_men(const Task& task, Chunks& men, Counts& filled) {
    Drawer drawer(task.num_women);
    for (int begin, end; men.take(&begin, &end);)
        for (int man = begin; man < end; ++man) {
            int* list = task.women + task.indptr[man];
            const long long length = task.indptr[man + 1] - task.indptr[man];
            drawer.draw(Draws(task.seed, static_cast<Word>(man)), list, length);
            for (long long k = 0; k < length; ++k)
                filled[list[k]].fetch_add(1, std::memory_order_relaxed);
        }
}

void open_places(const Task& task, Counts& filled) {
    long long next = 0;
    for (std::size_t woman = 0; woman < filled.size(); ++woman) {
        task.start[woman] = next;
        next += filled[woman].exchange(0, std::memory_order_relaxed);
    }
    task.start[filled.size()] = next;
}

void hand_over(const Task& task, Chunks& men, Counts& filled) {
    for (int begin, end; men.take(&begin, &end);)
        for (long long pair = task.indptr[begin]; pair < task.indptr[end]; ++pair) {
            const int woman = task.women[pair];
            const unsigned place = filled[woman].fetch_add(1, std::memory_order_relaxed);
            task.pairs[task.start[woman] + place] = pair;
        }
}

// The order in which a woman's pairs arrived depends on the threads, that of their keys does not.
void rank_men(const Task& task, Chunks& women) {
    std::vector<std::pair<Word, long long>> keyed;
    for (int begin, end; women.take(&begin, &end);)
        for (int woman = begin; woman < end; ++woman) {
            keyed.clear();
            for (long long e = task.start[woman]; e < task.start[woman + 1]; ++e) {
                const long long pair = task.pairs[e];
                keyed.emplace_back(Draws(~task.seed, static_cast<Word>(pair)).next(), pair);
            }
            std::sort(keyed.begin(), keyed.end());
            int rank = 0;
            for (const auto& [key, pair] : keyed) task.her_rank[pair] = ++rank;
        }
}

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_random_lists(const cpu::RandomListsTask* given) {
    using namespace cpu;
    return guarded([&] {
        const Task& task = *given;
        Counts filled(static_cast<std::size_t>(task.num_women));
        Chunks to_draw(task.num_men), to_hand(task.num_men), to_rank(task.num_women);
        Barrier barrier(task.threads);
        std::atomic<int> status{kDone};
        // A thread without memory says so, and none goes on; all of them come to the barriers.
        const auto attempt = [&](auto&& step) {
            if (status.load(std::memory_order_relaxed) != kDone) return;
            const int reached = guarded([&] { return step(), static_cast<int>(kDone); });
            if (reached != kDone) status.store(reached, std::memory_order_relaxed);
        };
        run_team(task.threads, [&](int) {
            attempt([&] { draw_men(task, to_draw, filled); });
            barrier.wait([&] { open_places(task, filled); });
            attempt([&] { hand_over(task, to_hand, filled); });
            barrier.wait([] {});
            attempt([&] { rank_men(task, to_rank); });
        });
        return status.load(std::memory_order_relaxed);
    });
}
