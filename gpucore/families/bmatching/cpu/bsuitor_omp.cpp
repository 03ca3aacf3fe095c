// The b-Suitor algorithm on several threads, with one lock per vertex.
//
// A. Khan, A. Pothen, M. M. A. Patwary, N. R. Satish, N. Sundaram, F. Manne, M. Halappanavar and
// P. Dubey, "Efficient approximation algorithms for weighted b-matching", SIAM Journal on
// Scientific Computing 38(5), 2016: "eager", where the thread that displaces a vertex makes its next
// proposal at once, and "delayed", where displaced vertices wait in a queue for the next round.
// Threads take chunks of vertices from a shared counter, as under OpenMP's dynamic schedule.
//
// A vertex owes proposals: at first b(v), then one for each of its offers that is displaced. Its
// list of neighbours belongs to one thread at a time, the one that raised the number from 0 (or
// began with it), until the number is 0 again. So only the offers to a vertex need its lock.
//
// Offers to a vertex only improve, so a refusal is final, and for every schedule the result is that
// of vertices which all propose down their lists in order; it is unique.

#include <atomic>
#include <vector>

#include "bmatching.h"
#include "preferred.h"
#include "team.h"

namespace cpu {
namespace {

class Market {
public:
    Market(const BMatchingTask& task, const CancelFlag& cancel)
        : suitors(task),
          preferred_(task),
          cancel_(cancel),
          locks_(task.graph.n),
          owed_(task.graph.n) {
        for (int v = 0; v < task.graph.n; ++v)
            owed_[v].store(static_cast<int>(suitors.room(v)), std::memory_order_relaxed);
    }

    bool cancelled() const { return cancel_.raised(); }

    // One more neighbour accepts u, if any does. Returns the vertex that is displaced there. The
    // lock orders the offers to a vertex, so the events of the record, too.
    template <class Log>
    int propose(int u, BMatchingWork* work, Log& log) {
        log.count(kActive, 1);
        while (const Offer found = preferred_.next(u, &work->scans)) {
            count_entry(log);
            const int partner = offer_from(found);
            const Offer offer = make_offer(offer_weight(found), u);
            // Without the lock first: most of those who refuse now have refused for good.
            if (!suitors.would_accept(partner, offer)) continue;
            locks_[partner].lock();
            const bool accepted = suitors.would_accept(partner, offer);
            const Offer displaced = accepted ? suitors.accept(partner, offer) : kNoOffer;
            log_answer(log, u, found, accepted, displaced);
            locks_[partner].unlock();
            if (!accepted) continue;
            ++work->proposals;
            return offer_from(displaced);
        }
        log_exhausted(log, u);
        return kNobody;
    }

    // v owes one more proposal. Returns whether the list of v now belongs to the caller.
    bool charge(int v) { return owed_[v].fetch_add(1, std::memory_order_acq_rel) == 0; }

    // v owes one proposal less. Returns whether that was the last, and the list is given back.
    bool discharge(int v) { return owed_[v].fetch_sub(1, std::memory_order_acq_rel) == 1; }

    // How many proposals v owes, to be made now; charges from now on are for the next round.
    int take_debts(int v) { return owed_[v].exchange(0, std::memory_order_acq_rel); }

    Suitors suitors;

private:
    template <class Log>
    static void log_answer(Log& log, int u, Offer found, bool accepted, Offer displaced) {
        if (accepted) return log_taken(log, u, offer_from(found), offer_weight(found), displaced);
        log.event(OUTBID, u, offer_from(found), -1, offer_weight(found));
        log.count(kProposals, 1);
    }

    Preferred preferred_;
    const CancelFlag cancel_;
    std::vector<SpinLock> locks_;
    std::vector<std::atomic<int>> owed_;
};

void add(BMatchingWork* sum, const BMatchingWork& own) {
    __atomic_fetch_add(&sum->scans, own.scans, __ATOMIC_RELAXED);
    __atomic_fetch_add(&sum->proposals, own.proposals, __ATOMIC_RELAXED);
}

// Make the proposals of u and, at once, those of all vertices that are displaced on the way. They
// form a stack, linked through `below`.
template <class Log>
void settle(Market& market, int u, std::vector<int>& below, BMatchingWork* work, Log& log) {
    int top = u;
    below[u] = kNobody;
    while (top != kNobody && !market.cancelled()) {
        const int displaced = market.propose(top, work, log);
        const int next = below[top];  // read first: discharged, `top` may become another's
        if (market.discharge(top)) top = next;
        if (displaced != kNobody && market.charge(displaced)) {
            below[displaced] = top;
            top = displaced;
        }
    }
}

template <class Logs>
void run_eager(const BMatchingTask& task, Market& market, Logs logs) {
    Chunks vertices(task.graph.n);
    std::vector<int> below(task.graph.n);
    run_team(task.threads, [&](int thread) {
        auto log = logs.of(thread);
        BMatchingWork own{};
        int begin, end;
        while (!market.cancelled() && vertices.take(&begin, &end))
            for (int u = begin; u < end; ++u)
                if (market.suitors.room(u) > 0) settle(market, u, below, &own, log);
        add(task.work, own);
    });
}

template <class Logs>
void run_delayed(const BMatchingTask& task, Market& market, Logs logs) {
    std::vector<int> queue(task.graph.n), displaced(task.graph.n);
    for (int u = 0; u < task.graph.n; ++u) queue[u] = u;
    std::atomic<int> waiting{0};
    bool over = task.graph.n == 0;
    Chunks places(task.graph.n);
    Barrier barrier(task.threads);
    run_team(task.threads, [&](int thread) {
        auto log = logs.of(thread);
        BMatchingWork own{};
        for (int round = 0; !over; ++round) {
            log.begin(round);
            int begin, end;
            while (!market.cancelled() && places.take(&begin, &end)) {
                for (int i = begin; i < end; ++i) {
                    const int u = queue[i];
                    // Who is displaced after this waits for the next round.
                    int left = market.take_debts(u);
                    for (; left > 0 && !market.cancelled(); --left) {
                        const int other = market.propose(u, &own, log);
                        if (other != kNobody && market.charge(other))
                            displaced[waiting.fetch_add(1, std::memory_order_relaxed)] = other;
                    }
                }
            }
            barrier.wait([&] {
                ++task.work->rounds;
                queue.swap(displaced);
                places.reset(waiting.load(std::memory_order_relaxed));
                over = waiting.exchange(0, std::memory_order_relaxed) == 0 || market.cancelled();
            });
        }
        add(task.work, own);
    });
}

template <class Logs>
int suitor(const BMatchingTask& task, const CancelFlag& cancel, Logs logs) {
    Market market(task, cancel);
    if (task.delayed != 0)
        run_delayed(task, market, logs);
    else
        run_eager(task, market, logs);
    if (cancel.raised()) return kCancelled;
    market.suitors.write(task);
    return kDone;
}

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_bsuitor_omp(const cpu::BMatchingTask* task) {
    return cpu::guarded([&] {
        *task->work = cpu::BMatchingWork{};
        return cpu::with_logs(task->recording, [&](auto logs) {
            return cpu::suitor(*task, cpu::CancelFlag(task->cancel), logs);
        });
    });
}
