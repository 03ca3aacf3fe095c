// Makes a kernel known to the library: its source, record level, name and parameter types.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

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
    static_assert(std::is_pointer<T>::value || std::is_arithmetic<T>::value,
                  "a kernel takes numbers and pointers");
    return {kind_of<Element>(), SizeOf<Element>::value, std::is_pointer<T>::value,
            std::is_const<Pointed>::value};
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
#define SIMT_EXPORT(name)                                  \
    static const ::simt::Registration simt_export_##name(  \
        ::simt::Export<name>::entry(SIMT_STEM, RECORD, #name));
