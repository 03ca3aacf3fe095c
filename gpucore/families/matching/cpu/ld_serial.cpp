// The locally dominant algorithm, one thread.
//
// Algorithms 1 and 2 of Md. Naim, F. Manne, M. Halappanavar, A. Tumeo and J. Langguth,
// "Optimizing approximate weighted matching on Nvidia Kepler K40", HiPC 2015, section 2.1, after
// M. Halappanavar, J. Feo, O. Villa, A. Tumeo and A. Pothen, "Approximate weighted matching on
// emerging manycore and multithreaded architectures", IJHPCA 2012.
//
// Each vertex points at its best unmatched neighbour; two that point at each other are matched.
// Then only vertices that pointed at a newly matched vertex need to look again: the queue.

#include <algorithm>
#include <utility>
#include <vector>

#include "matching.h"

namespace cpu {
namespace {

template <class Log>
class LocallyDominant {
public:
    LocallyDominant(const Csr& graph, int* mate, Work* work, Log log)
        : graph_(graph), mate_(mate), work_(work), log_(log), candidate_(graph.n, kNobody) {
        std::fill_n(mate_, graph_.n, kNobody);
    }

    // Algorithm 1.
    int run(const CancelFlag& cancel) {
        for (int v = 0; v < graph_.n; ++v) {
            if (cancel.raised()) return kCancelled;
            process_vertex(v);
        }
        while (!next_.empty()) {
            std::swap(current_, next_);
            next_.clear();
            log_.begin(static_cast<int>(++work_->rounds));
            for (const int u : current_) {
                if (cancel.raised()) return kCancelled;
                release_neighbours(u);
            }
        }
        return kDone;
    }

private:
    // Lines 10-12. The paper's text, unlike line 11, says "unmatched": u's own mate points at u
    // too, and would be matched a second time.
    void release_neighbours(int u) {
        ++work_->scans;
        for (long long e = graph_.indptr[u]; e < graph_.indptr[u + 1]; ++e) {
            const int v = graph_.indices[e];
            if (candidate_[v] == u && mate_[v] == kNobody) process_vertex(v);
        }
    }

    // Algorithm 2, with ties broken by the larger neighbour.
    void process_vertex(int s) {
        ++work_->scans;
        Offer best = kNoOffer;
        for (long long e = graph_.indptr[s]; e < graph_.indptr[s + 1]; ++e) {
            const int t = graph_.indices[e];
            const float weight = graph_.weights[e];
            if (!usable(s, t, weight) || make_offer(weight, t) <= best) continue;
            if (mate_[t] == kNobody) best = make_offer(weight, t);
        }
        const int t = candidate_[s] = offer_from(best);
        count_scan(log_, graph_, s);
        if (t == kNobody) return log_exhausted(log_, s);
        log_.event(POINT, s, t, -1, offer_weight(best));
        log_.count(kProposals, 1);
        if (candidate_[t] != s) return;
        mate_[s] = t;
        mate_[t] = s;
        log_match(log_, s, t, offer_weight(best));
        next_.push_back(s);
        next_.push_back(t);
    }

    const Csr& graph_;
    int* const mate_;
    Work* const work_;
    Log log_;
    std::vector<int> candidate_;
    std::vector<int> current_, next_;
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_ld_serial(int n, const long long* indptr, const int* indices,
                             const float* weights, int /*threads*/, const int* cancel, int* mate,
                             cpu::Work* work, const cpu::Recording* recording) {
    return cpu::guarded([&] {
        *work = cpu::Work{};
        const cpu::Csr graph{n, indptr, indices, weights};
        return cpu::with_logs(recording, [&](auto logs) {
            return cpu::LocallyDominant(graph, mate, work, logs.of(0))
                .run(cpu::CancelFlag(cancel));
        });
    });
}
