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

#include "roommates.h"
#include "walk.h"

namespace cpu {

// The input, and the places of the results; `methods.py` has the same structure.
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
    const Recording* recording;  // null: nothing is recorded
};

namespace {

template <class Log>
class Fixtures {
public:
    Fixtures(FixturesTask& task, Log log)
        : task_(task),
          tale_(log),
          walk_(task.n, task.cancel),
          bid_(task.n, 0),
          next_(task.n, 1),
          last_(task.n),
          in_rotation_(task.n, 0),
          in_party_(task.n, 0) {
        for (int p = 0; p < task.n; ++p) {
            last_[p] = task.capacity[p] > 0 ? length(p) : 0;
            task.successor[p] = p;
        }
    }

    void solve() {
        tale_.begin(0);
        for (int p = 0; p < task_.n; ++p) log_cut(p, length(p));  // without room: all are deleted
        bid_all();
        for (int p = 0; p < task_.n; ++p) task_.undecided += has_choice(p);
        for (int p = 0; p < task_.n; ++p)
            while (!in_party_[p] && has_choice(p)) eliminate(find_rotation(p));
        for (int p = 0; p < task_.n; ++p)
            for (int place = 1; place <= length(p); ++place)
                task_.bids[task_.indptr[p] + place - 1] = place <= bid_[p] && standing(p, place);
    }

private:
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

    // The same, with those who are passed by.
    bool look_on(int p) {
        const int from = next_[p];
        const bool found = has_choice(p);
        if (Log::kOn)
            for (int place = from; place < next_[p]; ++place)
                tale_.event(PASS, kPassed, p, other(p, place), -1, place, rank_back(p, place));
        return found;
    }

    void log_cut(int p, int before) {
        if (!Log::kOn || last_[p] == before) return;
        tale_.event(CUT, kCuts, p, last_[p] > 0 ? last(p) : -1, -1, last_[p]);
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
            if (p % kPoll == 0) walk_.heed_cancel();
            for (waiting.push_back(p); !waiting.empty();) {
                const int q = waiting.back();
                if (made[q] == task_.capacity[q] || !look_on(q)) {
                    if (made[q] < task_.capacity[q]) tale_.alone(q);
                    waiting.pop_back();
                    continue;
                }
                const int to = next(q), place = next_[q], rank = rank_back(q, place);
                const bool crowded = got[to] == task_.capacity[to];
                const int rejected = crowded ? last(to) : -1;
                tale_.event(PROPOSE, kProposals, q, to, rejected, place, rank);
                worst[to] = std::max(worst[to], rank);
                take_next(q);
                ++made[q];
                ++task_.proposals;
                if (++got[to] < task_.capacity[to]) continue;
                const int before = last_[to];
                if (!crowded) {
                    last_[to] = worst[to];
                    log_cut(to, before);
                    continue;
                }
                --last_[to];
                cut_behind_bidders(to);
                log_cut(to, before);
                --got[to];
                --made[rejected];
                waiting.push_back(rejected);
            }
        }
    }

    std::vector<int> find_rotation(int start) {
        return walk_.find_rotation(start, [&](int p) {
            has_choice(p);
            return last(next(p));
        });
    }

    // Each person of the rotation bids for the next choice, who rejects the worst bidder: the
    // person after this one in the rotation.
    void eliminate(const std::vector<int>& rotation) {
        log_found(rotation);
        if (is_party(rotation)) {
            for (const int p : rotation) {
                in_party_[p] = 1;
                task_.successor[next(p)] = p;
                tale_.event(PARTY, kInParties, next(p), p, -1, 0, task_.parties);
            }
            ++task_.parties;
            return;
        }
        ++task_.rotations;
        std::vector<int> chosen;
        for (const int p : rotation) {
            const int to = next(p), place = next_[p];
            chosen.push_back(to);
            if (Log::kOn)
                tale_.event(MOVE, kMoved, p, to, last(to), place, rank_back(p, place));
        }
        for (const int q : chosen) --last_[q];
        for (const int p : rotation) take_next(p);
        for (const int q : chosen) {
            const int before = last_[q] + 1;
            cut_behind_bidders(q);
            log_cut(q, before);
        }
        walk_.end_before(chosen, [&](int q) { return has_choice(q); });
    }

    void log_found(const std::vector<int>& rotation) {
        if (!Log::kOn) return;
        tale_.begin(++found_);
        for (const int p : rotation)
            tale_.event(FIND, kFound, p, next(p), last(next(p)), next_[p], found_);
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

    FixturesTask& task_;
    Tale<Log> tale_;
    Walk walk_;
    // Places from 1: the last bid, the next choice, and the last remaining one.
    std::vector<int> bid_;
    std::vector<int> next_;
    std::vector<int> last_;
    std::vector<char> in_rotation_;
    std::vector<char> in_party_;
    int found_ = 0;  // rotations and odd parties
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_irving_scott(cpu::FixturesTask* task) {
    return cpu::guarded([&]() -> int {
        task->proposals = task->rotations = 0;
        task->parties = task->undecided = 0;
        try {
            return cpu::with_logs(task->recording, [&](auto logs) {
                cpu::Fixtures(*task, logs.of(0)).solve();
                return cpu::kDone;
            });
        } catch (const cpu::Stop&) {
            return cpu::kCancelled;
        }
    });
}
