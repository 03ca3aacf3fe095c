// Stable roommates with incomplete lists: a stable matching, or the proof that there is none.
//
// R. W. Irving, "An efficient algorithm for the stable roommates problem", J. Algorithms 6 (1985);
// odd parties as in J. J. M. Tan, "A necessary and sufficient condition for the existence of a
// complete stable matching", J. Algorithms 12 (1991).
//
// The lists are never changed. A pair is deleted when it stands behind the last remaining place in
// the list of either person, so the state is one number a person, and the first and the second
// place of a list only move forward. Time and memory are linear in the lists, except for the walks
// that find rotations.

#include <algorithm>
#include <utility>
#include <vector>

#include "common.h"

namespace cpu {

// The input, and the places of the results; `irving.py` has the same structure.
struct IrvingTask {
    int n;
    const long long* indptr;
    const int* others;
    const int* ranks;  // place of the person in the list of the listed one, from 1
    const int* cancel;
    int* successor;  // a stable partition: its cycles are pairs, singles and odd parties
    long long proposals;
    long long rotations;
    int parties;    // odd cycles of at least three: not 0 if no matching is stable
    int undecided;  // persons with a choice left after the first phase
};

namespace {

constexpr int kPoll = 1024;

struct Stop {};

class Table {
public:
    explicit Table(IrvingTask& task)
        : task_(task),
          cancel_(task.cancel),
          first_(task.n, 1),
          second_(task.n, 0),
          last_(task.n),
          on_walk_(task.n, kOff),
          in_party_(task.n, 0) {
        for (int p = 0; p < task.n; ++p) last_[p] = length(p);
    }

    void solve() {
        propose();
        for (int p = 0; p < task_.n; ++p)
            if (first_[p] <= length(p)) second_[p] = first_[p] + 1;
        for (int p = 0; p < task_.n; ++p) task_.undecided += has_choice(p);
        for (int p = 0; p < task_.n; ++p)
            while (!in_party_[p] && has_choice(p)) eliminate(find_rotation(p));
        for (int p = 0; p < task_.n; ++p) task_.successor[p] = single(p) ? p : first(p);
    }

private:
    static constexpr int kOff = -1;

    int length(int p) const { return static_cast<int>(task_.indptr[p + 1] - task_.indptr[p]); }
    int other(int p, int place) const { return task_.others[task_.indptr[p] + place - 1]; }
    int rank_back(int p, int place) const { return task_.ranks[task_.indptr[p] + place - 1]; }
    int first(int p) const { return other(p, first_[p]); }
    int second(int p) const { return other(p, second_[p]); }
    int last(int p) const { return other(p, last_[p]); }
    bool single(int p) const { return first_[p] > length(p); }
    bool standing(int p, int place) const {
        return rank_back(p, place) <= last_[other(p, place)];
    }

    // Phase 1: each person proposes down the list until a proposal is held; the holder deletes all
    // that stand behind. Each remaining person then holds one proposal, from the last of the list,
    // and has one proposal held by the first.
    void propose() {
        std::vector<int> held_from(task_.n, kOff);
        for (int p = 0; p < task_.n; ++p) {
            if (p % kPoll == 0) heed_cancel();
            for (int proposer = p; proposer != kOff;) proposer = propose(proposer, held_from);
        }
    }

    // Returns the person whom it displaces, if any.
    int propose(int p, std::vector<int>& held_from) {
        while (first_[p] <= length(p) && !standing(p, first_[p])) ++first_[p];
        if (single(p)) return kOff;
        ++task_.proposals;
        const int to = first(p);
        last_[to] = rank_back(p, first_[p]);
        return std::exchange(held_from[to], p);
    }

    // Phase 2 needs a second choice.
    bool has_choice(int p) {
        if (single(p)) return false;
        while (second_[p] <= last_[p] && !standing(p, second_[p])) ++second_[p];
        return second_[p] <= last_[p];
    }

    // A walk that goes from a person to the last on the list of the second choice closes a cycle,
    // which is a rotation. The path that led to the cycle stays for the next search.
    std::vector<int> find_rotation(int start) {
        if (walk_.empty()) push(start);
        for (;;) {
            const int p = walk_.back();
            has_choice(p);
            const int next = last(second(p));
            if (on_walk_[next] == kOff) {
                push(next);
                continue;
            }
            std::vector<int> rotation(walk_.begin() + on_walk_[next], walk_.end());
            cut_walk(on_walk_[next]);
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

    // Each person of the rotation goes to the second choice, who deletes all that stand behind.
    // Lists would become empty only where each person of the rotation has just two others, of the
    // rotation too: an odd party, so no matching is stable.
    void eliminate(const std::vector<int>& rotation) {
        if (is_party(rotation)) {
            for (const int p : rotation) in_party_[p] = 1;
            ++task_.parties;
            return;
        }
        ++task_.rotations;
        for (const int p : rotation) {
            last_[second(p)] = rank_back(p, second_[p]);
            first_[p] = second_[p]++;
        }
        // The rest of the walk stays valid up to the first person without a choice: one whose list
        // was just cut, or the one at its end.
        for (const int p : rotation) {
            const int at = on_walk_[first(p)];
            if (at != kOff && !has_choice(first(p))) cut_walk(at);
        }
        while (!walk_.empty() && !has_choice(walk_.back()))
            cut_walk(static_cast<int>(walk_.size()) - 1);
    }

    bool is_party(const std::vector<int>& rotation) {
        for (const int p : rotation) in_party_[p] = 1;
        const bool closed = std::all_of(rotation.begin(), rotation.end(), [&](int p) {
            return second_[p] == last_[p] && in_party_[first(p)] && in_party_[second(p)];
        });
        for (const int p : rotation) in_party_[p] = 0;
        return closed;
    }

    void heed_cancel() const {
        if (cancel_.raised()) throw Stop{};
    }

    IrvingTask& task_;
    const CancelFlag cancel_;
    // Places from 1. Everything before the first and behind the last place is deleted.
    std::vector<int> first_;
    std::vector<int> second_;
    std::vector<int> last_;
    std::vector<int> walk_;
    std::vector<int> on_walk_;
    std::vector<char> in_party_;
    unsigned steps_ = 0;
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_irving(cpu::IrvingTask* task) {
    return cpu::guarded([&]() -> int {
        task->proposals = task->rotations = 0;
        task->parties = task->undecided = 0;
        try {
            cpu::Table(*task).solve();
        } catch (const cpu::Stop&) {
            return cpu::kCancelled;
        }
        return cpu::kDone;
    });
}
