"""The whole search of a small graph in one launch.

A GPU needs less time for the work than for its launches and for what the host reads between them;
see ``kernels/louvain_fast_small.cu``.  What is rare is left to the launches of a larger graph.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from gpucore.families.communities.fast.ends import (
    EARLY,
    FIRST_PATIENCE,
    MAX_SWEEPS,
    MOST_SWEEPS,
    PASS_SWEEPS,
    PATIENCE,
    first_factor,
    last_share,
)
from gpucore.families.communities.fast.last import (
    COLUMNS,
    ENOUGH_PARTS,
    ENTRY_BYTES,
    HEADER_SIZE,
    MAX_ENTRIES,
    MAX_STAGES,
    ROUNDING_BYTES,
    THREADS,
    VERTEX_BYTES,
    VERTICES_A_THREAD,
    Block,
    facts_of,
    far_bytes,
)
from gpucore.families.communities.fast.last import PARTS as ONE_BLOCK_PARTS
from gpucore.families.communities.fast.refinement import BEGINS, FINEST, PASSES, settles
from gpucore.families.communities.fast.sizes import (
    APART_ON_HOST,
    DENSE,
    HOST_BLOCKS,
    MOST_PARTS,
    NEIGHBOURS,
    PARTS,
    TINY,
    TINY_PARTS,
    WAITING_NEIGHBOURS,
)
from gpucore.families.communities.fast.small_log import (
    WIDTH,
    Launched,
    clock_of,
    log_stages,
    memory_of,
    of_copies,
)
from gpucore.families.communities.reports import StageReport
from gpucore.families.communities.stage import ONES, Found, strength_lanes
from gpucore.families.communities.starts import ROUNDING
from gpucore.format import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpucore.device import Device
    from gpucore.device.base import Kernel
    from gpucore.families.communities.stage import Run, Stage

#: The kernel of each variant that has one: its file, and its name.
KERNELS = {
    "fast": ("louvain_fast_small", "fast_small"),
    "leiden": ("leiden_small", "leiden_small"),
}
#: Most vertices and entries of all starts together.
MOST_VERTICES, MOST_ENTRIES = 1 << 21, 1 << 24
#: "fast" takes launches for a graph of more entries, and of more than so many a vertex.  On an H200
#: ten runs on a network of 33 entries a vertex, two copies side by side, had .80734 to .80947 of
#: modularity in one launch (ego-twitter in ``benchmarks/results/unseen-h200``,
#: ``unseen_earlier.json``), twenty by launches .80850 to .81030 (``later.json`` there).
DENSE_ENTRIES, MOST_OF_A_VERTEX = 1 << 22, 16
#: "fast" takes launches for a graph of more entries.  On an H200 a triangulation of 12,582,832
#: takes 8.6 ms in one launch and 7.1 by launches (``benchmarks/results/louvain-h200``).
MOST_OF_FAST = 5 << 21
#: Most stages before one block does the rest.
MOST_STAGES = 12
#: Vertices with edges to others, and entries of these, up to which one block, which need not meet
#: others, is quicker than all: of each copy, unless the graph is tiny
#: (``benchmarks/results/unseen-h200/later.json``).
ALONE = (128, 1_024)
#: A later stage of fewer vertices with edges to others waits with its moves, like a dense one: a
#: GPU processes most of it at once (``benchmarks/results/unseen-h200/small_stages.json``).
FEW = 1_000
#: Fewest parts of a sweep whose moves wait, of a whole graph: blocks meet twice in each.  A larger
#: graph has more: on a ring of cliques of 12 million edges two parts cost .0002 of modularity.
FEW_WAITING_PARTS = 2
#: Most vertices with edges of the last stages, on any device.
MOST_LAST = VERTICES_A_THREAD * THREADS
#: Most bytes of the shared memory of `THREADS` threads: what is left is first-level cache, which
#: keeps the adjacency lists of its vertices from sweep to sweep.
NEAR_BYTES = 96 << 10
#: Threads of a block where a launch begins with a later stage: more of its vertices have so many
#: edges that each needs a block, and a multiprocessor works on as many of them as it has blocks.
LATER_THREADS = 256
#: Bytes of shared memory that a kernel has beside the block's tables and the last stages.
OTHER_BYTES = 3072
#: Bytes of what does not depend on the graph, at most: what the blocks share, and the log.
FIXED_BYTES = 64 << 10
#: Bytes of a vertex in the arrays beside two graphs, of a slot of the table of pairs, of a block.
ARRAY_BYTES, SLOT_BYTES, BLOCK_BYTES = 80, 16, 16


def fits(run: Run, stage: Stage) -> bool:
    """Return whether a graph may be searched in one launch.

    A record has a row for every launch; the blocks of a reproducible run meet more often.  The
    kernel takes a GPU's compiler seconds, so runs before that take launches.  Of searches in turn
    only the first one is one launch: the others draw an order of the vertices on the host.
    """
    return (
        run.params.variant in KERNELS
        and not (run.params.variant == "fast" and takes_launches(stage.n, stage.entries))
        and may_run(run, stage)
    )


def may_run(run: Run, stage: Stage) -> bool:
    """Return whether the variant's kernel may search a graph, or a stage."""
    return (
        may_fit(stage.n, stage.entries)
        and run.start == 0
        and not run.recorder.args()
        and not run.params.deterministic
        and run.device.is_compiled(*KERNELS[run.params.variant])
    )


