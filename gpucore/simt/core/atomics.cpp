// Atomic functions.  Before each, the lane may have to let others go first.
//
// If no other OS thread runs the launch, lanes change only at known points and plain reads and
// writes are atomic enough; with several, it is a loop around compare-and-swap.  So it always is in
// the functions with the scope of the system: other launches update the same words.
#include "../host/atomics.h"

#include <cstring>

#include "../host/memory.h"
#include "hooks.h"
#include "worker.h"

namespace simt {

static inline Worker& begin(const void* address, std::size_t size, Place place)
{
    spend_quantum();
    Worker& worker = *current_lane().warp->worker;
    ++worker.stats.atomics;
    hook::atomic_access(address, size, place);
    return worker;
}

static inline void failed(Worker& worker, const void* address, Place place)
{
    ++worker.stats.cas_failed;
    hook::compare_failed(address, place);
}

// For the atomics of ../cuda, which are templates; host code of a watched program has them, too.
void atomic_begins(const void* address, std::size_t size, Place place)
{
    if (current != nullptr) begin(address, size, place);
}

void compare_failed(const void* address, Place place)
{
    if (current != nullptr) failed(*current_lane().warp->worker, address, place);
}

namespace {

// Bits count, not values: a NaN must compare equal to itself here.
template <class T> inline bool same_bits(T a, T b) { return std::memcmp(&a, &b, sizeof a) == 0; }

// Numbers add modulo 2^n in CUDA; in C++ only unsigned ones do.
template <class T> struct Modular { typedef T type; };
template <> struct Modular<int> { typedef unsigned type; };

template <class T> T add(T a, T b)
{
    typedef typename Modular<T>::type M;
    return T(M(a) + M(b));
}

template <class T> T subtract(T a, T b)
{
    typedef typename Modular<T>::type M;
    return T(M(a) - M(b));
}

enum class Scope { launch, system };

template <Scope scope, class T, class F>
inline T update(T* address, T value, F f, Place place)
{
    const Worker& worker = begin(address, sizeof(T), place);
    T old;
    if (scope == Scope::launch && worker.alone) {
        old = *address;
        *address = f(old, value);
        return old;
    }
    __atomic_load(address, &old, __ATOMIC_RELAXED);
    for (;;) {
        T wanted = f(old, value);
        if (__atomic_compare_exchange(address, &old, &wanted, true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED))
            return old;
    }
}

template <Scope scope, class T>
inline T swap_if(T* address, T compare, T value, Place place)
{
    Worker& worker = begin(address, sizeof(T), place);
    T found = compare;
    bool swapped;
    if (scope == Scope::launch && worker.alone) {
        found = *address;
        swapped = same_bits(found, compare);
        if (swapped) *address = value;
    } else {
        swapped = __atomic_compare_exchange(address, &found, &value, false, __ATOMIC_RELAXED,
                                            __ATOMIC_RELAXED);
    }
    if (!swapped) failed(worker, address, place);
    return found;
}

template <class T> T atomicAdd_(T old, T value) { return add(old, value); }
template <class T> T atomicSub_(T old, T value) { return subtract(old, value); }
template <class T> T atomicMin_(T old, T value) { return value < old ? value : old; }
template <class T> T atomicMax_(T old, T value) { return old < value ? value : old; }
template <class T> T atomicAnd_(T old, T value) { return old & value; }
template <class T> T atomicOr_(T old, T value) { return old | value; }
template <class T> T atomicXor_(T old, T value) { return old ^ value; }
template <class T> T atomicExch_(T, T value) { return value; }
template <class T> T atomicInc_(T old, T value) { return old >= value ? 0 : old + 1; }
template <class T> T atomicDec_(T old, T value)
{
    return old == 0 || old > value ? value : old - 1;
}

}  // namespace
}  // namespace simt

#define SIMT_DEFINE(name, T)                                                           \
    T name(T* address, T value)                                                        \
    {                                                                                  \
        return simt::update<simt::Scope::launch>(address, value, simt::name##_<T>,     \
                                                 SIMT_CALLED_FROM);                    \
    }                                                                                  \
    T name##_system(T* address, T value)                                               \
    {                                                                                  \
        return simt::update<simt::Scope::system>(address, value, simt::name##_<T>,     \
                                                 SIMT_CALLED_FROM);                    \
    }
SIMT_ATOMICS(SIMT_DEFINE)
#undef SIMT_DEFINE

#define SIMT_DEFINE(T)                                                                        \
    T atomicCAS(T* address, T compare, T value)                                               \
    {                                                                                         \
        return simt::swap_if<simt::Scope::launch>(address, compare, value, SIMT_CALLED_FROM); \
    }                                                                                         \
    T atomicCAS_system(T* address, T compare, T value)                                        \
    {                                                                                         \
        return simt::swap_if<simt::Scope::system>(address, compare, value, SIMT_CALLED_FROM); \
    }
SIMT_ATOMIC_CAS(SIMT_DEFINE)
#undef SIMT_DEFINE
