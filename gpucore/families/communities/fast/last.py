"""The last stages of the tuned variant in one launch of one block.

A GPU needs microseconds for a stage of some hundred vertices, but half a millisecond for its
launches and for what the host reads; see ``kernels/louvain_fast_last.cu``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.communities.fast.phase import (
    MAX_SWEEPS,
    MOST_SWEEPS,
    PATIENCE,
    FastPhase,
)
from gpucore.families.communities.fast.sizes import OTHER_BYTES, SLOT_BYTES, WARP_SLOTS
from gpucore.families.communities.reports import StageReport

if TYPE_CHECKING:
    from gpucore.families.communities.stage import Run

#: Most entries of the lists.
MAX_ENTRIES = 32_768
#: Most vertices with edges that a thread has, so that a block's table has a slot for each.
VERTICES_A_THREAD = 8
#: Most stages; each joins some vertices, and ten are many.
MAX_STAGES = 32
#: Threads of the block: fewer where a block has less shared memory than `WIDE_BYTES`.
THREADS, FEW_THREADS, WIDE_BYTES = 512, 256, 96 << 10
#: Parts of a sweep: the block has most vertices of a part at work at once.
PARTS = 4
#: Bytes of a vertex: in a graph, in the arrays of a stage; of an entry: there, in the table of pairs.
VERTEX_BYTES, STAGE_BYTES, ENTRY_BYTES, PAIR_BYTES = 16, 24, 12, 3 * SLOT_BYTES
#: Bytes that the ends of all arrays take.
ROUNDING_BYTES = 256
#: Columns of the log.
COLUMNS = ("vertices", "entries", "sweeps", "communities", "modularity")


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


def finish(
    run: Run, phase: FastPhase, reached: float, threshold: float
) -> tuple[list[Any], float] | None:
    """Run all stages from a phase's on; return their levels, and the modularity of the last.

    The stages are appended to the run's log. None if the phase has too many vertices with edges.

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
    room = device.shared_memory_per_block - OTHER_BYTES
    threads = THREADS if room >= WIDE_BYTES else FEW_THREADS
    if n > VERTICES_A_THREAD * threads:
        return None
    tables = threads // 32 * WARP_SLOTS * SLOT_BYTES
    graph = VERTEX_BYTES * n + ENTRY_BYTES * entries
    stage_bytes = STAGE_BYTES * n + ROUNDING_BYTES
    far = 2 * graph + stage_bytes + PAIR_BYTES * entries
    near = min(room, tables + graph + stage_bytes) // 16 * 16
    maps = xp.empty(MAX_STAGES * n, dtype=xp.int32)
    log = xp.zeros(2 + MAX_STAGES * len(COLUMNS), dtype=xp.float64)
    own = xp.empty(stage.n, dtype=xp.int32)
    limits = [run.two_m, run.params.resolution, *run.limits(reached, threshold)]
    limits += [int(run.params.rules.take_back), PATIENCE]
    tiny = phase.sizes.tiny
    limits += [min(run.params.max_sweeps, MOST_SWEEPS if tiny else MAX_SWEEPS), MAX_STAGES]
    limits += [phase.sizes.parts if tiny else PARTS]
    whole = xp.empty(n, dtype=xp.int32)
    memory = [near, tables, xp.empty(far, dtype=xp.uint8), maps, whole, log]
    live = phase.order.vertices[alone:end]
    with device.timer() as timer:
        device.kernel("louvain_fast_last", "fast_last")(
            1,
            threads,
            [n, entries, live, own, *stage.args, phase.strength, *limits, *memory, 0],
            shared_mem=near,
        )
        found = device.to_host(log)
    rows = found[2:].reshape(-1, len(COLUMNS))[: int(found[0])]
    rows[:, -1] /= run.copies
    _log(run, rows, alone, threshold, timer.seconds)
    levels = _levels(phase, maps.reshape(MAX_STAGES, n), rows[: int(found[1])])
    return levels, float(rows[len(levels) - 1][-1]) if levels else reached


def _log(run: Run, rows: np.ndarray, alone: int, threshold: float, seconds: float) -> None:
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


def _levels(phase: FastPhase, maps: Any, rows: np.ndarray) -> list[Any]:
    """Return the mapping of every stage; vertices without edges have the last numbers."""
    xp = phase.run.device.xp
    alone = phase.order.first[1]
    levels = []
    for number, row in enumerate(rows):
        mapping, communities = maps[number, : int(row[0])], int(row[3])
        if alone:
            own = xp.arange(communities, communities + alone, dtype=xp.int32)
            mapping = xp.concatenate([mapping, own] if number else [own, mapping])
        if number == 0:  # the phase's order begins with the vertices without edges
            of_order, mapping = mapping, xp.empty(phase.stage.n, dtype=xp.int32)
            mapping[phase.order.vertices] = of_order
        levels.append(mapping)
    return levels
