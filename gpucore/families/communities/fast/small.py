"""The whole search of a small graph in one launch.

A GPU needs less time for the work than for its launches and for what the host reads between them;
see ``kernels/louvain_fast_small.cu``.  What is rare is left to the launches of a larger graph.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.communities.fast.last import (
    COLUMNS,
    ENOUGH_PARTS,
    ENTRY_BYTES,
    MAX_ENTRIES,
    MAX_STAGES,
    ROUNDING_BYTES,
    THREADS,
    VERTEX_BYTES,
    VERTICES_A_THREAD,
    Block,
    far_bytes,
    levels_of,
    log_rows,
)
from gpucore.families.communities.fast.last import PARTS as ONE_BLOCK_PARTS
from gpucore.families.communities.fast.phase import (
    FIRST_FACTOR,
    FIRST_PATIENCE,
    MAX_SWEEPS,
    MOST_SWEEPS,
    PASS_SWEEPS,
    PATIENCE,
)
from gpucore.families.communities.fast.refinement import BEGINS, FINEST, PASSES, settles
from gpucore.families.communities.fast.sizes import (
    APART_ON_HOST,
    HOST_BLOCKS,
    MOST_PARTS,
    NEIGHBOURS,
    PARTS,
    TINY,
    TINY_PARTS,
)
from gpucore.families.communities.fast.workspace import TALLIES, TALLY_STRIDE
from gpucore.families.communities.reports import StageReport
from gpucore.families.communities.stage import ONES, Found
from gpucore.families.communities.starts import ROUNDING
from gpucore.format import counted

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.communities.stage import Run, Stage

#: The kernel of each variant that has one: its file, and its name.
KERNELS = {
    "fast": ("louvain_fast_small", "fast_small"),
    "leiden": ("leiden_small", "leiden_small"),
}
#: Most vertices and entries of all starts together.
MOST_VERTICES, MOST_ENTRIES = 1 << 21, 1 << 24
#: "fast" takes launches for a graph of more entries, and of more than so many a vertex.  In its
#: later stages moves should wait, as :mod:`gpucore.families.communities.fast.sizes` says; here they
#: do not.  On an H200 the worst of ten runs on two copies of a network of 33 entries a vertex ended
#: .003 below their median (ego-twitter in ``benchmarks/results/unseen-h200``).
DENSE_ENTRIES, MOST_OF_A_VERTEX = 1 << 22, 16
#: Most stages before one block does the rest.
MOST_STAGES = 12
#: Words of 8 bytes of what the blocks add up in a stage.
FACT_WORDS = constant("louvain_fast_small_state.cuh", "FACT_WORDS")
#: The log's first numbers, and how many a stage has.
HEADER = (
    "outcome", "stages", "rows", "contractions", "alone", "reached", "known", "final",
    "communities", "sweeps", "moves", "began", "ended_last", "ended", "two_m",
)  # fmt: skip
HEADER_SIZE, WIDTH = 32, len(COLUMNS) + 5
#: Place of the modularity of each copy; most copies.
OF_COPIES, MOST_COPIES = 16, constant("louvain_fast_small_state.cuh", "MOST_COPIES")
#: Place of the end of a stage in its row.
END_TIME = len(COLUMNS) + 3
#: Vertices with edges, and entries, up to which one block, which need not meet others, is quicker
#: than all: of each copy, unless the graph is tiny.
ALONE = (256, 3_072)
#: Most vertices with edges of the last stages, on any device.
MOST_LAST = VERTICES_A_THREAD * THREADS
#: Bytes of shared memory that a kernel has beside the block's tables and the last stages.
OTHER_BYTES = 2048
#: Bytes of what does not depend on the graph, at most: what the blocks share, and the log.
FIXED_BYTES = 64 << 10
#: Bytes of a vertex in the arrays beside two graphs, of a slot of the table of pairs, of a block.
ARRAY_BYTES, SLOT_BYTES, BLOCK_BYTES = 72, 16, 16


def fits(run: Run, stage: Stage) -> bool:
    """Return whether a graph may be searched in one launch.

    A record has a row for every launch; the blocks of a reproducible run meet more often.  The
    kernel takes a GPU's compiler seconds, so runs before that take launches.  Of searches in turn
    only the first one is one launch: the others draw an order of the vertices on the host.
    """
    return (
        run.params.variant in KERNELS
        and may_fit(stage.n, stage.entries)
        and not (run.params.variant == "fast" and is_dense(stage.n, stage.entries))
        and run.start == 0
        and not run.recorder.args()
        and not run.params.deterministic
        and run.device.is_compiled(*KERNELS[run.params.variant])
    )


def may_fit(n: int, entries: int) -> bool:
    """Return whether a graph is small enough."""
    return n <= MOST_VERTICES and 0 < entries <= MOST_ENTRIES


def is_dense(n: int, entries: int) -> bool:
    """Return whether moves of later stages should wait."""
    return entries > max(DENSE_ENTRIES, MOST_OF_A_VERTEX * n)


def zeros_of(device: Device, steps: int) -> Any:
    """Return what the blocks share, for so many steps; see ``louvain_fast_small_state.cuh``."""
    tallies = TALLIES * TALLY_STRIDE
    words = steps * FACT_WORDS + tallies + tallies // 2 + 3 + 2 * MOST_COPIES
    return device.xp.zeros(words, np.uint64)


def arguments(run: Run, stage: Stage) -> list[Any]:
    """Return the kernels' ``SEARCH_PARAMS``: the graph, when sweeps end, parts of a sweep."""
    params, n, entries, tiny = run.params, stage.n, stage.entries, run.size < TINY
    width = 1 << min(5, (entries // (4 * n)).bit_length())
    two_m = float(entries // run.copies) if stage.kind == ONES else 0.0
    (least, most), (_, fewer) = PARTS
    return [
        *(n, entries, *stage.args, width, run.copies, two_m, stage.loops, params.resolution),
        *(params.t_bin, params.t_final, float(FIRST_FACTOR), FIRST_PATIENCE, PATIENCE),
        min(run.copies * params.bin_vertices, MOST_VERTICES),
        int(params.rules.thresholds == "relative"),
        *(min(params.max_sweeps, MOST_SWEEPS if tiny else MAX_SWEEPS), BEGINS),
        *(min(params.max_sweeps, int(params.refine)), PASSES if settles(run) else 0, PASS_SWEEPS),
        *(TINY_PARTS if tiny else 0, least, most, fewer, NEIGHBOURS, MOST_PARTS),
        FINEST,
    ]


def search(run: Run, stage: Stage) -> Found | None:
    """Search for communities by "fast"; append the stages to the run's log.

    Returns
    -------
    Found or None
        None if the search needs what one launch does not have; see the kernel.
    """
    device, xp, params, n, entries = run.device, run.device.xp, run.params, stage.n, stage.entries
    tiny, few = run.size < TINY, device.name == "host"
    block = Block(device, min(n, MOST_LAST), min(entries, MAX_ENTRIES), OTHER_BYTES)
    blocks = blocks_of(device)
    zeros = zeros_of(device, 2 * MOST_STAGES + 2)
    far = xp.empty(bytes_of(n, entries, blocks), dtype=np.uint8)
    maps = xp.empty(MOST_STAGES * n + MAX_STAGES * min(n, block.vertices), dtype=np.int32)
    orders, refined = xp.empty(2 * n, dtype=np.int32), xp.empty(n, dtype=np.int32)
    log = xp.zeros(HEADER_SIZE + MOST_STAGES * WIDTH + MAX_STAGES * len(COLUMNS), np.float64)
    last = [block.vertices, MAX_ENTRIES]
    if not tiny:
        last = [min(most, run.copies * own) for most, own in zip(last, ALONE, strict=True)]
    memory = [block.near, APART_ON_HOST if few else 0, block.tables]
    memory += [zeros, far, maps, orders, refined, log, 0]
    device.report(f"stage 1, {counted(n, 'vertex')}")
    limits = [int(params.rules.counted == "all"), ONE_BLOCK_PARTS, ENOUGH_PARTS, *last]
    limits += [MOST_STAGES, MAX_STAGES]
    with device.timer() as timer:
        device.kernel(*KERNELS["fast"])(
            blocks,
            block.threads,
            [*arguments(run, stage), *limits, *memory],
            shared_mem=block.near,
            cooperative=True,
        )
        found = device.to_host(log)
    facts = dict(zip(HEADER, found.tolist(), strict=False))
    shared, alone_rows = np.split(found[HEADER_SIZE:], [MOST_STAGES * WIDTH])
    log_of_last = alone_rows.reshape(-1, len(COLUMNS))[: int(facts["rows"])]
    log_of_last[:, -1] /= run.copies
    if facts["outcome"] or (params.refine and facts["final"] < facts["reached"] - ROUNDING):
        return None
    run.two_m = facts["two_m"]
    shared = shared.reshape(-1, WIDTH)[: int(facts["stages"])]
    better = bool(params.refine) and (facts["moves"] > 0 or facts["final"] > facts["reached"])
    _log(run, facts, shared, log_of_last, timer.seconds, taken_back=not better)
    if better:  # the hierarchy ends with the communities after refinement
        return Found([], facts["final"], refined, of_copies(run, found))
    levels = [maps[k * n :][: int(row[0])] for k, row in enumerate(shared[: int(facts["known"])])]
    order = orders[n:] if levels else orders
    rows, alone = log_of_last[: int(facts["contractions"])], int(facts["alone"])
    count = alone + int(rows[0, 0]) if len(rows) else 0
    levels += levels_of(xp, maps[MOST_STAGES * n :], rows, alone, order[:count])
    return Found(levels, facts["reached"])


def of_copies(run: Run, log: np.ndarray) -> list[float]:
    """Return the modularity of each copy's communities."""
    return list(log[OF_COPIES : OF_COPIES + run.copies].tolist())


def report_of(row: np.ndarray, scale: float, **more: bool) -> StageReport:
    """Return a row of the log as a report; `scale` makes seconds of its times."""
    vertices, entries, sweeps, communities, modularity, threshold, *times, _ = row.tolist()
    begin, swept, end = (scale * time for time in times)
    return StageReport(
        vertices=int(vertices),
        entries=int(entries),
        sweeps=int(sweeps),
        threshold=threshold,
        modularity=modularity,
        communities=int(communities),
        optimise_seconds=swept - begin,
        contract_seconds=end - swept,
        one_launch=True,
        **more,
    )


def _log(
    run: Run,
    facts: dict[str, float],
    shared: np.ndarray,
    last: np.ndarray,
    seconds: float,
    *,
    taken_back: bool,
) -> None:
    """Append the stages to the run's log; the launch's time is divided as its clock says."""
    params, scale = run.params, seconds / max(1.0, facts["ended"] - facts["began"])
    run.stages += [report_of(row, scale) for row in shared]
    before = float(shared[-1, END_TIME]) if len(shared) else facts["began"]
    after = facts["ended_last"] or before
    if len(last):
        log_rows(run, last, int(facts["alone"]), params.t_final, scale * (after - before))
    if params.refine:
        run.stages.append(
            StageReport(
                vertices=run.given.n,
                entries=run.given.entries,
                sweeps=int(facts["sweeps"]),
                threshold=params.t_final,
                modularity=facts["reached"] if taken_back else facts["final"],
                communities=int(facts["communities"]),
                optimise_seconds=scale * (facts["ended"] - after),
                contract_seconds=0.0,
                one_launch=True,
                refining=True,
                taken_back=taken_back,
            )
        )


def blocks_of(device: Device) -> int:
    """Return the blocks of the launch."""
    return HOST_BLOCKS if device.name == "host" else device.multiprocessors


def search_bytes(n: int, entries: int, device: Device) -> int:
    """Return the bytes that the search of any variant needs beside the graph."""
    maps = 4 * (2 * MOST_STAGES * n + MAX_STAGES * min(n, MOST_LAST))
    return bytes_of(n, entries, blocks_of(device)) + maps + 32 * n + FIXED_BYTES


def bytes_of(n: int, entries: int, blocks: int) -> int:
    """Return the bytes of the arrays of the kernel alone."""
    slots = 4096
    while 2 * slots < 3 * entries:
        slots *= 2
    last = far_bytes(min(n, MOST_LAST), min(entries, MAX_ENTRIES))
    arrays = (2 * VERTEX_BYTES + ARRAY_BYTES) * n + 2 * ENTRY_BYTES * entries
    return arrays + BLOCK_BYTES * blocks + max(SLOT_BYTES * slots, last) + 2 * ROUNDING_BYTES
