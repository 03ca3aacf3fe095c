// Walks over explicit lists that certify a marriage: see native_proof.py.

#include <cstdint>

#include "pairs.h"

namespace {

using proof::Work;

// Mirrors Lists of native_proof.py.  Row m has the women of man m, best first.
struct Lists {
    int men, women;
    const long long* indptr;
    const int* list;
    const int* her_rank;
};

// A marriage: its pairs, sorted, and the first ranks at which persons do not agree.
struct Held {
    long long pairs;
    const int* husbands;
    const int* wives;
    const int* man_limit;
    const int* woman_limit;

    bool married(int man, int woman) const {
        const int* first = std::lower_bound(husbands, husbands + pairs, man);
        const int* last = std::upper_bound(first, husbands + pairs, man);
        return std::binary_search(wives + (first - husbands), wives + (last - husbands), woman);
    }
};

// Entries of a man's row before his limit.
long long agreed_end(const Lists& lists, const Held& held, int man) {
    return std::min(lists.indptr[man + 1], lists.indptr[man] + held.man_limit[man] - 1);
}

// Run body(block, man) for all men.
template <class Body>
bool each_man(const Lists& lists, const Work& work, Body&& body) {
    const proof::RowBlocks rows(work, lists.men, lists.indptr);
    return proof::blocks(work, rows.count(), [&](int, long long block) {
        const int last = rows.last(block);
        for (int man = rows.first(block); man < last; ++man) body(block, man);
    });
}

void lower(long long* place, long long value) {
    long long seen = __atomic_load_n(place, __ATOMIC_RELAXED);
    while (value < seen && !__atomic_compare_exchange_n(place, &seen, value, true, __ATOMIC_RELAXED,
                                                        __ATOMIC_RELAXED)) {
    }
}

}  // namespace

// The ranks that the two of each pair give each other; both 0 where they do not list each other.
CPU_EXPORT int proof_marriage_ranks(const Lists* lists, const Work* work, long long pairs,
                                    const int* men, const int* women, int* his, int* hers) {
    return cpu::guarded([&] {
        const bool done = proof::pieces(
            *work, pairs, [&](int, long long, long long begin, long long end) {
                for (long long i = begin; i < end; ++i) {
                    const int* first = lists->list + lists->indptr[men[i]];
                    const int* last = lists->list + lists->indptr[men[i] + 1];
                    const int* at = std::find(first, last, women[i]);
                    his[i] = at == last ? 0 : static_cast<int>(at - first) + 1;
                    hers[i] = at == last ? 0 : lists->her_rank[at - lists->list];
                }
            });
        return done ? cpu::kDone : cpu::kCancelled;
    });
}

// Pairs that block: entries in which both agree and that are not married.
CPU_EXPORT int proof_marriage_blocking(const Lists* lists, const Work* work, const Held* held,
                                       proof::Edges* out) {
    return cpu::guarded([&] {
        *out = proof::Edges{};
        std::vector<proof::Edges> parts(proof::RowBlocks(*work, lists->men, lists->indptr).count());
        const bool done = each_man(*lists, *work, [&](long long block, int man) {
            const long long end = agreed_end(*lists, *held, man);
            for (long long e = lists->indptr[man]; e < end; ++e) {
                const int woman = lists->list[e];
                if (lists->her_rank[e] < held->woman_limit[woman] && !held->married(man, woman))
                    parts[block].add(man, e);
            }
        });
        for (const proof::Edges& part : parts) out->append(part);
        return done ? cpu::kDone : cpu::kCancelled;
    });
}

// For every woman the first man after hers who prefers her to his partner: her rank of him and the
// man as one number.  `best` begins with the largest number.
CPU_EXPORT int proof_marriage_next_men(const Lists* lists, const Work* work, const Held* held,
                                       long long* best) {
    return cpu::guarded([&] {
        const bool done = each_man(*lists, *work, [&](long long, int man) {
            const long long end = agreed_end(*lists, *held, man);
            for (long long e = lists->indptr[man]; e < end; ++e) {
                const long long rank = lists->her_rank[e];
                lower(best + lists->list[e], rank << 32 | man);
            }
        });
        return done ? cpu::kDone : cpu::kCancelled;
    });
}

// For every man the first woman after his who prefers him to her partner; -1 if there is none.
CPU_EXPORT int proof_marriage_next_women(const Lists* lists, const Work* work, const Held* held,
                                         long long* best) {
    return cpu::guarded([&] {
        const bool done = each_man(*lists, *work, [&](long long, int man) {
            best[man] = -1;
            long long e = lists->indptr[man] + held->man_limit[man];
            for (; e < lists->indptr[man + 1] && best[man] < 0; ++e)
                if (lists->her_rank[e] < held->woman_limit[lists->list[e]]) best[man] = lists->list[e];
        });
        return done ? cpu::kDone : cpu::kCancelled;
    });
}

// One step of pointer doubling: next[p] = far[far[p]], or -1; counts those that still go on.
CPU_EXPORT int proof_double(const Work* work, long long size, const int* far, int* next,
                            long long* going) {
    return cpu::guarded([&] {
        std::atomic<long long> count{0};
        const bool done = proof::pieces(
            *work, size, [&](int, long long, long long begin, long long end) {
                long long here = 0;
                for (long long p = begin; p < end; ++p) {
                    next[p] = far[p] < 0 ? -1 : far[far[p]];
                    here += next[p] >= 0;
                }
                count.fetch_add(here, std::memory_order_relaxed);
            });
        *going = count;
        return done ? cpu::kDone : cpu::kCancelled;
    });
}
