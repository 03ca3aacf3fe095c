// cuda::atomic and cuda::atomic_ref (the headers cuda/atomic and cuda/std/atomic).
//
// Reads and writes are the racy ones of simt_load and simt_store.  A fence comes before what is
// released, and after what is acquired.
#pragma once

#include "atomics.h"
#include "functions.h"

namespace cuda {

enum thread_scope {
    thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread
};

namespace std {
enum memory_order {
    memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release,
    memory_order_acq_rel, memory_order_seq_cst
};
}  // namespace std

using std::memory_order;
using std::memory_order_acq_rel;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
using std::memory_order_seq_cst;

inline void atomic_thread_fence(memory_order order, thread_scope scope = thread_scope_system)
{
    if (order == memory_order_relaxed || scope == thread_scope_thread) return;
    if (scope == thread_scope_block) __threadfence_block();
    else __threadfence();
}

}  // namespace cuda

namespace simt {

constexpr bool releases(cuda::memory_order order) { return order >= cuda::memory_order_release; }
constexpr bool acquires(cuda::memory_order order)
{
    return order != cuda::memory_order_relaxed && order != cuda::memory_order_release;
}

// The functions of both classes; Self::word() is the address.
#define SIMT_ORDER cuda::memory_order order = cuda::memory_order_seq_cst
template <class Self, class T, cuda::thread_scope scope> class AtomicFunctions {
public:
    typedef T value_type;
    static constexpr bool is_always_lock_free = sizeof(T) <= 8;
    bool is_lock_free() const { return is_always_lock_free; }

    SIMT_OBSERVED T load(SIMT_ORDER) const { return read(order, SIMT_CALLED_FROM); }
    SIMT_OBSERVED operator T() const
    {
        return read(cuda::memory_order_seq_cst, SIMT_CALLED_FROM);
    }
    SIMT_OBSERVED void store(T value, SIMT_ORDER) { write(value, order, SIMT_CALLED_FROM); }
    SIMT_OBSERVED T operator=(T value)
    {
        write(value, cuda::memory_order_seq_cst, SIMT_CALLED_FROM);
        return value;
    }
    SIMT_OBSERVED T exchange(T value, SIMT_ORDER)
    {
        return change([=](T) { return value; }, order, SIMT_CALLED_FROM);
    }
    SIMT_OBSERVED bool compare_exchange_strong(T& expected, T value, SIMT_ORDER)
    {
        return swap(expected, value, order, SIMT_CALLED_FROM);
    }
    SIMT_OBSERVED bool compare_exchange_strong(T& expected, T value, cuda::memory_order order,
                                               cuda::memory_order)
    {
        return swap(expected, value, order, SIMT_CALLED_FROM);
    }
    SIMT_OBSERVED bool compare_exchange_weak(T& expected, T value, SIMT_ORDER)
    {
        return swap(expected, value, order, SIMT_CALLED_FROM);
    }
    SIMT_OBSERVED bool compare_exchange_weak(T& expected, T value, cuda::memory_order order,
                                             cuda::memory_order)
    {
        return swap(expected, value, order, SIMT_CALLED_FROM);
    }
    // Returns when another thread has changed the value.
    SIMT_OBSERVED void wait(T old, SIMT_ORDER) const
    {
        while (read(order, SIMT_CALLED_FROM) == old) give_way();
    }
    void notify_one() {}
    void notify_all() {}

    // As in CUDA a plain parameter: an atomic that is given is read first.
    typedef typename std::conditional<std::is_pointer<T>::value, std::ptrdiff_t, T>::type Step;
#define SIMT_FETCH(name, V, result)                                                         \
    SIMT_OBSERVED T fetch_##name(V value, SIMT_ORDER)                                       \
    {                                                                                       \
        return change([=](T old) -> T { return result; }, order, SIMT_CALLED_FROM);         \
    }
#define SIMT_FETCH_OPERATOR(name, symbol)                                                 \
    SIMT_FETCH(name, Step, old symbol value)                                               \
    SIMT_OBSERVED T operator symbol##=(Step value)                                        \
    {                                                                                     \
        return change([=](T old) -> T { return old symbol value; },                       \
                      cuda::memory_order_seq_cst, SIMT_CALLED_FROM) symbol value;         \
    }
#define SIMT_STEP(symbol)                                                                 \
    SIMT_OBSERVED T operator symbol##symbol(int)                                          \
    {                                                                                     \
        return change([](T old) -> T { return old symbol 1; },                            \
                      cuda::memory_order_seq_cst, SIMT_CALLED_FROM);                      \
    }                                                                                     \
    SIMT_OBSERVED T operator symbol##symbol()                                             \
    {                                                                                     \
        return change([](T old) -> T { return old symbol 1; },                            \
                      cuda::memory_order_seq_cst, SIMT_CALLED_FROM) symbol 1;             \
    }
    SIMT_FETCH_OPERATOR(add, +)
    SIMT_FETCH_OPERATOR(sub, -)
    SIMT_FETCH_OPERATOR(and, &)
    SIMT_FETCH_OPERATOR(or, |)
    SIMT_FETCH_OPERATOR(xor, ^)
    SIMT_FETCH(min, T, value < old ? value : old)
    SIMT_FETCH(max, T, old < value ? value : old)
    SIMT_STEP(+)
    SIMT_STEP(-)
#undef SIMT_STEP
#undef SIMT_FETCH_OPERATOR
#undef SIMT_FETCH

private:
    T* word() const { return static_cast<const Self*>(this)->word(); }

    SIMT_UNSEEN T read(cuda::memory_order order, Place place) const
    {
        if (order == cuda::memory_order_seq_cst) cuda::atomic_thread_fence(order, scope);
        const T value = racy_load(word(), place);
        if (acquires(order)) cuda::atomic_thread_fence(order, scope);
        return value;
    }
    SIMT_UNSEEN void write(T value, cuda::memory_order order, Place place)
    {
        if (releases(order)) cuda::atomic_thread_fence(order, scope);
        racy_store(word(), value, place);
        if (order == cuda::memory_order_seq_cst) cuda::atomic_thread_fence(order, scope);
    }
    template <class F> SIMT_UNSEEN T change(F f, cuda::memory_order order, Place place)
    {
        if (releases(order)) cuda::atomic_thread_fence(order, scope);
        const T old = update(word(), f, place);
        if (acquires(order)) cuda::atomic_thread_fence(order, scope);
        return old;
    }
    SIMT_UNSEEN bool swap(T& expected, T value, cuda::memory_order order, Place place)
    {
        if (releases(order)) cuda::atomic_thread_fence(order, scope);
        T found = expected;
        const bool swapped = swap_if(word(), found, value, place);
        if (!swapped) plain_store(&expected, found, place);
        if (acquires(order)) cuda::atomic_thread_fence(order, scope);
        return swapped;
    }
};

}  // namespace simt

