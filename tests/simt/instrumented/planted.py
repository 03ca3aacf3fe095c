"""Mistakes planted in the tests' own kernels and in the product's."""

from __future__ import annotations

from pathlib import Path

from gpucore.device.source import files, source_path
from support.planting import Mistake

OWN = Path(__file__).parent / "kernels"


def path_of(stem: str) -> Path:
    """Return the file of a correct source, of the tests or of the product."""
    own = OWN / f"{stem}.cu"
    return own if own.is_file() else source_path(stem)


def right() -> list[Path]:
    """Return the correct sources and headers, of the tests and of the product."""
    return [*OWN.glob("*.cu"), *files().values()]


SYNCHRONISED = [
    Mistake(
        "not_loaded",
        "synchronised",
        "__syncthreads();                                     // loaded",
    ),
    Mistake(
        "not_added", "synchronised", "__syncthreads();                                 // added"
    ),
    Mistake("plain_total", "synchronised", "atomicAdd(total, part[0]);", "*total += part[0];"),
    Mistake(
        "not_written", "synchronised", "__syncwarp();                                    // written"
    ),
    Mistake("not_read", "synchronised", "__syncwarp();                                    // read"),
    Mistake(
        "vote_for_read",
        "synchronised",
        "__syncwarp();                                    // read",
        "__any_sync(0xffffffffu, 1);",
    ),
    Mistake("no_half", "synchronised", "__syncwarp(half);"),
    Mistake("wrong_half", "synchronised", "__syncwarp(half);", "__syncwarp(1u << lane);"),
    Mistake("plain_count", "synchronised", "atomicAdd(bins + in[i], 1);", "bins[in[i]] += 1;"),
    Mistake("plain_look", "synchronised", "simt_load(least);", "*least;"),
    Mistake(
        "plain_least",
        "synchronised",
        "const int found = atomicCAS(least, seen, in[i]);",
        "const int found = simt_load(least); if (found == seen) simt_store(least, in[i]);",
    ),
    Mistake("not_kept", "synchronised", "simt_grid_sync(state);                           // kept"),
    Mistake(
        "not_moved", "synchronised", "simt_grid_sync(state);                           // moved"
    ),
    Mistake(
        "plain_read",
        "synchronised",
        "simt_load(before + (blockIdx.x + 1) % gridDim.x)",
        "before[(blockIdx.x + 1) % gridDim.x]",
    ),
    Mistake("plain_flag", "synchronised", "simt_store(flag, 1);", "*flag = 1;"),
]

PRODUCT_MISTAKES = [
    Mistake("not_loaded", "suitor", "    __syncwarp();\n    return count;", "    return count;"),
    Mistake("not_read", "suitor", "__syncwarp();     // all lanes have read the batch", "//"),
    Mistake(
        "not_kept",
        "suitor",
        "kept += __popc(again);\n        __syncwarp();",
        "kept += __popc(again);",
    ),
    Mistake(
        "plain_bid",
        "suitor",
        "const Bid previous = atomicMax(bids + vertex_of(choice), bid);",
        "Bid* cell = bids + vertex_of(choice); const Bid previous = *cell; "
        "if (bid > previous) *cell = bid;",
    ),
    Mistake("plain_look", "suitor", "simt_load(bids + v)", "bids[v]"),
    Mistake(
        "vote_of_a_warp",
        "suitor",
        "__syncthreads_or(count > 0)",
        "__any_sync(ALL_LANES, count > 0)",
    ),
    Mistake("one_half", "suitor", "all_counts + 32 * (iteration & 1)", "all_counts"),
    Mistake(
        "pool_not_filled", "suitor", "__syncthreads();\n    const int taken", "const int taken"
    ),
    Mistake(
        "list_not_filled", "suitor", "__syncwarp();    // the list is complete;", "// the list"
    ),
    Mistake("plain_candidate", "ld", "atomicExch(candidate + s, t);", "candidate[s] = t;"),
    Mistake("plain_mate", "ld", "simt_store(mate + low, high);", "mate[low] = high;"),
    Mistake(
        "plain_match",
        "ld",
        "if (atomicCAS(mate + high, -1, low) != -1) return;",
        "if (mate[high] != -1) return;\n    mate[high] = low;",
    ),
    Mistake("plain_look", "ld", "simt_load(mate + vertex_of(edge[j]))", "mate[vertex_of(edge[j])]"),
    Mistake(
        "plain_place",
        "ld",
        "const int place = atomicAdd(next.count, 2);",
        "const int place = *next.count; *next.count = place + 2;",
    ),
    Mistake(
        "order_not_written",
        "suitor_fast",
        "__syncwarp();\n        for (int base = 0;",
        "for (int base = 0;",
        header="suitor_groups.cuh",
    ),
    Mistake(
        "order_not_read",
        "suitor_fast",
        "__syncwarp();                                   // `order`",
        "// `order`",
        header="suitor_groups.cuh",
    ),
    Mistake(
        "plain_bid",
        "suitor_fast",
        "return atomicMax(state.bids + v, bid);",
        "Bid* cell = state.bids + v; const Bid previous = *cell; "
        "if (bid > previous) *cell = bid; return previous;",
        header="suitor_search.cuh",
    ),
    Mistake(
        "hub_not_taken",
        "suitor_fast",
        "__syncthreads();\n            u = *next;",
        "u = *next;",
        header="suitor_hubs.cuh",
    ),
    Mistake(
        "hub_not_shared",
        "suitor_fast",
        "if (lane == 0) shared[warp] = bid;\n    __syncthreads();",
        "if (lane == 0) shared[warp] = bid;",
        header="suitor_hubs.cuh",
    ),
    Mistake(
        "hub_not_read",
        "suitor_fast",
        "__syncthreads();\n    const Share share",
        "const Share share",
        header="hub_pieces.cuh",
    ),
]
