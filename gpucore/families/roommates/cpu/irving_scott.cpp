// Stable fixtures with incomplete lists: each person may have several mates, as many as `capacity`
// says. A stable solution, or the proof that there is none.
//
// R. W. Irving, S. Scott, "The stable fixtures problem - a many-to-many extension of stable
// roommates", Discrete Applied Mathematics 155 (2007). Odd parties, at which the paper stops, are
// kept as a proof; the search goes on without them, as Tan's does for roommates (P. Biró,
// T. Fleiner, "The integral stable allocation problem on graphs", Discrete Optimization 7 (2010)).
//
// As in irving.cpp, the lists are never changed. A pair is deleted when it stands behind the last
// remaining place in the list of either person. A person bids for all remaining persons up to a
// place of the list, so the state is two numbers a person, and both only move one way. Time and
// memory are linear in the lists, except for the walks that find rotations.

#include <algorithm>
#include <vector>

#include "common.h"

namespace cpu {

// The input, and the places of the results; `irving_scott.py` has the same structure.
struct FixturesTask {
    int n;
    const long long* indptr;
    const int* others;
    const int* ranks;     // place of the person in the list of the listed one, from 1
    const int* capacity;  // most mates of each person
    const int* cancel;
    unsigned char* bids;  // for each entry of a list: 1 for a bid that is left at the end
    int* successor;       // the next person of an odd party, or the person itself
    long long proposals;
    long long rotations;
    int parties;    // odd parties: not 0 if no solution is stable
    int undecided;  // persons with a choice left after the first phase
};

namespace {

constexpr int kPoll = 1024;

struct Stop {};

class Fixtures {
public:
    explicit Fixtures(FixturesTask& task)
        : task_(task),
          cancel_(task.cancel),
          bid_(task.n, 0),
          next_(task.n, 1),
          last_(task.n),
          on_walk_(task.n, kOff),
          in_rotation_(task.n, 0),
          in_party_(task.n, 0) {
        for (int p = 0; p < task.n; ++p) {
            last_[p] = task.capacity[p] > 0 ? length(p) : 0;
            task.successor[p] = p;
        }
    }

    void solve() {
        bid_all();
        for (int p = 0; p < task_.n; ++p) task_.undecided += has_choice(p);
        for (int p = 0; p < task_.n; ++p)
            while (!in_party_[p] && has_choice(p)) eliminate(find_rotation(p));
        for (int p = 0; p < task_.n; ++p)
            for (int place = 1; place <= length(p); ++place)
                task_.bids[task_.indptr[p] + place - 1] = place <= bid_[p] && standing(p, place);
    }

private:
    static constexpr int kOff = -1;

    int length(int p) const { return static_cast<int>(task_.indptr[p + 1] - task_.indptr[p]); }
    int other(int p, int place) const { return task_.others[task_.indptr[p] + place - 1]; }
    int rank_back(int p, int place) const { return task_.ranks[task_.indptr[p] + place - 1]; }
    int next(int p) const { return other(p, next_[p]); }
    int last(int p) const { return other(p, last_[p]); }
    bool standing(int p, int place) const {
        return place <= last_[p] && rank_back(p, place) <= last_[other(p, place)];
    }
    // Whether the person at this place bids for p.
    bool bidder(int p, int place) const {
        return standing(p, place) && rank_back(p, place) <= bid_[other(p, place)];
    }

    // Whether a person remains in the list behind those for whom p bids: the paper's long lists.
    bool has_choice(int p) {
        while (next_[p] <= last_[p] && !standing(p, next_[p])) ++next_[p];
        return next_[p] <= last_[p];
    }

    void take_next(int p) { bid_[p] = next_[p]++; }

    // The list of p ends with the worst bidder.
    void cut_behind_bidders(int p) {
        while (last_[p] > 0 && !bidder(p, last_[p])) --last_[p];
    }

