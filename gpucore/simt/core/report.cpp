// Reports errors with their place and the lanes involved.
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <map>
#include <tuple>

#include "../host/builtins.h"
#include "worker.h"

namespace simt {

const char* name_of(Call call)
{
    static const char* const names[] = {
#define SIMT_CALL(identifier, text) text,
        SIMT_CALLS(SIMT_CALL)
#undef SIMT_CALL
    };
    return names[int(call)];
}

static const char* base_name(const char* path)
{
    const char* slash = std::strrchr(path, '/');
    return slash == nullptr ? path : slash + 1;
}

static std::string text_of(Location at)
{
    return std::string(base_name(at.file)) + ":" + std::to_string(at.line);
}

static std::string text_of(Dim d)
{
    return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
}

// Formats into a fixed buffer: this runs on a lane's stack, where no memory may be allocated.
void Worker::fail(const Lane& lane, Location at, const char* format, ...)
{
    va_list values;
    va_start(values, format);
    int used = std::vsnprintf(failure_, sizeof failure_, format, values);
    va_end(values);
    const Dim b = lane.block->index, t = lane.thread;
    if (used >= 0 && std::size_t(used) < sizeof failure_)
        std::snprintf(failure_ + used, sizeof failure_ - std::size_t(used),
                      ", at %s:%d, block (%u,%u,%u), thread (%u,%u,%u), lane %u",
                      base_name(at.file), at.line, b.x, b.y, b.z, t.x, t.y, t.z, lane.id);
    abandon(Reason::failed);
}

void trap(const char* file, int line)
{
    const Lane& lane = current_lane();
    lane.warp->worker->fail(lane, {file, line}, "__trap");
}

void assertion_failed(const char* text, const char* file, int line)
{
    const Lane& lane = current_lane();
    lane.warp->worker->fail(lane, {file, line}, "the assertion `%.200s` failed", text);
}

std::string near_argument(const Launch& launch, const void* address)
{
    constexpr u64 close = 1 << 20;
    const u64 at = reinterpret_cast<std::uintptr_t>(address);
    for (int i = 0; i < launch.kernel.parameter_count; ++i) {
        if (!launch.kernel.parameters[i].array) continue;
        const u64 begin = *static_cast<const u64*>(launch.request.arguments[i]);
        const u64 end = begin + launch.request.sizes[i];
        const std::string which = " the " + std::to_string(launch.request.sizes[i]) +
                                  " bytes of argument " + std::to_string(i);
        if (at >= end && at - end < close) return ", " + std::to_string(at - end) + " past" + which;
        if (at < begin && begin - at < close)
            return ", " + std::to_string(begin - at) + " before" + which;
        if (at >= begin && at < end) return ", within" + which;
    }
    return "";
}

std::string Worker::crash_report() const
{
    char address[64] = " at an address that cannot exist";
    if (crash.address_known)
        std::snprintf(address, sizeof address, " at address 0x%llx",
                      (unsigned long long)reinterpret_cast<std::uintptr_t>(crash.address));
    std::string text = crash.what;
    if (crash.at_address) text += address + near_argument(*launch, crash.address);
    const Lane& lane = *crash.lane;
    text += ", in block " + text_of(lane.block->index) + ", thread " + text_of(lane.thread);
    if (lane.file == nullptr) return text + ", before it first met other lanes";
    return text + ", after " + text_of(lane.at()) + " (" + name_of(lane.call) + ")";
}

std::string Worker::deadlock_report() const
{
    // How many lanes wait at each line of the first block that is stuck, and for which mask.
    const Block* stuck = nullptr;
    u32 stuck_blocks = 0;
    for (const Block& block : blocks) {
        if (block.live == 0) continue;
        if (stuck == nullptr) stuck = &block;
        ++stuck_blocks;
    }
    if (stuck == nullptr) return "deadlock";
    std::map<std::tuple<std::string, int, std::string, u32>, u32> lines;
    for (u32 w = 0; w < stuck->warp_count; ++w) {
        const Warp& warp = stuck->warps[w];
        for (u32 rest = warp.live; rest != 0; rest &= rest - 1) {
            const Lane& lane = warp.lanes[__builtin_ctz(rest)];
            const u32 mask = (warp.waiting & lane.bit()) != 0 ? lane.mask : 0;
            ++lines[{base_name(lane.file), lane.line, name_of(lane.call), mask}];
        }
    }
    std::string text = "deadlock in block " + text_of(stuck->index) + ":";
    const char* separator = " ";
    for (const auto& [where, lanes_there] : lines) {
        const auto& [file, line, call, mask] = where;
        char mask_text[32] = "";
        if (mask != 0) std::snprintf(mask_text, sizeof mask_text, ", mask 0x%08x", mask);
        text += separator + std::to_string(lanes_there) +
                (lanes_there == 1 ? " lane waits at " : " lanes wait at ") + file + ":" +
                std::to_string(line) + " (" + call + mask_text + ")";
        separator = "; ";
    }
    const u32 returned = launch->block_threads - stuck->live;
    if (returned > 0) text += "; " + std::to_string(returned) + " returned";
    if (stuck_blocks == 2) text += "; 1 more block waits";
    if (stuck_blocks > 2) text += "; " + std::to_string(stuck_blocks - 1) + " more blocks wait";
    if (launch->cooperative && stuck->at_grid > 0)
        text += "; of " + std::to_string(launch->blocks) + " blocks " +
                std::to_string(launch->blocks_done.load()) + " returned";
    return text;
}

}  // namespace simt
