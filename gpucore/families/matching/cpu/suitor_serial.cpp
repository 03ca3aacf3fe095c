// The Suitor algorithm, one thread.
//
// F. Manne and M. Halappanavar, "New effective multithreaded matching algorithms", IPDPS 2014;
// Algorithm 3 of Md. Naim, F. Manne, M. Halappanavar, A. Tumeo and J. Langguth, "Optimizing
// approximate weighted matching on Nvidia Kepler K40", HiPC 2015, without its locks.
//
// Each vertex proposes to the best neighbour that has no better offer; a suitor that is displaced
// proposes again at once. The paper's mate[v] and ws[v] are one word here, the best offer made
// to v, which also settles ties (matching.h).

#include <algorithm>
#include <vector>

#include "matching.h"

namespace cpu {
namespace {

// The best neighbour of `current` that would accept it, as an offer seen from `current`.
Offer find_partner(const Csr& graph, const std::vector<Offer>& offers, int current) {
    // Lines 10-11: the suitor of `current` is the partner to beat. In a serial run it always
    // accepts. It chose `current` when all neighbours that it prefers held better offers than
    // its own; offers only improve, and no vertex proposes below the offer it holds, so none of
    // them can have proposed to it since. (In parallel this fails: suitor_omp.cpp.)
    Offer best = offers[current];
    float heaviest = offer_weight(best);
    for (long long e = graph.indptr[current]; e < graph.indptr[current + 1]; ++e) {
        const int v = graph.indices[e];
        const float weight = graph.weights[e];
        // The weight alone rejects most neighbours, without fetching their offers.
        if (weight < heaviest || !usable(current, v, weight)) continue;
        if (make_offer(weight, v) > best && make_offer(weight, current) > offers[v]) {
            best = make_offer(weight, v);
            heaviest = weight;
        }
    }
    return best;
}

template <class Log>
int suitor(const Csr& graph, const CancelFlag& cancel, int* mate, Work* work, Log log) {
    std::vector<Offer> offers(graph.n, kNoOffer);
    for (int u = 0; u < graph.n; ++u) {
        int current = u;
        while (current != kNobody) {
            if (cancel.raised()) return kCancelled;
            ++work->scans;
            const Offer found = find_partner(graph, offers, current);
            count_scan(log, graph, current);
            if (found == kNoOffer) {
                log_exhausted(log, current);
                break;
            }
            const int partner = offer_from(found);
            const int displaced = offer_from(offers[partner]);
            log_suitor(log, current, partner, offer_weight(found), offers[partner]);
            offers[partner] = make_offer(offer_weight(found), current);
            current = displaced;
        }
    }
    std::transform(offers.begin(), offers.end(), mate, offer_from);
    return kDone;
}

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_suitor_serial(int n, const long long* indptr, const int* indices,
                                 const float* weights, int /*threads*/, const int* cancel,
                                 int* mate, cpu::Work* work,
                                 const cpu::Recording* recording) {
    return cpu::guarded([&] {
        *work = cpu::Work{};
        const cpu::Csr graph{n, indptr, indices, weights};
        return cpu::with_logs(recording, [&](auto logs) {
            return cpu::suitor(graph, cpu::CancelFlag(cancel), mate, work, logs.of(0));
        });
    });
}
