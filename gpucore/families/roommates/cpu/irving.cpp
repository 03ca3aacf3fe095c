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

#include "roommates.h"
#include "walk.h"

namespace cpu {

// The input, and the places of the results; `methods.py` has the same structure.
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
    const Recording* recording;  // null: nothing is recorded
};

namespace {

template <class Log>
class Table {
public:
    Table(IrvingTask& task, Log log)
        : task_(task),
          tale_(log),
          walk_(task.n, task.cancel),
          first_(task.n, 1),
          second_(task.n, 0),
          last_(task.n),
          in_party_(task.n, 0) {
        for (int p = 0; p < task.n; ++p) last_[p] = length(p);
    }

    void solve() {
        tale_.begin(0);
        propose();
        for (int p = 0; p < task_.n; ++p)
            if (first_[p] <= length(p)) second_[p] = first_[p] + 1;
        for (int p = 0; p < task_.n; ++p) task_.undecided += has_choice(p);
        for (int p = 0; p < task_.n; ++p)
            while (!in_party_[p] && has_choice(p)) eliminate(find_rotation(p));
        for (int p = 0; p < task_.n; ++p) task_.successor[p] = single(p) ? p : first(p);
    }

private:
    static constexpr int kNone = -1;

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
        std::vector<int> held_from(task_.n, kNone);
        for (int p = 0; p < task_.n; ++p) {
            if (p % kPoll == 0) walk_.heed_cancel();
            for (int proposer = p; proposer != kNone;) proposer = propose(proposer, held_from);
        }
    }

    // Returns the person whom it displaces, if any.
    int propose(int p, std::vector<int>& held_from) {
        for (; first_[p] <= length(p) && !standing(p, first_[p]); ++first_[p])
            tale_.event(PASS, kPassed, p, first(p), -1, first_[p], rank_back(p, first_[p]));
        if (single(p)) {
            tale_.alone(p);
            return kNone;
        }
        ++task_.proposals;
        const int to = first(p), rank = rank_back(p, first_[p]);
        tale_.event(PROPOSE, kProposals, p, to, held_from[to], first_[p], rank);
        cut(to, p, rank);
        return std::exchange(held_from[to], p);
    }

    // The list of q ends with p, at this place.
    void cut(int q, int p, int place) {
        if (Log::kOn && place < last_[q]) tale_.event(CUT, kCuts, q, p, -1, place);
        last_[q] = place;
    }

    // Phase 2 needs a second choice.
    bool has_choice(int p) {
        if (single(p)) return false;
        while (second_[p] <= last_[p] && !standing(p, second_[p])) ++second_[p];
        return second_[p] <= last_[p];
    }

    std::vector<int> find_rotation(int start) {
        return walk_.find_rotation(start, [&](int p) {
            has_choice(p);
            return last(second(p));
        });
    }

    // Each person of the rotation goes to the second choice, who deletes all that stand behind.
    // Lists would become empty only where each person of the rotation has just two others, of the
    // rotation too: an odd party, so no matching is stable.
    void eliminate(const std::vector<int>& rotation) {
        log_found(rotation);
        if (is_party(rotation)) {
            for (const int p : rotation) {
                in_party_[p] = 1;
                tale_.event(PARTY, kInParties, p, first(p), -1, 0, task_.parties);
            }
            ++task_.parties;
            return;
        }
        ++task_.rotations;
        for (const int p : rotation) {
            const int to = second(p), place = second_[p], rank = rank_back(p, place);
            if (Log::kOn) tale_.event(MOVE, kMoved, p, to, last(to), place, rank);
            cut(to, p, rank);
            first_[p] = second_[p]++;
        }
        std::vector<int> chosen;
        for (const int p : rotation) chosen.push_back(first(p));
        walk_.end_before(chosen, [&](int q) { return has_choice(q); });
    }

    void log_found(const std::vector<int>& rotation) {
        if (!Log::kOn) return;
        tale_.begin(++found_);
        for (const int p : rotation)
            tale_.event(FIND, kFound, p, second(p), last(second(p)), second_[p], found_);
    }

    bool is_party(const std::vector<int>& rotation) {
        for (const int p : rotation) in_party_[p] = 1;
        const bool closed = std::all_of(rotation.begin(), rotation.end(), [&](int p) {
            return second_[p] == last_[p] && in_party_[first(p)] && in_party_[second(p)];
        });
        for (const int p : rotation) in_party_[p] = 0;
        return closed;
    }

    IrvingTask& task_;
    Tale<Log> tale_;
    Walk walk_;
    // Places from 1. Everything before the first and behind the last place is deleted.
    std::vector<int> first_;
    std::vector<int> second_;
    std::vector<int> last_;
    std::vector<char> in_party_;
    int found_ = 0;  // rotations and odd parties
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_irving(cpu::IrvingTask* task) {
    return cpu::guarded([&]() -> int {
        task->proposals = task->rotations = 0;
        task->parties = task->undecided = 0;
        try {
            return cpu::with_logs(task->recording, [&](auto logs) {
                cpu::Table(*task, logs.of(0)).solve();
                return cpu::kDone;
            });
        } catch (const cpu::Stop&) {
            return cpu::kCancelled;
        }
    });
}
