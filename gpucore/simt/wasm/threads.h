// The names of core/threads.h where there is one thread: nothing to lock, nobody to wait for.
#pragma once

#define SIMT_EACH_THREAD

namespace simt {

struct Thread {};

struct Mutex {};

struct Lock {
    explicit Lock(Mutex&) {}
    void lock() {}
    void unlock() {}
};

struct Condition {
    void notify_all() {}
    template <class Time> void wait_for(Lock&, Time) {}
};

}  // namespace simt
