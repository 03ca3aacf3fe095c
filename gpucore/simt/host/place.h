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
#if defined(SIMT_INSTRUMENT)
#define SIMT_CALLED_FROM \
    (::simt::Place{__builtin_return_address(0), __builtin_frame_address(0)})
#else
#define SIMT_CALLED_FROM (::simt::Place{nullptr, nullptr})
#endif
