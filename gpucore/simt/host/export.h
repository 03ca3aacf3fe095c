// Makes a kernel known to the library: its source, record level, name and parameter types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "memory.h"
#include "observe.h"

#ifndef SIMT_STEM
#define SIMT_STEM "kernel"
#endif
#ifndef RECORD
#define RECORD 0
#endif

namespace simt {

// A parameter as the launcher has to check it.
struct Parameter {
    enum Kind : int { boolean, signed_integer, unsigned_integer, floating, opaque };
    int kind;        // of the scalar, or of the array's elements
    int size;        // bytes of the scalar, or of one element (0: unknown)
    int array;       // 1: a pointer to an array
    int read_only;   // 1: a pointer to const
};

typedef void (*Thunk)(void** arguments);

struct KernelEntry {
    const char* source;
    int record;
    const char* name;
    Thunk thunk;
    const Parameter* parameters;
    int parameter_count;
};

// Adds the kernel to the library's table when the library is loaded.
struct Registration {
    explicit Registration(const KernelEntry& entry);
};

template <class T> constexpr int kind_of()
{
    return std::is_same<T, bool>::value        ? Parameter::boolean
           : std::is_floating_point<T>::value  ? Parameter::floating
           : std::is_pointer<T>::value         ? Parameter::unsigned_integer  // table of addresses
           : std::is_enum<T>::value            ? Parameter::signed_integer
           : !std::is_integral<T>::value       ? Parameter::opaque
           : std::is_signed<T>::value          ? Parameter::signed_integer
                                               : Parameter::unsigned_integer;
}

template <class T> struct SizeOf { static constexpr int value = int(sizeof(T)); };
template <> struct SizeOf<void> { static constexpr int value = 0; };

template <class T> constexpr Parameter parameter()
{
    typedef typename std::remove_pointer<T>::type Pointed;
    typedef typename std::remove_cv<Pointed>::type Element;
    static_assert(!std::is_function<Pointed>::value, "a kernel cannot call a function of the host");
    static_assert(std::is_trivially_copyable<T>::value,
                  "a kernel's parameter is copied byte by byte; this type has a copy of its own");
    return {kind_of<Element>(), SizeOf<Element>::value, std::is_pointer<T>::value,
            std::is_const<Pointed>::value};
}

// Shared variables of a watched source; gpucore/watching/source/shared.py writes the calls.
template <class T>
SIMT_UNSEEN inline T& static_shared(const void* key, std::size_t align, const char* name,
                                   SIMT_HERE)
{
    const std::size_t own = alignof(T);
    return *static_cast<T*>(
        shared_slot(key, sizeof(T), align > own ? align : own, name, SIMT_AT));
}

template <class T> SIMT_UNSEEN inline T* dynamic_shared()
{
    return reinterpret_cast<T*>(current->block->dynamic);
}

// Unpacks an array of addresses into the kernel's arguments.
template <auto F> struct Export;

template <class... A, void (*F)(A...)> struct Export<F> {
    // one element more than needed: an array may not be empty
    static constexpr Parameter parameters[] = {parameter<A>()..., Parameter{}};

    template <std::size_t... I>
    SIMT_UNSEEN static void call(void** arguments, std::index_sequence<I...>)
    {
        (void)arguments;
        F(*static_cast<typename std::remove_cv<A>::type*>(arguments[I])...);
    }

    SIMT_UNSEEN static void thunk(void** arguments)
    {
        call(arguments, std::index_sequence_for<A...>{});
    }

    static KernelEntry entry(const char* source, int record, const char* name)
    {
        return {source, record, name, thunk, parameters, int(sizeof...(A))};
    }
};

}  // namespace simt

#define SIMT_KERNEL(name, ...) static SIMT_APART void name
#define SIMT_EXPORT(name) SIMT_EXPORT_AS(name, #name, name)

// The same for a kernel in a namespace or of a template, whose name is no identifier.
#define SIMT_EXPORT_AS(id, name, ...)                    \
    static const ::simt::Registration simt_export_##id(  \
        ::simt::Export<__VA_ARGS__>::entry(SIMT_STEM, RECORD, name));
