// How a method on the processor records what it does: in the buffers of kernels/record.cuh, with a
// thread in the place of a warp.
//
// A method is a template of the log that it writes to. With NoLog nothing of this reaches the
// machine code. An event takes its place in the buffer from one counter, which all threads share:
// the places are the order of the events. So a method writes an event where the order is decided:
// under the lock of what it changes, or behind the atomic operation that succeeded. What does not
// fit is counted; what is kept is the beginning of the run, without a gap.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstring>

namespace cpu {

// As in kernels/record.cuh; gpucore/record/recorder.py makes the table and reads the buffers.
struct Recording {
    unsigned* events;                  // 8 words an event
    unsigned long long event_capacity;
    unsigned long long* event_count;   // counts on past the capacity
    unsigned* rows;                    // 8 words a row, [iteration][thread]
    unsigned long long row_capacity;   // iterations kept for each thread
    unsigned* iterations;              // one a thread: how many it went through
    unsigned long long threads;
    unsigned long long* times;         // nanoseconds
};

constexpr int kRowWords = 8;

// The log of one thread of a run without a record.
struct NoLog {
    static constexpr bool kOn = false;
    void begin(int) {}
    template <class Amount>
    void count(int, Amount) {}
    void event(unsigned, int, int = -1, int = -1, float = 0.0f, int = 0) {}
};

// The log of one thread.
class Log {
public:
    static constexpr bool kOn = true;

    Log(const Recording& recording, int thread) : to_(recording), thread_(thread) { begin(0); }

    // What follows belongs to this iteration. Iterations past the last kept one share its row.
    void begin(int iteration) {
        iteration_ = iteration;
        begun_ = false;
    }

    // Add to a word of the thread's row; which words mean what is the family's affair.
    void count(int word, unsigned amount) {
        row()[word] += amount;
    }
    void count(int word, int amount) { count(word, static_cast<unsigned>(amount)); }
    void count(int word, long long amount) { count(word, static_cast<unsigned>(amount)); }
    void count(int word, float amount) {
        float sum;
        std::memcpy(&sum, row() + word, sizeof sum);
        sum += amount;
        std::memcpy(row() + word, &sum, sizeof sum);
    }

    // Events of one thread and one batch are in the order of their places. Not inlined: methods
    // without a record, in the same file, would be compiled in another way.
    __attribute__((noinline)) void event(unsigned kind, int a, int b = -1, int c = -1, float value = 0.0f, int batch = 0) {
        if (to_.event_capacity == 0) return;  // counters only
        // Acquire and release: a place that is read later is a higher place.
        const auto place = __atomic_fetch_add(to_.event_count, 1ull, __ATOMIC_ACQ_REL);
        if (place >= to_.event_capacity) return;
        to_.times[place] = now();
        unsigned* const words = to_.events + place * 8;
        words[0] = static_cast<unsigned>(iteration_);
        words[1] = static_cast<unsigned>(thread_);
        words[2] = kind;
        words[3] = static_cast<unsigned>(a);
        words[4] = static_cast<unsigned>(b);
        words[5] = static_cast<unsigned>(c);
        std::memcpy(words + 6, &value, sizeof value);
        words[7] = static_cast<unsigned>(batch);
    }

private:
    static unsigned long long now() {
        const auto time = std::chrono::steady_clock::now().time_since_epoch();
        return static_cast<unsigned long long>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(time).count());
    }

    unsigned* row() {
        if (!begun_) {
            begun_ = true;
            const auto wanted = static_cast<unsigned long long>(iteration_);
            const auto kept = std::min(wanted, to_.row_capacity - 1);
            row_ = to_.rows + (kept * to_.threads + thread_) * kRowWords;
            unsigned& iterations = to_.iterations[thread_];
            iterations = std::max(iterations, static_cast<unsigned>(iteration_) + 1);
        }
        return row_;
    }

    const Recording to_;
    const int thread_;
    int iteration_ = 0;
    bool begun_ = false;
    unsigned* row_ = nullptr;
};

// What gives each thread of a team its log.
struct NoLogs {
    static constexpr bool kOn = false;
    NoLog of(int) const { return {}; }
};

class Logs {
public:
    static constexpr bool kOn = true;
    explicit Logs(const Recording& recording) : recording_(recording) {}
    Log of(int thread) const { return Log(recording_, thread); }

private:
    const Recording& recording_;
};

// Run body(logs), which is compiled for both; without a recording nothing is recorded.
template <class Body>
int with_logs(const Recording* recording, Body&& body) {
    return recording == nullptr ? body(NoLogs{}) : body(Logs(*recording));
}

}  // namespace cpu
