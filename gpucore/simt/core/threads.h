// What the executor needs of OS threads.  In WebAssembly there is one, which never waits.
#pragma once

#if defined(__wasm__)

#include "../wasm/threads.h"

#else

#include <pthread.h>

#include <condition_variable>
#include <mutex>

// A variable of which every OS thread has its own.
#define SIMT_EACH_THREAD thread_local

namespace simt {

typedef pthread_t Thread;
typedef std::mutex Mutex;
typedef std::unique_lock<std::mutex> Lock;
typedef std::condition_variable Condition;

}  // namespace simt

#endif
