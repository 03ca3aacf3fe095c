// What all CPU methods share: the graph's view, the wish to stop, return codes.
#pragma once

#include <new>
#include <system_error>

#if defined(_WIN32)
#define CPU_EXPORT extern "C" __declspec(dllexport)
#else
#define CPU_EXPORT extern "C" __attribute__((visibility("default")))
#endif

namespace cpu {

enum Status : int { kDone = 0, kCancelled = 1, kNoMemory = 2, kNoThreads = 3 };

// Compressed sparse rows; both directions of an edge are stored, rows are sorted by neighbour.
struct Csr {
    int n;
    const long long* indptr;
    const int* indices;
    const float* weights;
};

// The caller's flag, set by another thread to stop the run. Null: cannot be cancelled.
class CancelFlag {
public:
    explicit CancelFlag(const int* flag) : flag_(flag) {}
    bool raised() const {
        return flag_ != nullptr && __atomic_load_n(flag_, __ATOMIC_RELAXED) != 0;
    }

private:
    const int* flag_;
};

// No exception may cross the plain C interface.
template <class Body>
int guarded(Body&& body) {
    try {
        return body();
    } catch (const std::bad_alloc&) {
        return kNoMemory;
    } catch (const std::system_error&) {
        return kNoThreads;
    }
}

}  // namespace cpu
