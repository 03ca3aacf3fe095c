// Shared memory, racy accesses and fences.
#pragma once

#include <cstddef>

#include "calls.h"
#include "observe.h"
#include "view.h"

namespace simt {

// How many more atomics, racy accesses and collectives this OS thread may do before the lane has to
// let others go: a lane that polls memory must not starve the lane it waits for.
extern SIMT_TLS int quantum;
void quantum_ended();

inline void spend_quantum()
{
    if (__builtin_expect(--quantum <= 0, 0)) quantum_ended();
}

// The block's own copy of the static shared variable that `key` stands for.
void* shared_slot(const void* key, std::size_t size, std::size_t align, const char* name,
                  const char* file, int line);

void fence(bool of_block);

template <class T> struct Identity { typedef T type; };

}  // namespace simt

// The address of `name##_key` names the variable; the storage belongs to the block, so that
// several blocks can be resident on one OS thread.
#define SIMT_SHARED(T, name)                                                                \
    static char name##_key;                                                                 \
    auto& name = *static_cast<::simt::Identity<T>::type*>(::simt::shared_slot(              \
        &name##_key, sizeof(::simt::Identity<T>::type), alignof(::simt::Identity<T>::type), \
        #name, __FILE__, __LINE__))

#define SIMT_DYN_SHARED(T, name) \
    T* const name = reinterpret_cast<T*>(::simt::current->block->dynamic)

namespace simt {

template <class T> SIMT_OBSERVED T racy_load(const T* address, Place place)
{
    spend_quantum();
    observe_access(address, sizeof(T), Access::racy_read, place);
    if constexpr (sizeof(T) > 8) return *address;   // a vector, whose parts a GPU reads apart
    T value;
    __atomic_load(address, &value, __ATOMIC_RELAXED);
    return value;
}

template <class T> SIMT_OBSERVED void racy_store(T* address, T value, Place place)
{
    spend_quantum();
    observe_access(address, sizeof(T), Access::racy_write, place);
    __atomic_store(address, &value, __ATOMIC_RELAXED);
}

template <class T> SIMT_OBSERVED T plain_load(const T* address, Place place)
{
    observe_access(address, sizeof(T), Access::read, place);
    return *address;
}

}  // namespace simt

template <class T> SIMT_OBSERVED T simt_load(const T* address)
{
    return simt::racy_load(address, SIMT_CALLED_FROM);
}

template <class T> SIMT_OBSERVED void simt_store(T* address, typename simt::Identity<T>::type value)
{
    simt::racy_store(address, value, SIMT_CALLED_FROM);
}

template <class T> SIMT_OBSERVED T simt_load_near(const T* address)
{
    return simt::racy_load(address, SIMT_CALLED_FROM);
}

inline void simt_refresh() { }

template <class T> T* simt_global(T* address) { return address; }

template <class T> SIMT_OBSERVED T __ldcg(const T* address)
{
    return simt::racy_load(address, SIMT_CALLED_FROM);
}

template <class T> SIMT_OBSERVED T __ldg(const T* address)
{
    return simt::plain_load(address, SIMT_CALLED_FROM);
}

template <class T> SIMT_OBSERVED T __ldcs(const T* address)
{
    return simt::plain_load(address, SIMT_CALLED_FROM);
}

inline void __threadfence() { simt::fence(false); }
inline void __threadfence_block() { simt::fence(true); }
inline void __threadfence_system() { simt::fence(false); }
