// A team of threads that run one function together, and what they share work with.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace cpu {

// Spin briefly, then let others run: there may be more threads than cores.
class Backoff {
public:
    void pause() {
        if (++spins_ > 64) std::this_thread::yield();
    }

private:
    int spins_ = 0;
};

// One byte a vertex: omp_lock_t would take more memory than everything else.
class SpinLock {
public:
    void lock() {
        Backoff backoff;
        while (held_.exchange(true, std::memory_order_acquire)) backoff.pause();
    }
    void unlock() { held_.store(false, std::memory_order_release); }

private:
    std::atomic<bool> held_{false};
};

// Hands out consecutive chunks of 0..size-1, as OpenMP's dynamic schedule does.
class Chunks {
public:
    static constexpr int kSize = 64;

    explicit Chunks(int size) : size_(size) {}

    bool take(int* begin, int* end) {
        const long long first = next_.fetch_add(kSize, std::memory_order_relaxed);
        if (first >= size_) return false;
        *begin = static_cast<int>(first);
        *end = static_cast<int>(std::min<long long>(first + kSize, size_));
        return true;
    }

    // Only while no thread takes.
    void reset(int size) {
        size_ = size;
        next_.store(0, std::memory_order_relaxed);
    }

private:
    // Past the end the counter grows by one chunk a thread, so sizes near 2^31 need the room.
    std::atomic<long long> next_{0};
    int size_;
};

// All threads wait; the last to arrive runs `serial` before any goes on.
class Barrier {
public:
    explicit Barrier(int threads) : threads_(threads) {}

    template <class Serial>
    void wait(Serial&& serial) {
        const unsigned round = round_.load(std::memory_order_relaxed);
        if (arrived_.fetch_add(1, std::memory_order_acq_rel) == threads_ - 1) {
            serial();
            arrived_.store(0, std::memory_order_relaxed);
            round_.store(round + 1, std::memory_order_release);
            return;
        }
        Backoff backoff;
        while (round_.load(std::memory_order_acquire) == round) backoff.pause();
    }

private:
    const int threads_;
    std::atomic<int> arrived_{0};
    std::atomic<unsigned> round_{0};
};

// Run body(0) .. body(threads - 1) at the same time; the caller is thread 0.
// The bodies may wait for each other, so none starts before all threads exist; if one cannot be
// started, none runs and std::system_error is thrown. Bodies must not throw.
template <class Body>
void run_team(int threads, Body&& body) {
    enum class Gate { shut, open, abandoned };
    Gate gate = Gate::shut;
    std::mutex mutex;
    std::condition_variable moved;
    std::vector<std::thread> others;

    const auto move_gate = [&](Gate to) {
        {
            const std::lock_guard<std::mutex> hold(mutex);
            gate = to;
        }
        moved.notify_all();
    };
    const auto enter = [&](int rank) {
        {
            std::unique_lock<std::mutex> hold(mutex);
            moved.wait(hold, [&] { return gate != Gate::shut; });
            if (gate == Gate::abandoned) return;
        }
        body(rank);
    };

    try {
        others.reserve(static_cast<std::size_t>(threads) - 1);
        for (int rank = 1; rank < threads; ++rank) others.emplace_back(enter, rank);
    } catch (...) {
        move_gate(Gate::abandoned);
        for (auto& other : others) other.join();
        throw;
    }
    move_gate(Gate::open);
    body(0);
    for (auto& other : others) other.join();
}

}  // namespace cpu
