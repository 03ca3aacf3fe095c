// Threads that stay for a whole method and help its first thread whenever it has work to share.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <new>

#include "team.h"

namespace cpu {

class Crew {
public:
    explicit Crew(int threads) : threads_(threads), barrier_(threads) {}
    int threads() const { return threads_; }

    // Run `lead` on the calling thread while the others wait for work; its exceptions get out.
    template <class Lead>
    void employ(Lead&& lead) {
        std::exception_ptr thrown;
        run_team(threads_, [&](int rank) {
            if (rank != 0) {
                help(rank);
                return;
            }
            try {
                lead();
            } catch (...) {
                thrown = std::current_exception();
            }
            work_ = nullptr;
            barrier_.wait([] {});
        });
        if (thrown) std::rethrow_exception(thrown);
    }

    // Run body(0) .. body(threads - 1) at the same time.  Only `lead` calls.
    void all(const std::function<void(int)>& body) {
        work_ = &body;
        if (threads_ > 1) barrier_.wait([] {});
        attempt(0);
        if (threads_ > 1) barrier_.wait([] {});
        if (out_of_memory_.load(std::memory_order_relaxed)) throw std::bad_alloc();
    }

    // Run body(rank, begin, end) for chunks of 0..size-1, handed out as threads get free.
    template <class Body>
    void chunks(int size, const CancelFlag& cancel, Body&& body) {
        Chunks waiting(size);
        all([&](int rank) {
            int begin, end;
            while (!cancel.raised() && waiting.take(&begin, &end)) body(rank, begin, end);
        });
    }

private:
    void help(int rank) {
        while (true) {
            barrier_.wait([] {});
            if (work_ == nullptr) return;
            attempt(rank);
            barrier_.wait([] {});
        }
    }

    void attempt(int rank) {
        try {
            (*work_)(rank);
        } catch (const std::bad_alloc&) {
            out_of_memory_.store(true, std::memory_order_relaxed);
        }
    }

    const int threads_;
    Barrier barrier_;
    const std::function<void(int)>* work_ = nullptr;
    std::atomic<bool> out_of_memory_{false};
};

}  // namespace cpu
