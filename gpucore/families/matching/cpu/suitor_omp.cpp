// The Suitor algorithm on several threads, with one lock per vertex.
//
// Algorithm 3 (OMP-Suitor) of Md. Naim, F. Manne, M. Halappanavar, A. Tumeo and J. Langguth,
// "Optimizing approximate weighted matching on Nvidia Kepler K40", HiPC 2015, section 2.2.
// Threads take chunks of vertices from a shared counter, as under OpenMP's dynamic schedule.
//
// The paper's mate[v] and ws[v] are one atomic word, the best offer made to v (matching.h):
// the search reads offers without the lock, and suitor and weight must always belong to the
// same offer. Offers change under the lock only, and only improve, so a neighbour that is out of
// reach stays out of reach, and a promising offer is checked again under the lock. For every
// schedule the result is that of vertices which all propose down their lists in order; it is
// unique.

#include <atomic>
#include <vector>

#include "matching.h"
#include "team.h"

namespace cpu {
namespace {

struct Shared {
    const Csr graph;
    std::vector<std::atomic<Offer>> offers;
    std::vector<SpinLock> locks;

    explicit Shared(const Csr& g) : graph(g), offers(g.n), locks(g.n) {
        for (auto& offer : offers) offer.store(kNoOffer, std::memory_order_relaxed);
    }
    Offer offer_to(int v) const { return offers[v].load(std::memory_order_relaxed); }
};

// Lines 12-16: the best neighbour above `best` that would accept `current`, or `best` itself.
Offer find_partner(const Shared& shared, int current, Offer best) {
    const Csr& graph = shared.graph;
    float heaviest = offer_weight(best);
    for (long long e = graph.indptr[current]; e < graph.indptr[current + 1]; ++e) {
        const int v = graph.indices[e];
        const float weight = graph.weights[e];
        // The weight alone rejects most neighbours, without fetching their offers.
        if (weight < heaviest || !usable(current, v, weight)) continue;
        if (make_offer(weight, v) > best && make_offer(weight, current) > shared.offer_to(v)) {
            best = make_offer(weight, v);
            heaviest = weight;
        }
    }
    return best;
}

enum class Answer { accepted, refused };

template <class Log>
void log_answer(Log& log, int current, Offer found, bool better, Offer held) {
    if (!Log::kOn) return;
    if (better) return log_suitor(log, current, offer_from(found), offer_weight(found), held);
    log.event(OUTBID, current, offer_from(found), offer_from(held), offer_weight(found));
    log.count(kProposals, 1);
}

// Lines 19-29. On acceptance `displaced` is the suitor that has to look again, if any. The lock
// orders the offers to a vertex, so the events of the record, too.
template <class Log>
Answer propose(Shared& shared, int current, Offer found, int* displaced, Log& log) {
    const int partner = offer_from(found);
    const Offer offer = make_offer(offer_weight(found), current);
    shared.locks[partner].lock();
    const Offer held = shared.offer_to(partner);
    const bool better = offer > held;
    if (better) shared.offers[partner].store(offer, std::memory_order_relaxed);
    log_answer(log, current, found, better, held);
    shared.locks[partner].unlock();
    *displaced = offer_from(held);
    return better ? Answer::accepted : Answer::refused;
}

// Find a partner for u, then for the vertex that it displaces, and so on.
// Returns the number of neighbour lists walked.
template <class Log>
long long settle(Shared& shared, int u, const CancelFlag& cancel, Log& log) {
    long long scans = 0;
    int current = u;
    bool from_suitor = true;
    while (current != kNobody && !cancel.raised()) {
        // Lines 10-11: `current` starts from the suitor it has, without a search.
        const Offer start = from_suitor ? shared.offer_to(current) : kNoOffer;
        const Offer found = find_partner(shared, current, start);
        ++scans;
        count_scan(log, shared.graph, current);
        if (found == kNoOffer) {
            log_exhausted(log, current);
            break;
        }
        int displaced;
        if (propose(shared, current, found, &displaced, log) == Answer::accepted) {
            current = displaced;
            from_suitor = true;
        } else {
            // Line 28 says next <- u, but it is `current` that has been refused. In the first
            // pass they are the same. Later `current` is a displaced suitor: going back to u,
            // whose own offer stands, would ask twice for u and forget `current` for good.
            //
            // The refusal may have come from the suitor of lines 10-11: unlike in a serial run
            // it may hold a better offer, from a neighbour that searched with an older view of
            // its own offers. Starting from it again would ask it for ever, so start from none.
            from_suitor = found != start;
        }
    }
    return scans;
}

template <class Logs>
int suitor(const Csr& graph, int threads, const CancelFlag& cancel, int* mate, Work* work,
           Logs logs) {
    Shared shared(graph);
    Chunks vertices(graph.n);
    std::atomic<long long> scans{0};
    run_team(threads, [&](int thread) {
        auto log = logs.of(thread);
        long long own_scans = 0;
        int begin, end;
        while (!cancel.raised() && vertices.take(&begin, &end))
            for (int u = begin; u < end; ++u) own_scans += settle(shared, u, cancel, log);
        scans.fetch_add(own_scans, std::memory_order_relaxed);
    });
    if (cancel.raised()) return kCancelled;
    for (int v = 0; v < graph.n; ++v) mate[v] = offer_from(shared.offer_to(v));
    work->scans = scans.load();
    return kDone;
}

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_suitor_omp(int n, const long long* indptr, const int* indices,
                              const float* weights, int threads, const int* cancel, int* mate,
                              cpu::Work* work, const cpu::Recording* recording) {
    return cpu::guarded([&] {
        *work = cpu::Work{};
        const cpu::Csr graph{n, indptr, indices, weights};
        return cpu::with_logs(recording, [&](auto logs) {
            return cpu::suitor(graph, threads, cpu::CancelFlag(cancel), mate, work, logs);
        });
    });
}
