// The first phase of a stage of the parallel method (louvain_omp.cpp): all vertices of a class
// decide from the same state, then move.
#pragma once

#include <atomic>
#include <chrono>
#include <numeric>
#include <vector>

#include "colouring.h"
#include "crew.h"
#include "louvain.h"
#include "parallel_stage.h"

namespace cpu {

struct LouvainTask {
    int n;
    const long long* indptr;
    const int* indices;
    const float* weights;
    double unit;               // fixed-point units of a weight of 1
    int threads;
    double t_bin, t_final;
    long long bin_vertices;
    int colouring;             // 0: plain, 1: balanced, 2: none
    int follow;
    double resolution;
    long long max_sweeps;
    const int* cancel;
};

// Communities per partial sum of squares: fixed, so that their sum is the same for any threads.
constexpr int kBlock = 4096;

class ParallelPhase {
public:
    ParallelPhase(const ParallelStage& stage, const LouvainTask& task, double two_m, Crew* crew,
                  const CancelFlag& cancel, Hierarchy* found, std::vector<MoveLog>* logs)
        : found_(found), logs_(*logs), gains_(found->recording == nullptr ? 0 : stage.n),
          stage_(stage), task_(task), two_m_(two_m), crew_(crew), cancel_(cancel),
          community_(stage.n), next_(stage.n), size_(stage.n, 1), total_(stage.strength),
          tallies_(crew->threads()), inner_(crew->threads()) {
        std::iota(community_.begin(), community_.end(), 0);
        every_.resize(stage.n);
        std::iota(every_.begin(), every_.end(), 0);
    }

    const std::vector<int>& community() const { return community_; }
    double first_sweep_seconds() const { return first_sweep_; }

    // Sweeps in which all vertices decide from the same state; each search also finds the
    // modularity of the state that it reads.  A last sweep that has lost modularity is undone.
    long long optimise(double threshold) {
        std::vector<int> before;
        double reached = 0.0;
        for (long long sweeps = 0;; ++sweeps) {
            const auto start = std::chrono::steady_clock::now();
            const int step = found_->begin_step(sweeps + 1, 0, stage_.n, stage_.entries());
            search(every_.data(), stage_.n, step);
            const double now = modularity();
            if (cancel_.raised()) return sweeps;
            if (sweeps > 0 && !(now - reached > 0.0 && now - reached >= threshold)) {
                found_->drop_step();
                if (now < reached) {
                    community_ = before;
                    found_->take_back();
                }
                return sweeps;
            }
            reached = now;
            before = community_;
            if (sweeps == task_.max_sweeps) return sweeps;
            const long long moves = commit(every_.data(), stage_.n);
            if (sweeps == 0) first_sweep_ = seconds_since(start);
            if (moves == 0) return sweeps + 1;
        }
    }

    // The same with the classes of a colouring in turn.
    long long optimise(double threshold, const ColourClasses& classes) {
        std::vector<int> before = community_;
        double reached = measured();
        for (long long sweeps = 1;; ++sweeps) {
            const auto start = std::chrono::steady_clock::now();
            long long moves = 0;
            for (int c = 0; c < classes.count() && !cancel_.raised(); ++c) {
                const int* members = classes.vertices.data() + classes.first[c];
                const int count = classes.first[c + 1] - classes.first[c];
                search(members, count, found_->begin_step(sweeps, c, count, stage_.entries()));
                if (!cancel_.raised()) moves += commit(members, count);
            }
            if (sweeps == 1) first_sweep_ = seconds_since(start);
            const double now = measured();
            if (cancel_.raised()) return sweeps;
            if (now < reached) {
                community_ = before;
                found_->take_back();
                return sweeps;
            }
            if (moves == 0 || now - reached < threshold || sweeps >= task_.max_sweeps)
                return sweeps;
            reached = now;
            before = community_;
        }
    }

private:
    // One thread's sums of weights inside communities, in a cache line of its own.
    struct alignas(64) Inner {
        Weight sum = 0;
    };

    void search(const int* members, int count, int step) {
        for (MoveLog& log : logs_) log.begin(step);
        for (Inner& mine : inner_) mine.sum = 0;
        crew_->chunks(count, cancel_, [&](int rank, int begin, int end) {
            for (int i = begin; i < end; ++i) choose(members[i], rank);
        });
    }

