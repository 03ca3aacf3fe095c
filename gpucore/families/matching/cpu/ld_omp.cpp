// The locally dominant algorithm on several threads, in rounds with shared queues.
//
// Algorithms 1 and 2 (OMP-LD) of Md. Naim, F. Manne, M. Halappanavar, A. Tumeo and J. Langguth,
// "Optimizing approximate weighted matching on Nvidia Kepler K40", HiPC 2015, section 2.1; the
// tail of a queue is a fetch-and-add, as in the paper.
//
// Within a round a vertex may be seen as unmatched although another thread has just matched it.
// That is harmless: a vertex that then points at it is found through the queue in the next round.

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "matching.h"
#include "team.h"

namespace cpu {
namespace {

// A vertex enters a queue at most once in a run, when it is matched, so n entries suffice.
class Queue {
public:
    explicit Queue(int capacity) : vertices_(capacity) {}
    void add(int s, int t) {
        const int place = tail_.fetch_add(2, std::memory_order_relaxed);
        vertices_[place] = s;
        vertices_[place + 1] = t;
    }
    int operator[](int i) const { return vertices_[i]; }
    int size() const { return tail_.load(std::memory_order_relaxed); }
    void clear() { tail_.store(0, std::memory_order_relaxed); }

private:
    std::vector<int> vertices_;
    std::atomic<int> tail_{0};
};

template <class Logs>
class LocallyDominant {
public:
    LocallyDominant(const Csr& graph, int threads, const CancelFlag& cancel, Logs logs)
        : logs_(logs),
          graph_(graph),
          threads_(threads),
          cancel_(cancel),
          mate_(graph.n),
          candidate_(graph.n),
          first_(graph.n),
          second_(graph.n),
          chunks_(graph.n),
          barrier_(threads) {
        for (int v = 0; v < graph_.n; ++v) {
            mate_[v].store(kNobody, std::memory_order_relaxed);
            candidate_[v].store(kNobody, std::memory_order_relaxed);
        }
    }

    int run(int* mate, Work* work) {
        run_team(threads_, [&](int thread) { work_as_member(logs_.of(thread)); });
        if (stop_) return kCancelled;
        for (int v = 0; v < graph_.n; ++v) mate[v] = mate_[v].load(std::memory_order_relaxed);
        work->scans = scans_.load();
        work->rounds = rounds_;
        return kDone;
    }

private:
    // Algorithm 1, as one thread of the team sees it.
    template <class Log>
    void work_as_member(Log log) {
        long long scans = 0;
        for_chunks([&](int v) { scans += process_vertex(v, log); });
        end_round();
        for (int round = 1; !stop_ && current_->size() > 0; ++round) {
            log.begin(round);
            for_chunks([&](int i) { scans += release_neighbours((*current_)[i], log); });
            end_round();
        }
        scans_.fetch_add(scans, std::memory_order_relaxed);
    }

    template <class Visit>
    void for_chunks(Visit&& visit) {
        int begin, end;
        while (!cancel_.raised() && chunks_.take(&begin, &end))
            for (int i = begin; i < end; ++i) visit(i);
    }

    // All threads wait; the last swaps the queues (line 13). Only one thread reads the flag, once,
    // so that all threads leave in the same round and none waits for those that left.
    void end_round() {
        barrier_.wait([&] {
            std::swap(current_, next_);
            next_->clear();
            chunks_.reset(current_->size());
            if (current_->size() > 0) ++rounds_;
            stop_ = cancel_.raised();
        });
    }

    // Lines 10-12. The paper's text, unlike line 11, says "unmatched": u's own mate points at u
    // too, and would be matched a second time.
    template <class Log>
    long long release_neighbours(int u, Log& log) {
        long long scans = 1;
        for (long long e = graph_.indptr[u]; e < graph_.indptr[u + 1]; ++e) {
            const int v = graph_.indices[e];
            if (candidate_[v].load(std::memory_order_relaxed) == u && !matched(v))
                scans += process_vertex(v, log);
        }
        return scans;
    }

    // Algorithm 2, with ties broken by the larger neighbour. In one round a vertex is processed
    // by one thread at most: the one that holds the matched vertex it points at.
    template <class Log>
    long long process_vertex(int s, Log& log) {
        Offer best = kNoOffer;
        for (long long e = graph_.indptr[s]; e < graph_.indptr[s + 1]; ++e) {
            const int t = graph_.indices[e];
            const float weight = graph_.weights[e];
            if (!usable(s, t, weight) || make_offer(weight, t) <= best) continue;
            if (!matched(t)) best = make_offer(weight, t);
        }
        const int t = offer_from(best);
        log_candidate(s, best, log);  // first: the match that another thread makes of it is later
        // Sequentially consistent, both: two vertices that point at each other at the same time
        // each store, then load. With weaker order both could miss the other, and neither would
        // ever be looked at again.
        candidate_[s].store(t);
        if (t != kNobody && candidate_[t].load() == s) match(s, t, offer_weight(best), log);
        return 1;
    }

    template <class Log>
    void log_candidate(int s, Offer best, Log& log) {
        if (!Log::kOn) return;
        count_scan(log, graph_, s);
        if (best == kNoOffer) return log_exhausted(log, s);
        log.event(POINT, s, offer_from(best), -1, offer_weight(best));
        log.count(kProposals, 1);
    }

    // Both ends may notice the match; the one that claims the smaller vertex records it.
    template <class Log>
    void match(int s, int t, float weight, Log& log) {
        const auto [low, high] = std::minmax(s, t);
        int unmatched = kNobody;
        if (!mate_[low].compare_exchange_strong(unmatched, high, std::memory_order_relaxed)) return;
        mate_[high].store(low, std::memory_order_relaxed);
        log_match(log, s, t, weight);
        next_->add(s, t);
    }

    bool matched(int v) const { return mate_[v].load(std::memory_order_relaxed) != kNobody; }

    const Logs logs_;
    const Csr graph_;
    const int threads_;
    const CancelFlag cancel_;
    std::vector<std::atomic<int>> mate_, candidate_;
    Queue first_, second_;
    Queue* current_ = &first_;
    Queue* next_ = &second_;
    Chunks chunks_;
    Barrier barrier_;
    bool stop_ = false;
    long long rounds_ = 0;
    std::atomic<long long> scans_{0};
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_ld_omp(int n, const long long* indptr, const int* indices, const float* weights,
                          int threads, const int* cancel, int* mate, cpu::Work* work,
                          const cpu::Recording* recording) {
    return cpu::guarded([&] {
        *work = cpu::Work{};
        const cpu::Csr graph{n, indptr, indices, weights};
        return cpu::with_logs(recording, [&](auto logs) {
            return cpu::LocallyDominant(graph, threads, cpu::CancelFlag(cancel), logs)
                .run(mate, work);
        });
    });
}