def may_fit(n: int, entries: int) -> bool:
    """Return whether a graph is small enough."""
    return n <= MOST_VERTICES and 0 < entries <= MOST_ENTRIES


def takes_launches(n: int, entries: int) -> bool:
    """Return whether "fast" takes launches for a graph that would fit."""
    return entries > min(MOST_OF_FAST, max(DENSE_ENTRIES, MOST_OF_A_VERTEX * n))


def arguments(run: Run, stage: Stage, *, later: bool = False, final: bool = False) -> list[Any]:
    """Return the kernels' ``SEARCH_PARAMS``: the graph, when sweeps end, parts of a sweep.

    `later`: the stage is not that of the given graph, whose vertices do not move here; `final`: its
    threshold is `t_final`.
    """
    params, n, entries, tiny = run.params, stage.n, stage.entries, run.size < TINY
    two_m = float(entries // run.copies) if stage.kind == ONES else 0.0
    first = [1.0, PATIENCE] if later else [first_factor(n, entries), FIRST_PATIENCE]
    return [
        *(n, entries, *stage.args, strength_lanes(stage), run.copies, two_m, stage.loops),
        params.resolution,
        *(params.t_bin, params.t_final, *first, PATIENCE),
        MOST_VERTICES if final else min(run.copies * params.bin_vertices, MOST_VERTICES),
        int(params.rules.thresholds == "relative"),
        *(min(params.max_sweeps, MOST_SWEEPS if tiny else MAX_SWEEPS), BEGINS),
        0 if later else min(params.max_sweeps, int(params.refine)),
        *(PASSES if settles(run) else 0, PASS_SWEEPS),
        *(TINY_PARTS if tiny else 0, PARTS[-1][1], NEIGHBOURS, MOST_PARTS),
        FINEST,
    ]


def later_rules(run: Run, *, later: bool) -> list[Any]:
    """Return when moves and blocks wait, and stages end: the first of ``MEMORY_PARAMS``."""
    parts = PARTS[-1][1] if later else FEW_WAITING_PARTS
    apart = APART_ON_HOST if run.device.name == "host" else 0
    return [DENSE, FEW, parts, WAITING_NEIGHBOURS, EARLY, last_share(run), apart]


class Started(NamedTuple):
    """A launch that the host has not waited for.

    Attributes
    ----------
    maps, orders, refined, log
        As :class:`Launched` has them, the log in the device's memory.
    read : callable
        Waits for it; None if it needs what one launch does not have, see the kernel.
    """

    maps: Any
    orders: Any
    refined: Any
    log: Any
    read: Callable[[], Launched | None]


def start(
    run: Run, stage: Stage, arguments: list[Any], *, alone: tuple[int, int] | None = None
) -> Started:
    """Search from a stage on.

    `alone` has the vertices and entries up to which one block does the rest, by default
    :data:`ALONE`.
    """
    device, params, n, entries = run.device, run.params, stage.n, stage.entries
    threads = THREADS if alone is None else LATER_THREADS
    block = Block(device, min(n, MOST_LAST), min(entries, MAX_ENTRIES), OTHER_BYTES, threads)
    block.near = min(block.near, NEAR_BYTES * threads // THREADS)
    kernel, blocks = grid_of(device, "fast", block.threads, block.near)
    rows = MOST_STAGES * WIDTH + MAX_STAGES * len(COLUMNS)
    levels = MOST_STAGES * n + MAX_STAGES * min(n, block.vertices)
    memory = memory_of(
        device,
        2 * MOST_STAGES + 2,
        HEADER_SIZE + rows,
        bytes_of(n, entries, blocks),
        *(levels, 2 * n, n),
    )
    room = [block.vertices, MAX_ENTRIES]
    most = [run.copies * each for each in ALONE] if alone is None else alone
    last = room if run.size < TINY else most
    rules = [block.near, *later_rules(run, later=alone is not None), block.tables]
    limits: list[Any] = [
        int(params.rules.counted == "all"),
        ONE_BLOCK_PARTS,
        ENOUGH_PARTS,
        *last,
        *room,
    ]
    limits += [MOST_STAGES, MAX_STAGES, int(alone is not None)]
    with clock_of(device) as scale_of:
        kernel(
            blocks,
            block.threads,
            [*arguments, *limits, *rules, memory.memory, *memory.begins[1:], 0],
            shared_mem=block.near,
            cooperative=True,
        )

    log, _, maps, orders, refined = memory.arrays(1)
    wait = device.to_host_later(log)

    @cache
    def read() -> Launched | None:
        found = wait()
        facts = facts_of(found)
        if facts["outcome"]:
            return None
        scale = scale_of(facts)
        return Launched(facts, found, run.copies, scale, maps, orders, refined, MOST_STAGES)

    return Started(maps, orders, refined, log, read)


def search(run: Run, stage: Stage) -> Found | None:
    """Search for communities by "fast"; append the stages to the run's log.

    Returns
    -------
    Found or None
        None if the search needs what one launch does not have.
    """
    params = run.params
    run.device.report(f"stage 1, {counted(stage.n, 'vertex')}")
    found = start(run, stage, arguments(run, stage)).read()
    if found is None:
        return None
    facts = found.facts
    if params.refine and facts["final"] < facts["reached"] - ROUNDING:
        return None
    run.two_m = facts["two_m"]
    better = facts["moves"] > 0 or facts["final"] > facts["reached"]

    def report() -> None:
        began = log_stages(run, found)
        if params.refine:
            run.stages.append(refined_report(began))

    def refined_report(began: float) -> StageReport:
        return StageReport(
            vertices=run.given.n,
            entries=run.given.entries,
            sweeps=int(facts["sweeps"]),
            threshold=params.t_final,
            modularity=facts["final"] if better else facts["reached"],
            communities=int(facts["communities"]),
            optimise_seconds=found.scale * (facts["ended"] - began),
            contract_seconds=0.0,
            one_launch=True,
            refining=True,
            taken_back=not better,
        )

    if params.refine and better:  # the hierarchy ends with the communities after refinement
        return Found([], facts["final"], found.refined, of_copies(run, found.log), report)
    return Found(found.tail.levels(run.device.xp), facts["reached"], report=report)


def blocks_of(device: Device, threads: int = THREADS) -> int:
    """Return the most blocks of a launch: as many threads for each multiprocessor in any case."""
    return HOST_BLOCKS if device.name == "host" else device.multiprocessors * (THREADS // threads)


def grid_of(device: Device, variant: str, threads: int, shared: int) -> tuple[Kernel, int]:
    """Return a variant's kernel, and its blocks: fewer where shared memory does not suffice."""
    kernel, most = device.kernel(*KERNELS[variant]), blocks_of(device, threads)
    if device.name == "host":
        return kernel, most
    return kernel, min(most, kernel.max_resident_blocks(threads, shared))


def search_bytes(n: int, entries: int, device: Device) -> int:
    """Return the bytes that the search of any variant needs beside the graph."""
    maps = 4 * (2 * MOST_STAGES * n + MAX_STAGES * min(n, MOST_LAST))
    return bytes_of(n, entries, blocks_of(device, LATER_THREADS)) + maps + 32 * n + FIXED_BYTES


def bytes_of(n: int, entries: int, blocks: int) -> int:
    """Return the bytes of the arrays of the kernel alone."""
    slots = 4096
    while 4 * slots < 5 * entries:
        slots *= 2
    last = far_bytes(min(n, MOST_LAST), min(entries, MAX_ENTRIES))
    arrays = (2 * VERTEX_BYTES + ARRAY_BYTES) * n + 2 * ENTRY_BYTES * entries
    return arrays + BLOCK_BYTES * blocks + max(SLOT_BYTES * slots, last) + 2 * ROUNDING_BYTES
