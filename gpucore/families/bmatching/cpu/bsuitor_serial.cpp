// The b-Suitor algorithm, one thread.
//
// A. Khan, A. Pothen, M. M. A. Patwary, N. R. Satish, N. Sundaram, F. Manne, M. Halappanavar and
// P. Dubey, "Efficient approximation algorithms for weighted b-matching", SIAM Journal on
// Scientific Computing 38(5), 2016.
//
// Each vertex v proposes to its best neighbours until b(v) of them hold its offer. A neighbour
// accepts if it has room, or if the offer is better than its worst one; the vertex that is
// displaced proposes again at once, to its next neighbour. The paper's recursion is a loop here.

#include "bmatching.h"
#include "preferred.h"

namespace cpu {
namespace {

// One more neighbour accepts u, if any does. Returns the vertex that is displaced there.
template <class Log>
int propose(Preferred& preferred, Suitors& suitors, int u, BMatchingWork* work, Log& log) {
    log.count(kActive, 1);
    while (const Offer found = preferred.next(u, &work->scans)) {
        count_entry(log);
        const int partner = offer_from(found);
        // A refusal is final, so the list is walked once: offers to the partner only improve.
        const Offer offer = make_offer(offer_weight(found), u);
        if (!suitors.would_accept(partner, offer)) continue;
        ++work->proposals;
        const Offer displaced = suitors.accept(partner, offer);
        log_taken(log, u, partner, offer_weight(found), displaced);
        return offer_from(displaced);
    }
    log_exhausted(log, u);
    return kNobody;
}

template <class Log>
int suitor(const BMatchingTask& task, const CancelFlag& cancel, Log log) {
    Suitors suitors(task);
    Preferred preferred(task);
    for (int u = 0; u < task.graph.n; ++u) {
        for (long long wanted = suitors.room(u); wanted > 0; --wanted) {
            int current = u;
            while (current != kNobody) {
                if (cancel.raised()) return kCancelled;
                current = propose(preferred, suitors, current, task.work, log);
            }
        }
    }
    suitors.write(task);
    return kDone;
}

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_bsuitor_serial(const cpu::BMatchingTask* task) {
    return cpu::guarded([&] {
        *task->work = cpu::BMatchingWork{};
        return cpu::with_logs(task->recording, [&](auto logs) {
            return cpu::suitor(*task, cpu::CancelFlag(task->cancel), logs.of(0));
        });
    });
}
