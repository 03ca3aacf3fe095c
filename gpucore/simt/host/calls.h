// The calls at which a lane waits for others.  Lanes meet only if they wait in the same call.
#pragma once

// X(identifier, the name a report gives it)
#define SIMT_CALLS(X)                            \
    X(start, "the start")                        \
    X(syncwarp, "__syncwarp")                    \
    X(shuffle, "__shfl_sync")                    \
    X(shuffle_up, "__shfl_up_sync")              \
    X(shuffle_down, "__shfl_down_sync")          \
    X(shuffle_xor, "__shfl_xor_sync")            \
    X(ballot, "__ballot_sync")                   \
    X(any, "__any_sync")                         \
    X(all, "__all_sync")                         \
    X(match_any, "__match_any_sync")             \
    X(match_all, "__match_all_sync")             \
    X(reduce_add, "__reduce_add_sync")           \
    X(reduce_min_int, "__reduce_min_sync")       \
    X(reduce_min_unsigned, "__reduce_min_sync")  \
    X(reduce_max_int, "__reduce_max_sync")       \
    X(reduce_max_unsigned, "__reduce_max_sync")  \
    X(reduce_and, "__reduce_and_sync")           \
    X(reduce_or, "__reduce_or_sync")             \
    X(reduce_xor, "__reduce_xor_sync")           \
    X(syncthreads, "__syncthreads")              \
    X(syncthreads_count, "__syncthreads_count")  \
    X(syncthreads_and, "__syncthreads_and")      \
    X(syncthreads_or, "__syncthreads_or")        \
    X(grid_sync, "simt_grid_sync")               \
    X(grid_meet, "simt_grid_meet")

namespace simt {

enum class Call : unsigned char {
#define SIMT_CALL(identifier, text) identifier,
    SIMT_CALLS(SIMT_CALL)
#undef SIMT_CALL
};

}  // namespace simt

// Default arguments that bring the caller's place in the source.
#define SIMT_HERE const char *simt_file = __builtin_FILE(), int simt_line = __builtin_LINE()
#define SIMT_AT simt_file, simt_line
