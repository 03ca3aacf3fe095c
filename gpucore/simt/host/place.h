// Where in a kernel's machine code a call was made, and how deep in its calls.
#pragma once

namespace simt {

struct Place {
    const void* pc;
    const void* frame;
};

}  // namespace simt

// In a function that is not inlined: the place it was called from.  Only an instrumented build
// looks at it; elsewhere it must not cost a frame pointer.
//
// WebAssembly has no return addresses: there the kernel's code stores the number of the place that it
// is at before every call (app/play/places.js).
#if defined(SIMT_INSTRUMENT) && defined(__wasm__)
extern "C" unsigned simt_site;
extern "C" char* simt_stack_pointer();
#define SIMT_CALLED_FROM (::simt::Place{reinterpret_cast<const void*>(simt_site), simt_stack_pointer()})
#elif defined(SIMT_INSTRUMENT)
#define SIMT_CALLED_FROM \
    (::simt::Place{__builtin_return_address(0), __builtin_frame_address(0)})
#else
#define SIMT_CALLED_FROM (::simt::Place{nullptr, nullptr})
#endif
