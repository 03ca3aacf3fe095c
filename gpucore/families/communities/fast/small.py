"""The whole search of a small graph in one launch.

A GPU needs less time for the work than for its launches and for what the host reads between them;
see ``kernels/louvain_fast_small.cu``.  What is rare is left to the launches of a larger graph.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpucore.device.constants import constant
from gpucore.families.communities.fast.copies import COPY_ENTRY_BYTES
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
    EARLY,
    FIRST_PATIENCE,
    MAX_SWEEPS,
    MOST_SWEEPS,
    PASS_SWEEPS,
    PATIENCE,
    first_factor,
)
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
from gpucore.families.communities.fast.workspace import TALLIES, TALLY_STRIDE
from gpucore.families.communities.reports import StageReport
from gpucore.families.communities.stage import ONES, Found, strength_lanes
from gpucore.families.communities.starts import ROUNDING
from gpucore.format import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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
#: did not when this was measured.  On an H200 the worst of ten runs on two copies of a network of
#: 33 entries a vertex ended .003 below their median (ego-twitter in
#: ``benchmarks/results/unseen-h200/unseen_before.json``).
DENSE_ENTRIES, MOST_OF_A_VERTEX = 1 << 22, 16
#: "fast" takes launches for a graph of more entries.  On an H200 a triangulation of 12,582,832
#: takes 8.6 ms in one launch and 7.1 by launches (``benchmarks/results/louvain-h200``).
MOST_OF_FAST = 5 << 21
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
#: Most bytes of a block's shared memory: what is left is first-level cache, which keeps the
#: adjacency lists of its vertices from sweep to sweep.
NEAR_BYTES = 96 << 10
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


def zeros_of(device: Device, steps: int, numbers: int) -> tuple[Any, Any]:
    """Return what the blocks share, for so many steps, and a log of so many numbers.

    All are zero; see ``louvain_fast_small_state.cuh``.
    """
    tallies = TALLIES * TALLY_STRIDE
    words = steps * FACT_WORDS + tallies + tallies // 2 + 3 + 2 * MOST_COPIES
    zeros = device.xp.zeros(words + numbers, np.uint64)
    return zeros, zeros[words:].view(np.float64)


@contextmanager
def clock_of(device: Device) -> Iterator[Callable[[dict[str, float]], float]]:
    """Return what finds the seconds of a unit of a launch's times, from its log's first numbers.

    A GPU counts nanoseconds, the host executor its own steps.
    """
    if device.name == "cuda":
        yield lambda facts: 1e-9
        return
    with device.timer() as timer:
        yield lambda facts: timer.seconds / max(1.0, facts["ended"] - facts["began"])


def arguments(run: Run, stage: Stage, *, later: bool = False, final: bool = False) -> list[Any]:
    """Return the kernels' ``SEARCH_PARAMS``: the graph, when sweeps end, parts of a sweep.

    `later`: the stage is not that of the given graph, whose vertices do not move here; `final`: its
    threshold is `t_final`.
    """
    params, n, entries, tiny = run.params, stage.n, stage.entries, run.size < TINY
    two_m = float(entries // run.copies) if stage.kind == ONES else 0.0
    (least, most), (_, fewer) = PARTS
    several = None if later else run.several
    copying = [several.half, several.number] if several else [0, run.device.xp.empty(1, np.int32)]
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
        *(TINY_PARTS if tiny else 0, least, most, fewer, NEIGHBOURS, MOST_PARTS),
        *(FINEST, *copying),
    ]


class Launched(NamedTuple):
    """What a launch found.

    Attributes
    ----------
    facts : dict
        The first numbers of the log, by :data:`HEADER`.
    log : array of float64
        The whole log.
    copies : int
        Copies of the graph.
    scale : float
        From the kernel's times to seconds.
    maps, orders : array of int32
        What :meth:`levels` reads.
    refined : array of int32, shape (n,)
        Communities of single vertices, if these have moved.
    """

    facts: dict[str, float]
    log: np.ndarray
    copies: int
    scale: float
    maps: Any
    orders: Any
    refined: Any

    @property
    def rows(self) -> np.ndarray:
        """Stages that all blocks shared: shape (stages, columns)."""
        shared = self.log[HEADER_SIZE : HEADER_SIZE + MOST_STAGES * WIDTH]
        return shared.reshape(-1, WIDTH)[: int(self.facts["stages"])]

    @property
    def last(self) -> np.ndarray:
        """Stages of one block, with modularity of a copy: shape (stages, columns)."""
        alone = self.log[HEADER_SIZE + MOST_STAGES * WIDTH :].reshape(-1, len(COLUMNS))
        return alone[: int(self.facts["rows"])] / ([1.0] * (len(COLUMNS) - 1) + [self.copies])

    def levels(self, xp: Any) -> list[Any]:
        """Return the vertex of the next stage for every vertex of a stage, arrays of int32.

        They take a dozen operations of a device, and few runs need them: after refinement the
        communities are the result.
        """
        n = len(self.refined)
        known = self.rows[: int(self.facts["known"])]
        levels = [self.maps[k * n :][: int(row[0])] for k, row in enumerate(known)]
        joined, single = self.last[: int(self.facts["contractions"])], int(self.facts["alone"])
        if not len(joined):
            return levels
        order = self.orders[n:] if levels else self.orders
        order = order[: single + int(joined[0, 0])]
        return levels + levels_of(xp, self.maps[MOST_STAGES * n :], joined, single, order)


def launch(
    run: Run, stage: Stage, arguments: list[Any], *, alone: tuple[int, int] | None = None
) -> Launched | None:
    """Search from a stage on; None if that needs what one launch does not have, see the kernel.

    `alone` has the vertices and entries up to which one block does the rest, by default
    :data:`ALONE`.
    """
    device, xp, params, n, entries = run.device, run.device.xp, run.params, stage.n, stage.entries
    few = device.name == "host"
    block = Block(device, min(n, MOST_LAST), min(entries, MAX_ENTRIES), OTHER_BYTES)
    block.near = min(block.near, NEAR_BYTES)
    blocks = blocks_of(device)
    rows = MOST_STAGES * WIDTH + MAX_STAGES * len(COLUMNS)
    zeros, log = zeros_of(device, 2 * MOST_STAGES + 2, HEADER_SIZE + rows)
    far = xp.empty(bytes_of(n, entries, blocks), dtype=np.uint8)
    maps = xp.empty(MOST_STAGES * n + MAX_STAGES * min(n, block.vertices), dtype=np.int32)
    orders, refined = xp.empty(2 * n, dtype=np.int32), xp.empty(n, dtype=np.int32)
    last = [block.vertices, MAX_ENTRIES]
    if run.size >= TINY:
        own = alone or [run.copies * each for each in ALONE]
        last = [min(pair) for pair in zip(last, own, strict=True)]
    memory = [block.near, APART_ON_HOST if few else 0, block.tables]
    memory += [zeros, far, maps, orders, refined, log, 0]
    limits: list[Any] = [int(params.rules.counted == "all"), ONE_BLOCK_PARTS, ENOUGH_PARTS, *last]
    limits += [
        MOST_STAGES,
        MAX_STAGES,
        int(alone is not None),
        DENSE,
        WAITING_NEIGHBOURS,
        EARLY,
    ]
    with clock_of(device) as scale_of:
        device.kernel(*KERNELS["fast"])(
            blocks,
            block.threads,
            [*arguments, *limits, *memory],
            shared_mem=block.near,
            cooperative=True,
        )
        found = device.to_host(log)
    facts = facts_of(found)
    if facts["outcome"]:
        return None
    return Launched(facts, found, run.copies, scale_of(facts), maps, orders, refined)


def facts_of(log: np.ndarray) -> dict[str, float]:
    """Return the first numbers of a log, by :data:`HEADER`."""
    return dict(zip(HEADER, log[: len(HEADER)].tolist(), strict=True))


def search(run: Run, stage: Stage) -> Found | None:
    """Search for communities by "fast"; append the stages to the run's log.

    Returns
    -------
    Found or None
        None if the search needs what one launch does not have.
    """
    params, xp = run.params, run.device.xp
    run.device.report(f"stage 1, {counted(stage.n, 'vertex')}")
    found = launch(run, stage, arguments(run, stage))
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
    return Found(found.levels(xp), facts["reached"], report=report)


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


def log_stages(run: Run, found: Launched) -> float:
    """Append the stages to the run's log; return when they ended, by the kernel's clock.

    The launch's time is divided as that clock says.
    """
    facts, scale = found.facts, found.scale
    run.stages += [report_of(row, scale) for row in found.rows]
    before = float(found.rows[-1, END_TIME]) if len(found.rows) else facts["began"]
    after = facts["ended_last"] or before
    if len(found.last):
        log_rows(run, found.last, int(facts["alone"]), run.params.t_final, scale * (after - before))
    return after


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
    arrays = (2 * VERTEX_BYTES + ARRAY_BYTES) * n + (2 * ENTRY_BYTES + COPY_ENTRY_BYTES) * entries
    return arrays + BLOCK_BYTES * blocks + max(SLOT_BYTES * slots, last) + 2 * ROUNDING_BYTES
