// What all native certificates share: work in blocks, findings, sums.
//
// The bounds of blocks depend on the problem only, and each block leaves its own sums and findings,
// which are put together in the order of the blocks.  So no figure and no sentence of a certificate
// depends on the number of threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "common.h"
#include "team.h"

namespace proof {

using cpu::Csr;

// Violations that a failed check lists.
constexpr int kNamed = 5;

// How a certificate runs; see gpucore/certify/work.py.
struct Work {
    int threads;
    const int* cancel;
    long long* done;  // blocks done, of all passes together; the caller reads it for its progress
    long long block;  // entries and rows of a block together; a row is never split

    long long count(long long size) const { return (size + block - 1) / block; }
};

// Run body(rank, block) for the blocks 0..count-1; false if the caller has cancelled.
template <class Body>
bool blocks(const Work& work, long long count, Body&& body) {
    const cpu::CancelFlag cancel(work.cancel);
    std::atomic<long long> next{0};
    const int team = static_cast<int>(std::max(1LL, std::min<long long>(work.threads, count)));
    cpu::run_team(team, [&](int rank) {
        while (!cancel.raised()) {
            const long long block = next.fetch_add(1, std::memory_order_relaxed);
            if (block >= count) return;
            body(rank, block);
            __atomic_fetch_add(work.done, 1, __ATOMIC_RELAXED);
        }
    });
    return !cancel.raised();
}

// Run body(rank, block, begin, end) for pieces of 0..size-1.
template <class Body>
bool pieces(const Work& work, long long size, Body&& body) {
    return blocks(work, work.count(size), [&](int rank, long long block) {
        body(rank, block, block * work.block, std::min(size, (block + 1) * work.block));
    });
}

// Blocks of whole rows with about as many entries each.
class RowBlocks {
public:
    RowBlocks(const Work& work, int n, const long long* indptr)
        : size_(work.block), count_(work.count(indptr[n] + n)), n_(n), indptr_(indptr) {}
    long long count() const { return count_; }

    // The rows first..last-1 of a block; may be none.
    int first(long long block) const {
        int low = 0, high = n_;
        while (low < high) {
            const int middle = low + (high - low) / 2;
            if (indptr_[middle] + middle < block * size_) low = middle + 1;
            else high = middle;
        }
        return low;
    }
    int last(long long block) const { return block + 1 < count_ ? first(block + 1) : n_; }

private:
    long long size_, count_;
    int n_;
    const long long* indptr_;
};

// A sum with the rounding errors of its additions added at the end (Neumaier 1974).
class Sum {
public:
    void add(double value) {
        const double next = sum_ + value;
        lost_ += std::fabs(sum_) >= std::fabs(value) ? (sum_ - next) + value : (value - next) + sum_;
        sum_ = next;
    }
    double value() const { return sum_ + lost_; }

private:
    double sum_ = 0.0, lost_ = 0.0;
};

template <class Part, class Value>
double sum_of(const std::vector<Part>& parts, Value&& value) {
    Sum sum;
    for (const Part& part : parts) sum.add(value(part));
    return sum.value();
}

// How many places violate a property, and the first of them.
struct Found {
    long long count = 0;
    long long at[kNamed] = {-1, -1, -1, -1, -1};

    void add(long long place) {
        if (count < kNamed) at[count] = place;
        ++count;
    }
    // Append the findings of a later block.
    void append(const Found& other) {
        for (long long i = 0; i < std::min<long long>(other.count, kNamed); ++i)
            if (count + i < kNamed) at[count + i] = other.at[i];
        count += other.count;
    }
};

}  // namespace proof
