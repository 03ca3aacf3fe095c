// The one thread of a launch.
#include "../core/api.h"
#include "../core/launch.h"
#include "memory.h"

namespace simt {

void work_together(Launch& launch)
{
    if (launch.workers > 1) return launch.fail("WebAssembly has one thread, not several");
    run_worker(launch, 0);
    const std::string outside = written_outside(launch);
    if (!outside.empty()) launch.fail(outside);
}

void interrupt(u64) {}

}  // namespace simt

extern "C" __attribute__((import_module("warplens"), import_name("poll"))) int warplens_poll(
    double blocks_done);

static int ask(simt::u64 blocks_done) { return warplens_poll(double(blocks_done)); }

// The `poll` of a launch that wants to be asked: it calls the import.
SIMT_API simt::Poll simt_poll_function() { return ask; }
