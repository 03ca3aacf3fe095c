// Fibers by Asyncify, a pass of binaryen.  A lane that stops unwinds its frames into a buffer below
// its stack, and rewinds them when it goes on.  The main context is never unwound: its
// `switch_context` calls the lanes one after the other, so it is at the bottom of all of them.
#pragma once

#include <cstddef>

namespace simt {

struct Context {
    // Asyncify reads and writes these two: the first free byte of the buffer, and its end.
    char* next = nullptr;
    char* end = nullptr;
    char* begin = nullptr;            // null: nothing goes back to this context
    char* stack_pointer = nullptr;    // of the stack in linear memory
    void (*entry)() = nullptr;
    bool started = false;
};

// `low` is that of a lane in Stacks; the buffer lies in what is the guard on other machines.
void prepare_context(Context& context, char* low, std::size_t size, void (*entry)());

void switch_context(Context& from, Context& to);

inline void context_started() {}

}  // namespace simt