    double score(Weight edges, Weight strength, Weight total) const {
        return static_cast<double>(edges) * two_m_ -
               task_.resolution * static_cast<double>(strength) * static_cast<double>(total);
    }

    void choose(int v, int rank) {
        const int home = community_[v];
        const Weight k = stage_.strength[v];
        Tally& tally = tallies_[rank];
        tally.prepare(stage_.indptr[v + 1] - stage_.indptr[v] + 1);
        Weight loop = 0, inner = 0;
        for (long long e = stage_.indptr[v]; e < stage_.indptr[v + 1]; ++e) {
            const int u = stage_.indices[e];
            if (u == v) loop += stage_.weights[e];
            else tally.add(community_[u], stage_.weights[e]);
        }
        int best = -1;
        double most = 0.0;
        tally.each([&](int c, Weight sum) {
            if (c == home) {
                inner = sum;
                return;
            }
            const double gain = score(sum, k, total_[c]);
            if (best < 0 || gain > most || (gain == most && c < best)) {
                best = c;
                most = gain;
            }
        });
        inner_[rank].sum += inner + loop;
        const double stays = score(inner, k, total_[home] - k);
        const bool gains = best >= 0 && most > stays;
        const bool swap = gains && best > home && size_[home] == 1 && size_[best] == 1;
        next_[v] = gains && !swap ? best : home;
        if (gains_.empty()) return;
        gains_[v] = 2.0 * (most - stays) / (two_m_ * two_m_);
        logs_[rank].looked(stage_.indptr[v + 1] - stage_.indptr[v]);
    }

    long long commit(const int* members, int count) {
        std::atomic<long long> moves{0};
        crew_->chunks(count, cancel_, [&](int rank, int begin, int end) {
            long long mine = 0;
            for (int i = begin; i < end; ++i) {
                const int v = members[i], from = community_[v], to = next_[v];
                if (from == to) continue;
                community_[v] = to;
                if (!gains_.empty()) logs_[rank].moved(v, from, to, gains_[v]);
                __atomic_fetch_add(&total_[to], stage_.strength[v], __ATOMIC_RELAXED);
                __atomic_fetch_sub(&total_[from], stage_.strength[v], __ATOMIC_RELAXED);
                __atomic_fetch_add(&size_[to], 1, __ATOMIC_RELAXED);
                __atomic_fetch_sub(&size_[from], 1, __ATOMIC_RELAXED);
                ++mine;
            }
            moves.fetch_add(mine, std::memory_order_relaxed);
        });
        return moves.load();
    }

    // Modularity of the state that the last search has read.
    double modularity() {
        Weight inside = 0;
        for (const Inner& mine : inner_) inside += mine.sum;
        const int blocks = (stage_.n + kBlock - 1) / kBlock;
        std::vector<double> squares(blocks, 0.0);
        crew_->chunks(blocks, cancel_, [&](int, int begin, int end) {
            for (int block = begin; block < end; ++block)
                for (int c = block * kBlock; c < stage_.n && c / kBlock == block; ++c) {
                    const double share = static_cast<double>(total_[c]) / two_m_;
                    squares[block] += share * share;
                }
        });
        const double expected = std::accumulate(squares.begin(), squares.end(), 0.0);
        return static_cast<double>(inside) / two_m_ - task_.resolution * expected;
    }

    // Modularity now, from the edges.
    double measured() {
        for (Inner& mine : inner_) mine.sum = 0;
        crew_->chunks(stage_.n, cancel_, [&](int rank, int begin, int end) {
            for (int v = begin; v < end; ++v)
                for (long long e = stage_.indptr[v]; e < stage_.indptr[v + 1]; ++e)
                    if (community_[stage_.indices[e]] == community_[v])
                        inner_[rank].sum += stage_.weights[e];
        });
        return modularity();
    }

    Hierarchy* const found_;
    std::vector<MoveLog>& logs_;
    std::vector<double> gains_;  // of modularity by each vertex's choice, for the record
    const ParallelStage& stage_;
    const LouvainTask& task_;
    const double two_m_;
    Crew* crew_;
    const CancelFlag& cancel_;
    std::vector<int> community_, next_, size_, every_;
    std::vector<Weight> total_;
    std::vector<Tally> tallies_;
    std::vector<Inner> inner_;
    double first_sweep_ = 0.0;
};

}  // namespace cpu