namespace cuda {

template <class T, thread_scope scope = thread_scope_system>
class atomic_ref : public simt::AtomicFunctions<atomic_ref<T, scope>, T, scope> {
public:
    explicit atomic_ref(T& word) : word_(&word) {}
    using simt::AtomicFunctions<atomic_ref, T, scope>::operator=;
    T* word() const { return word_; }

private:
    T* word_;
};

template <class T, thread_scope scope = thread_scope_system>
class atomic : public simt::AtomicFunctions<atomic<T, scope>, T, scope> {
public:
    atomic() = default;
    constexpr atomic(T value) : value_(value) {}
    atomic(const atomic&) = delete;
    atomic& operator=(const atomic&) = delete;
    using simt::AtomicFunctions<atomic, T, scope>::operator=;
    T* word() const { return &value_; }

private:
    alignas(sizeof(T) & (sizeof(T) - 1) ? alignof(T) : sizeof(T)) mutable T value_;
};

namespace std {
template <class T> using atomic = cuda::atomic<T, thread_scope_system>;
template <class T> using atomic_ref = cuda::atomic_ref<T, thread_scope_system>;
inline void atomic_thread_fence(memory_order order) { cuda::atomic_thread_fence(order); }
}  // namespace std

}  // namespace cuda
#undef SIMT_ORDER
