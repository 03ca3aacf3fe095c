// Hopcroft and Karp's algorithm on several threads, "P-HK" in Azad and others, IPDPS 2012.
//
// In a phase all threads search in breadth together, level by level, up to the first level with an
// unmatched row. Then each searches in depth, from level to level, from the unmatched columns that
// it takes; they find a maximal set of disjoint shortest paths, as hopcroft_karp.cpp does.

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include "bipartite_team.h"

namespace cpu {
namespace {

constexpr int kNowhere = 0;

// Columns that one thread reached and has not yet put into the next level.
struct Reached {
    static constexpr int kRoom = 256;
    int columns[kRoom];
    int count = 0;
};

class SharedShortestPaths {
public:
    explicit SharedShortestPaths(SearchTeam& team)
        : team_(team),
          level_(static_cast<std::size_t>(team.num_rows()), kNowhere),
          queue_(static_cast<std::size_t>(team.columns().size)),
          chunks_(0) {}

    // One thread, before a phase.
    void prepare() {
        base_ += depth_;
        if (base_ >= std::numeric_limits<int>::max() / 2) {
            std::fill(level_.begin(), level_.end(), kNowhere);
            base_ = 0;
        }
        const std::vector<int>& roots = team_.unmatched();
        std::copy(roots.begin(), roots.end(), queue_.begin());
        begin_ = 0;
        tail_.store(static_cast<int>(roots.size()), std::memory_order_relaxed);
        reached_.store(false, std::memory_order_relaxed);
        depth_ = 0;
        team_.begin_phase(0);
        begin_level();
    }

    void run(Member& member) {
        do {
            member.notes().begin(team_.step());
            spread(member);
        } while (team_.meet([&] { end_level(); }) && spreading_);
        member.notes().begin(team_.step());
        if (reached_.load(std::memory_order_relaxed)) descend(member);
    }

private:
    // The columns of a level are queue_[begin_ .. tail_).
    void begin_level() {
        ++depth_;
        size_ = tail_.load(std::memory_order_relaxed) - begin_;
        chunks_.reset(size_);
        spreading_ = size_ > 0;
    }

    void end_level() {
        team_.level_searched();
        begin_ += size_;
        if (reached_.load(std::memory_order_relaxed)) {
            spreading_ = false;
            team_.begin_step(kNoLevel, kAlternate);
            return;
        }
        begin_level();
        if (spreading_) team_.begin_step(depth_ - 1, kTopDown);
    }

    // Take columns of this level and reach those behind their rows, up to the first unmatched row.
    void spread(Member& member) {
        Reached mine;
        int begin, end;
        while (!reached_.load(std::memory_order_relaxed) && chunks_.take(&begin, &end))
            for (int i = begin; i < end; ++i) spread_from(queue_[begin_ + i], mine, member);
        append(mine);
    }

    void spread_from(int column, Reached& mine, Member& member) {
        const int* const list = team_.columns().list(column);
        const int degree = team_.columns().degree(column);
        member.count(degree);
        member.notes().expanded();
        for (int i = 0; i < degree; ++i) {
            const int row = list[i];
            if (__atomic_load_n(&level_[row], __ATOMIC_RELAXED) > base_) continue;
            const int mate = team_.mate_of_row(row);
            if (mate == kUnmatched) {
                reached_.store(true, std::memory_order_relaxed);
                return;
            }
            if (__atomic_exchange_n(&level_[row], base_ + depth_, __ATOMIC_RELAXED) > base_)
                continue;
            mine.columns[mine.count++] = mate;
            member.notes().reached(column, row, mate, depth_);
            if (mine.count == Reached::kRoom) append(mine);
        }
    }

    // Put columns that a thread reached into the next level.
    void append(Reached& mine) {
        const int place = tail_.fetch_add(mine.count, std::memory_order_relaxed);
        std::copy_n(mine.columns, mine.count, queue_.begin() + place);
        mine.count = 0;
    }

    void descend(Member& member) {
        DepthSearch<Member> search(member, team_.columns());
        const auto follow = [&](int row, int length) -> int {
            if (length == depth_) return claim_end(row) ? kArrived : kDeadEnd;
            return claim(row, length) ? team_.mate_of_row(row) : kDeadEnd;
        };
        team_.from_roots([&](int column) {
            if (search.find(column, look_nowhere, follow)) team_.walk(search.path(), member);
        });
    }

    // A search that takes a row clears its level: whether the row is on a path or a dead end, no
    // other path of this phase can use it.
    bool claim(int row, int level) {
        return __atomic_load_n(&level_[row], __ATOMIC_RELAXED) == base_ + level &&
               __atomic_exchange_n(&level_[row], kNowhere, __ATOMIC_RELAXED) == base_ + level;
    }

    // An unmatched row has no level, until a search ends there.
    bool claim_end(int row) {
        return team_.mate_of_row(row) == kUnmatched &&
               __atomic_exchange_n(&level_[row], base_ + depth_, __ATOMIC_RELAXED) <= base_;
    }

    SearchTeam& team_;
    std::vector<int> level_;  // of every row, above base_; another number if not reached
    std::vector<int> queue_;  // the columns reached, level by level
    Chunks chunks_;           // of the columns of this level
    std::atomic<int> tail_{0};
    std::atomic<bool> reached_{false};  // whether this level has an unmatched row
    int begin_ = 0;
    int size_ = 0;
    int base_ = 0;   // what earlier phases left in level_ is not above it
    int depth_ = 0;  // number of this level, then of that with an unmatched row
    bool spreading_ = false;
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_hopcroft_karp_omp(const cpu::BipartiteTask* task) {
    return cpu::run_bipartite(*task, [](cpu::Matcher& matcher) {
        cpu::SearchTeam team(matcher);
        cpu::SharedShortestPaths shortest(team);
        team.repeat([&](cpu::Member& member) { shortest.run(member); },
                    [&] { shortest.prepare(); });
    });
}
