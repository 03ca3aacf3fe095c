// Several threads that find disjoint augmenting paths: what the multicore methods share.
//
// A. Azad, M. Halappanavar, S. Rajamanickam, E. G. Boman, A. Khan and A. Pothen, "Multithreaded
// algorithms for maximum matching in bipartite graphs", IPDPS 2012. In a phase at most one thread
// claims a row, by an atomic operation on a word of the row. A matched column is reached only from
// its row, so the searches of a phase share no vertex, and every thread augments along its path
// at once while others search on.
//
// Within a phase only the thread that claimed a row writes its mate, and only the thread that
// reached a column writes what belongs to the column. Mates of rows are read by other threads too,
// hence atomically; the barrier between two phases orders everything else.
//
// A phase without a path is a proof: nothing has changed during it, so all rows that any
// alternating path reaches were claimed, and none of them was unmatched.
#pragma once

#include <atomic>
#include <new>
#include <vector>

#include "bipartite.h"
#include "team.h"

namespace cpu {

// One thread of the team: it counts the entries that it reads, and writes its part of the record.
class Member {
public:
    Member(const CancelFlag& cancel, const BipartiteTask& task, int thread)
        : cancel_(cancel), notes_(task.recording, thread, task.num_rows) {}

    Notes& notes() { return notes_; }

    // Count entries read in a search, which ends here if the caller asks to stop.
    void scanned(long long entries) {
        count(entries);
        if (edges_ < look_again_) return;
        if (cancel_.raised()) throw Stop{};
        look_again_ = edges_ + kPatience;
    }
    void count(long long entries) {
        edges_ += entries;
        notes_.scanned(entries);
    }
    long long edges() const { return edges_; }

private:
    // Entries between two checks of the caller's flag: some milliseconds.
    static constexpr long long kPatience = 1 << 18;

    const CancelFlag cancel_;
    Notes notes_;
    long long edges_ = 0;
    long long look_again_ = kPatience;
};

// The threads, the matching that they share, and the phases.
class SearchTeam {
public:
    explicit SearchTeam(Matcher& matcher)
        : matcher_(matcher), barrier_(matcher.task().threads), room_(matcher.room()) {}

    const Side& columns() const { return matcher_.columns(); }
    int num_rows() const { return matcher_.rows().size; }
    const std::vector<int>& unmatched() const { return matcher_.unmatched(); }
    // Number of the phase, from 1 on.
    int phase() const { return phase_; }

    int mate_of_row(int row) const {
        return __atomic_load_n(matcher_.task().row_match + row, __ATOMIC_RELAXED);
    }
    int mate_of_column(int column) const { return matcher_.mate_of_column(column); }
    // Only for a row that this thread claimed.
    void pair(int row, int column) {
        __atomic_store_n(matcher_.task().row_match + row, column, __ATOMIC_RELAXED);
        matcher_.task().column_match[column] = row;
    }
    void path_found() { found_.fetch_add(1, std::memory_order_relaxed); }
    void level_searched() { matcher_.level_searched(); }
    // Of the record; one thread begins a step or a phase while the others wait.
    void begin_step(int level, StepKind kind) { matcher_.begin_step(level, kind); }
    void begin_phase(int level) { matcher_.begin_phase(level); }
    int step() const { return matcher_.step(); }
    // A member walks along a path of its own.
    template <class Path>
    void walk(const Path& path, Member& member) {
        member.notes().walked(path, [&](int column) { return mate_of_column(column); });
        for (const auto& step : path) pair(step.taken, step.vertex);
        path_found();
    }

    // Run `phase(member)` on every thread until a phase finds no path; between two phases one
    // thread runs `prepare()`, which must not throw.
    template <class Phase, class Prepare>
    void repeat(Phase&& phase, Prepare&& prepare) {
        bool more = matcher_.worth_searching();
        if (!more) return;
        prepare();
        run_team(matcher_.task().threads, [&](int thread) {
            Member member(matcher_.cancel(), matcher_.task(), thread);
            while (more) {
                member.notes().begin(step());
                phase(member);
                barrier_.wait([&] {
                    more = end_phase();
                    if (more) prepare();
                });
            }
            __atomic_fetch_add(&matcher_.task().work->edges, member.edges(), __ATOMIC_RELAXED);
        });
        if (out_of_memory_) throw std::bad_alloc{};
        if (stopped_) throw Stop{};
    }

    // Search from the phase's unmatched columns, each of which one thread takes.
    template <class Search>
    void from_roots(Search&& search) {
        const auto size = static_cast<long long>(unmatched().size());
        try {
            while (!stopped_ && !out_of_memory_ && found_.load(std::memory_order_relaxed) < room_) {
                const long long place = next_.fetch_add(1, std::memory_order_relaxed);
                if (place >= size) return;
                search(unmatched()[static_cast<std::size_t>(place)]);
            }
        } catch (const Stop&) {
            stopped_ = true;
        } catch (const std::bad_alloc&) {
            out_of_memory_ = true;
        }
    }

    // All threads meet within a phase; one runs `serial()`. Returns whether to go on.
    template <class Serial>
    bool meet(Serial&& serial) {
        barrier_.wait([&] {
            if (matcher_.cancel().raised()) stopped_ = true;
            serial();
        });
        return !stopped_;
    }

private:
    bool end_phase() {
        const int paths = found_.exchange(0, std::memory_order_relaxed);
        matcher_.paths_found(paths);
        room_ = matcher_.room();
        next_.store(0, std::memory_order_relaxed);
        ++phase_;
        return matcher_.end_phase(paths) && !stopped_ && !out_of_memory_;
    }

    Matcher& matcher_;
    Barrier barrier_;
    long long room_;
    int phase_ = 1;
    std::atomic<int> found_{0};
    std::atomic<long long> next_{0};
    std::atomic<bool> stopped_{false}, out_of_memory_{false};
};

// Rows that the threads of a phase have claimed.
class Claims {
public:
    explicit Claims(int rows) : phase_of_(static_cast<std::size_t>(rows), 0) {}

    // Returns true for one thread in a phase.
    bool claim(int row, int phase) {
        int* const word = &phase_of_[static_cast<std::size_t>(row)];
        // Reading first saves the bus from the many rows that are claimed already.
        return __atomic_load_n(word, __ATOMIC_RELAXED) != phase &&
               __atomic_exchange_n(word, phase, __ATOMIC_RELAXED) != phase;
    }

private:
    std::vector<int> phase_of_;
};

}  // namespace cpu
