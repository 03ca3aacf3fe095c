"""The last stages of the tuned variant in one launch of one block.

A GPU needs microseconds for a stage of some hundred vertices, but half a millisecond for its
launches and for what the host reads; see ``kernels/louvain_fast_last.cu``.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.communities.fast.ends import (
    EARLY,
    MAX_SWEEPS,
    MOST_SWEEPS,
    PATIENCE,
    last_share,
)
from gpucore.families.communities.fast.phase import FastPhase
from gpucore.families.communities.fast.sizes import (
    OTHER_BYTES,
    SLOT_BYTES,
    WARP_SLOTS,
)
from gpucore.families.communities.fast.tail import Rest, Tail
from gpucore.families.communities.reports import StageReport

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.communities.stage import Run

#: Most entries of the lists.
MAX_ENTRIES = 32_768
#: Most vertices with edges that a thread has, so that a block's table has a slot for each.
VERTICES_A_THREAD = 8
#: Most stages; each joins some vertices, and ten are many.
MAX_STAGES = 32
#: Threads of the block: fewer where a block has less shared memory than `WIDE_BYTES`.
THREADS, FEW_THREADS, WIDE_BYTES = 512, 256, 96 << 10
#: Parts of a sweep: the block has most vertices of a part at work at once.  A stage that lost
#: modularity is swept again in more, until there are enough.
PARTS, ENOUGH_PARTS = 4, 64
#: Bytes of a vertex in a graph and in a stage's arrays; of an entry there, in the table of pairs.
VERTEX_BYTES, STAGE_BYTES, ENTRY_BYTES, PAIR_BYTES = 16, 24, 12, 3 * SLOT_BYTES
#: Bytes that the ends of all arrays take.
ROUNDING_BYTES = 256
#: Columns of the log's rows.
COLUMNS = ("vertices", "entries", "sweeps", "communities", "modularity")
#: The log's first numbers, and where its rows begin (``kernels/louvain_fast_sweep.cuh``).
HEADER = (
    "outcome", "stages", "rows", "contractions", "alone", "reached", "known", "final",
    "communities", "sweeps", "moves", "began", "ended_last", "ended", "two_m",
)  # fmt: skip
HEADER_SIZE = 32


class Block:
    """The block of the last stages.

    Parameters
    ----------
    device : Device
        Where it runs.
    n, entries : int
        Vertices with edges, and entries of their lists.
    other : int
        Bytes of shared memory that the kernel has beside.
    most : int
        Most threads.

    Attributes
    ----------
    threads, vertices : int
        Its threads, and the most vertices.
    near, tables : int
        Bytes of shared memory, and of them for hash tables.
    """

    def __init__(
        self, device: Device, n: int, entries: int, other: int = OTHER_BYTES, most: int = THREADS
    ) -> None:
        room = device.shared_memory_per_block - other
        self.threads = min(most, THREADS if room >= WIDE_BYTES else FEW_THREADS)
        self.vertices = VERTICES_A_THREAD * self.threads
        self.tables = self.threads // 32 * WARP_SLOTS * SLOT_BYTES
        wanted = (VERTEX_BYTES + STAGE_BYTES) * n + ENTRY_BYTES * entries + ROUNDING_BYTES
        self.near = min(room, self.tables + wanted) // 16 * 16


def far_bytes(n: int, entries: int) -> int:
    """Return the bytes of the last stages outside of shared memory."""
    graph = VERTEX_BYTES * n + ENTRY_BYTES * entries
    return 2 * graph + STAGE_BYTES * n + PAIR_BYTES * entries + 2 * ROUNDING_BYTES


def fits(run: Run, phase: FastPhase) -> bool:
    """Return whether a phase may be the first of the last ones.

    The given graph is only if it is tiny.  No stage is of a run with a record, which has a row for
    every launch, or of a reproducible one, since the block's warps see each other's moves.
    """
    return (
        (bool(run.stages) or phase.sizes.tiny)
        and 0 < phase.stage.entries <= MAX_ENTRIES
        and not run.recorder.args()
        and not run.params.deterministic
    )


def facts_of(log: np.ndarray) -> dict[str, float]:
    """Return the first numbers of a log, by :data:`HEADER`."""
    return dict(zip(HEADER, log[: len(HEADER)].tolist(), strict=True))


def start(run: Run, phase: FastPhase, reached: float, threshold: float) -> Rest | None:
    """Run all stages from a phase's on; None if it has too many vertices with edges.

    Parameters
    ----------
    run : Run
        The run.
    phase : FastPhase
        Of the first of the last stages; its partition is not used.
    reached : float
        Modularity so far.
    threshold : float
        Of all stages, `t_final`.
    """
    device, xp, stage = run.device, run.device.xp, phase.stage
    alone, end = phase.order.first[1], phase.order.first[-1]
    n, entries = end - alone, stage.entries
    block = Block(device, n, entries)
    if n > block.vertices:
        return None
    maps = xp.empty(MAX_STAGES * n, dtype=xp.int32)
    log = xp.zeros(HEADER_SIZE + MAX_STAGES * len(COLUMNS), dtype=xp.float64)
    own = xp.empty(stage.n, dtype=xp.int32)
    tiny = phase.sizes.tiny
    *ends, relative = run.copies * reached, *run.limits(threshold)
    early = EARLY if relative and not tiny else 0.0
    limits = [run.two_m, run.params.resolution, *ends, early, last_share(run), relative]
    limits += [int(run.params.rules.take_back), PATIENCE]
    limits += [min(run.params.max_sweeps, MOST_SWEEPS if tiny else MAX_SWEEPS), MAX_STAGES]
    limits.append(ENOUGH_PARTS)
    parts = phase.sizes.parts if tiny else PARTS
    whole = xp.empty(n, dtype=xp.int32)
    far = xp.empty(far_bytes(n, entries), dtype=xp.uint8)
    memory = [block.near, block.tables, far, maps, whole, log]
    graph = [n, entries, phase.order.vertices[alone:end], own, *stage.args, phase.strength]
    begin = device.moment()
    device.kernel("louvain_fast_last", "fast_last")(
        1, block.threads, [*graph, *limits, parts, *memory, 0], shared_mem=block.near
    )
    ended, order = device.moment(), phase.order.vertices

    @cache
    def found() -> tuple[np.ndarray, np.ndarray]:
        """Return the log's rows, and those of stages that joined vertices."""
        log_of_host = device.to_host(log)
        facts = facts_of(log_of_host)
        rows = log_of_host[HEADER_SIZE:].reshape(-1, len(COLUMNS))[: int(facts["rows"])]
        rows[:, -1] /= run.copies
        return rows, rows[: int(facts["contractions"])]

    def read() -> float:
        joined = found()[1]
        return float(joined[-1, -1]) if len(joined) else reached

    return Rest(
        n=stage.n,
        maps=maps,
        last=maps,
        orders=order,
        log=log,
        rows=HEADER_SIZE,
        alone=alone,
        read=read,
        tail=lambda: Tail(stage.n, [], maps, found()[1], maps, alone, order),
        report=lambda: log_rows(
            run, found()[0], alone, threshold, device.seconds_between(begin, ended)
        ),
    )


def log_rows(run: Run, rows: np.ndarray, alone: int, threshold: float, seconds: float) -> None:
    """Append the stages to the run's log; each has an equal share of the time."""
    for *counts, modularity in rows.tolist():
        vertices, entries, sweeps, communities = map(int, counts)
        run.stages.append(
            StageReport(
                vertices=vertices + alone,
                entries=entries,
                sweeps=sweeps,
                threshold=threshold,
                modularity=modularity,
                communities=communities + alone,
                optimise_seconds=seconds / len(rows),
                contract_seconds=0.0,
                one_launch=True,
            )
        )
