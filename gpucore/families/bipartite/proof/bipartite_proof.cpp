// The cover that proves a bipartite matching maximum: see gpucore/families/bipartite/certificate.py.
//
// The search may visit columns in any order, since the cover that it finds is checked afterwards.

#include "pairs.h"

namespace {

using proof::Found;
using proof::Work;

// Columns of a level that are expanded by one thread: starting others would take longer.
constexpr long long kFew = 1 << 14;

// Mirrors _Matrix of native_proof.py: the matrix by columns, and a matching.
struct Matrix {
    int columns;
    const long long* indptr;
    const int* rows;
    const int* row_match;
    const int* column_match;
};

// Mirrors _Found of native_proof.py.
struct Searched {
    Found missing;  // columns whose pair is not an entry
    int augmenting;  // whether an unmatched row was reached
};

// Mirrors Covered of native_proof.py.
struct Covered {
    long long rows, columns;  // members
    proof::Edges outside;     // entries that do not end in the cover, and their columns
};

bool check_pairs(const Matrix& m, const Work& work, Searched* out) {
    const proof::RowBlocks blocks(work, m.columns, m.indptr);
    std::vector<Found> parts(blocks.count());
    const bool done = proof::blocks(work, blocks.count(), [&](int, long long at) {
        const int last = blocks.last(at);
        for (int c = blocks.first(at); c < last; ++c) {
            if (m.column_match[c] < 0) continue;
            const int* end = m.rows + m.indptr[c + 1];
            if (std::find(m.rows + m.indptr[c], end, m.column_match[c]) == end) parts[at].add(c);
        }
    });
    for (const Found& part : parts) out->missing.append(part);
    return done;
}

// Mark the columns and rows that alternating paths from the unmatched columns reach.
class Search {
public:
    Search(const Matrix& m, const Work& work, unsigned char* rows, unsigned char* columns)
        : m_(m), work_(work), rows_(rows), columns_(columns), queue_(m.columns) {}

    bool run(int* augmenting) {
        for (int c = 0; c < m_.columns; ++c) {
            columns_[c] = m_.column_match[c] < 0;
            if (columns_[c]) queue_[tail_++] = c;
        }
        const cpu::CancelFlag cancel(work_.cancel);
        long long head = 0;
        while (head < tail_ && !sink_ && !cancel.raised()) {
            const long long end = tail_;
            if (end - head <= kFew) {
                for (long long i = head; i < end; ++i) expand(queue_[i]);
            } else {
                const long long first = head;
                proof::blocks(work_, (end - head + 255) / 256, [&](int, long long block) {
                    const long long begin = first + block * 256;
                    for (long long i = begin; i < std::min(end, begin + 256); ++i) expand(queue_[i]);
                });
            }
            head = end;
        }
        *augmenting = sink_;
        return !cancel.raised();
    }

private:
    void expand(int c) {
        for (long long e = m_.indptr[c]; e < m_.indptr[c + 1]; ++e) {
            const int r = m_.rows[e];
            const int next = m_.row_match[r];
            if (next < 0) {
                sink_ = 1;
                return;
            }
            if (__atomic_load_n(&columns_[next], __ATOMIC_RELAXED)) continue;
            if (__atomic_exchange_n(&columns_[next], 1, __ATOMIC_RELAXED)) continue;
            rows_[r] = 1;
            queue_[tail_.fetch_add(1, std::memory_order_relaxed)] = next;
        }
    }

    const Matrix& m_;
    const Work& work_;
    unsigned char* rows_;
    unsigned char* columns_;
    std::vector<int> queue_;
    std::atomic<long long> tail_{0};
    std::atomic<int> sink_{0};
};

bool check_cover(const Matrix& m, const Work& work, const unsigned char* rows,
                 const unsigned char* columns, Covered* out) {
    struct Part {
        proof::Edges outside;
        long long members = 0;
    };
    const proof::RowBlocks blocks(work, m.columns, m.indptr);
    std::vector<Part> parts(blocks.count());
    const bool done = proof::blocks(work, blocks.count(), [&](int, long long at) {
        const int last = blocks.last(at);
        for (int c = blocks.first(at); c < last; ++c) {
            parts[at].members += columns[c];
            if (columns[c]) continue;
            for (long long e = m.indptr[c]; e < m.indptr[c + 1]; ++e)
                if (!rows[m.rows[e]]) parts[at].outside.add(c, e);
        }
    });
    for (const Part& part : parts) {
        out->outside.append(part.outside);
        out->columns += part.members;
    }
    return done;
}

}  // namespace

// Check that the pairs, which have to be mutual, are entries, and search for the cover: `rows` and
// `columns` have a byte for each row, all 0, and each column.
CPU_EXPORT int proof_bipartite(const Matrix* matrix, const Work* work, unsigned char* rows,
                               unsigned char* columns, Searched* out) {
    return cpu::guarded([&] {
        *out = Searched{};
        if (!check_pairs(*matrix, *work, out)) return cpu::kCancelled;
        if (out->missing.count != 0) return cpu::kDone;
        Search search(*matrix, *work, rows, columns);
        if (!search.run(&out->augmenting)) return cpu::kCancelled;
        for (int c = 0; c < matrix->columns; ++c) columns[c] = !columns[c];
        return cpu::kDone;
    });
}

// Count the members of a cover, and find what it does not cover; the matching is not read.
CPU_EXPORT int proof_cover(const Matrix* matrix, const Work* work, int row_count,
                           const unsigned char* rows, const unsigned char* columns, Covered* out) {
    return cpu::guarded([&] {
        *out = Covered{};
        for (int r = 0; r < row_count; ++r) out->rows += rows[r];
        return check_cover(*matrix, *work, rows, columns, out) ? cpu::kDone : cpu::kCancelled;
    });
}
