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

// Groups of consecutive women. Their pairs are written group by group first, and a group is small
// enough for a cache, where its pairs are then sorted by woman. Going to each woman's own place at
// once would be an access to other memory for every pair.
class Groups {
public:
    Groups(int num_women, long long num_pairs) {
        const long long wanted = std::clamp(num_pairs / kPairs, 1LL, kMost);
        while ((2LL << bits_) * wanted <= num_women) ++bits_;
        count_ = static_cast<int>((num_women + (1LL << bits_) - 1) >> bits_);
    }

    int count() const { return count_; }
    int size() const { return 1 << bits_; }
    int of(int woman) const { return woman >> bits_; }
    // A pair and its woman's number in her group, as one number.
    long long with_woman(long long pair, int woman) const {
        return pair << bits_ | (woman & (size() - 1));
    }
    long long pair(long long both) const { return both >> bits_; }
    int woman(long long both) const { return static_cast<int>(both) & (size() - 1); }

private:
    static constexpr long long kPairs = 1 << 17, kMost = 1 << 12;
    int bits_ = 0;
    int count_ = 0;
};

// What the threads share: each has a range of men, and in every group room for their pairs.
class Hall {
public:
    explicit Hall(const Task& task)
        : task_(task),
          groups_(task.num_women, task.indptr[task.num_men]),
          places_(task.threads, std::vector<long long>(groups_.count())),
          start_(groups_.count() + 1) {}

    void draw(int rank) {
        Drawer drawer(task_.num_women);
        auto& counted = places_[rank];
        for (int man = first_man(rank); man < first_man(rank + 1); ++man) {
            int* list = task_.women + task_.indptr[man];
            const long long length = task_.indptr[man + 1] - task_.indptr[man];
            drawer.draw(Draws(task_.seed, static_cast<Word>(man)), list, length);
            for (long long k = 0; k < length; ++k) ++counted[groups_.of(list[k])];
        }
    }

    // Counts become the first places.
    void open_places() {
        long long next = 0;
        for (int group = 0; group < groups_.count(); ++group) {
            start_[group] = next;
            for (auto& places : places_) next += std::exchange(places[group], next);
        }
        start_.back() = next;
    }

    void hand_over(int rank) {
        auto& next = places_[rank];
        const long long end = task_.indptr[first_man(rank + 1)];
        for (long long pair = task_.indptr[first_man(rank)]; pair < end; ++pair) {
            const int woman = task_.women[pair];
            task_.pairs[next[groups_.of(woman)]++] = groups_.with_woman(pair, woman);
        }
    }

    void rank_men() {
        std::vector<long long> begin(groups_.size() + 1), next, sorted;
        std::vector<Keyed> keyed;
        for (int group; (group = taken_.fetch_add(1, std::memory_order_relaxed)) < groups_.count();) {
            const long long* const pairs = task_.pairs + start_[group];
            const long long count = start_[group + 1] - start_[group];
            std::fill(begin.begin(), begin.end(), 0);
            for (long long e = 0; e < count; ++e) ++begin[groups_.woman(pairs[e]) + 1];
            std::partial_sum(begin.begin(), begin.end(), begin.begin());
            next.assign(begin.begin(), begin.end() - 1);
            sorted.resize(static_cast<std::size_t>(count));
            for (long long e = 0; e < count; ++e)
                sorted[next[groups_.woman(pairs[e])]++] = groups_.pair(pairs[e]);
            for (int woman = 0; woman < groups_.size(); ++woman)
                rank_hers(sorted.data() + begin[woman], sorted.data() + begin[woman + 1], keyed);
        }
    }

private:
    using Keyed = std::pair<Word, long long>;

    // The ranges have about as many pairs each.
    int first_man(int rank) const {
        const long long* const end = task_.indptr + task_.num_men;
        if (rank == task_.threads) return task_.num_men;
        const long long pair = *end / task_.threads * rank;
        return static_cast<int>(std::lower_bound(task_.indptr, end, pair) - task_.indptr);
    }

    // The order in which a woman's pairs arrived depends on the threads, that of their keys does
    // not.
    void rank_hers(const long long* pair, const long long* end, std::vector<Keyed>& keyed) const {
        keyed.clear();
        for (; pair < end; ++pair)
            keyed.emplace_back(Draws(~task_.seed, static_cast<Word>(*pair)).next(), *pair);
        std::sort(keyed.begin(), keyed.end());
        int rank = 0;
        for (const auto& [key, own] : keyed) task_.her_rank[own] = ++rank;
    }

    const Task& task_;
    const Groups groups_;
    std::vector<std::vector<long long>> places_;
    std::vector<long long> start_;
    std::atomic<int> taken_{0};
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_random_lists(const cpu::RandomListsTask* given) {
    using namespace cpu;
    return guarded([&] {
        const Task& task = *given;
        Hall hall(task);
        Barrier barrier(task.threads);
        std::atomic<int> status{kDone};
        // A thread without memory says so, and none goes on; all of them come to the barriers.
        const auto attempt = [&](auto&& step) {
            if (status.load(std::memory_order_relaxed) != kDone) return;
            const int reached = guarded([&] { return step(), static_cast<int>(kDone); });
            if (reached != kDone) status.store(reached, std::memory_order_relaxed);
        };
        run_team(task.threads, [&](int rank) {
            attempt([&] { hall.draw(rank); });
            barrier.wait([&] { hall.open_places(); });
            attempt([&] { hall.hand_over(rank); });
            barrier.wait([] {});
            attempt([&] { hall.rank_men(); });
        });
        return status.load(std::memory_order_relaxed);
    });
}