    // Phase 1: each person bids down the list for as many as there is room. Who has more bidders
    // than room rejects the worst one, and from then on all who stand behind the bidders.
    void bid_all() {
        std::vector<int> made(task_.n, 0), got(task_.n, 0), worst(task_.n, 0), waiting;
        for (int p = 0; p < task_.n; ++p) {
            if (p % kPoll == 0) heed_cancel();
            for (waiting.push_back(p); !waiting.empty();) {
                const int q = waiting.back();
                if (made[q] == task_.capacity[q] || !has_choice(q)) {
                    waiting.pop_back();
                    continue;
                }
                const int to = next(q);
                worst[to] = std::max(worst[to], rank_back(q, next_[q]));
                take_next(q);
                ++made[q];
                ++task_.proposals;
                if (++got[to] < task_.capacity[to]) continue;
                if (got[to] == task_.capacity[to]) {
                    last_[to] = worst[to];
                    continue;
                }
                const int rejected = last(to);
                --last_[to];
                cut_behind_bidders(to);
                --got[to];
                --made[rejected];
                waiting.push_back(rejected);
            }
        }
    }

    // A walk that goes from a person to the last on the list of the next choice closes a cycle,
    // which is a rotation. The path that led to the cycle stays for the next search.
    std::vector<int> find_rotation(int start) {
        if (walk_.empty()) push(start);
        for (;;) {
            const int p = walk_.back();
            has_choice(p);
            const int to = last(next(p));
            if (on_walk_[to] == kOff) {
                push(to);
                continue;
            }
            std::vector<int> rotation(walk_.begin() + on_walk_[to], walk_.end());
            cut_walk(on_walk_[to]);
            return rotation;
        }
    }

    void push(int p) {
        on_walk_[p] = static_cast<int>(walk_.size());
        walk_.push_back(p);
        if (++steps_ % kPoll == 0) heed_cancel();
    }

    void cut_walk(int size) {
        while (static_cast<int>(walk_.size()) > size) {
            on_walk_[walk_.back()] = kOff;
            walk_.pop_back();
        }
    }

    // Each person of the rotation bids for the next choice, who rejects the worst bidder: the
    // person after this one in the rotation.
    void eliminate(const std::vector<int>& rotation) {
        if (is_party(rotation)) {
            for (const int p : rotation) {
                in_party_[p] = 1;
                task_.successor[next(p)] = p;
            }
            ++task_.parties;
            return;
        }
        ++task_.rotations;
        std::vector<int> chosen;
        for (const int p : rotation) chosen.push_back(next(p));
        for (const int q : chosen) --last_[q];
        for (const int p : rotation) take_next(p);
        for (const int q : chosen) cut_behind_bidders(q);
        // The rest of the walk stays valid up to the first person without a choice: one whose list
        // was just cut, or the one at its end.
        for (const int q : chosen) {
            const int at = on_walk_[q];
            if (at != kOff && !has_choice(q)) cut_walk(at);
        }
        while (!walk_.empty() && !has_choice(walk_.back()))
            cut_walk(static_cast<int>(walk_.size()) - 1);
    }

    // A list would become too short only where each person of the rotation has a single choice
    // left, which is the last of the list and of the rotation too.
    bool is_party(const std::vector<int>& rotation) {
        for (const int p : rotation) in_rotation_[p] = 1;
        bool closed = true;
        for (const int p : rotation) closed &= next_[p] == last_[p] && in_rotation_[next(p)];
        for (const int p : rotation) in_rotation_[p] = 0;
        return closed;
    }

    void heed_cancel() const {
        if (cancel_.raised()) throw Stop{};
    }

    FixturesTask& task_;
    const CancelFlag cancel_;
    // Places from 1: the last bid, the next choice, and the last remaining one.
    std::vector<int> bid_;
    std::vector<int> next_;
    std::vector<int> last_;
    std::vector<int> walk_;
    std::vector<int> on_walk_;
    std::vector<char> in_rotation_;
    std::vector<char> in_party_;
    unsigned steps_ = 0;
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_irving_scott(cpu::FixturesTask* task) {
    return cpu::guarded([&]() -> int {
        task->proposals = task->rotations = 0;
        task->parties = task->undecided = 0;
        try {
            cpu::Fixtures(*task).solve();
        } catch (const cpu::Stop&) {
            return cpu::kCancelled;
        }
        return cpu::kDone;
    });
}
