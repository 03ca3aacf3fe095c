"""The search by "leiden" in one launch; see ``kernels/leiden_small.cu``.

Of a small graph it is the whole one, of a larger one the stages after the first ones.
"""

from __future__ import annotations

from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from gpucore.families.communities.fast import last, small, small_log
from gpucore.families.communities.fast.last import Block
from gpucore.families.communities.fast.leiden import most_cycles
from gpucore.families.communities.fast.leiden_phase import FEW, LEAST_ROUNDS, ROUNDS
from gpucore.families.communities.fast.tail import Rest, Tail
from gpucore.families.communities.stage import Found
from gpucore.format import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpucore.families.communities.fast.leiden_phase import Carried
    from gpucore.families.communities.stage import Run, Stage

#: Bytes of shared memory of `THREADS` threads, where a block has so many: enough for the tables of
#: a vertex of 4,096 edges.
TABLE_BYTES = 96 << 10
#: Most levels of a cycle, and most steps of the search: a stage is two.
MOST_LEVELS, STEPS = 16, 96
#: Bytes of a vertex in the arrays that "fast" does not have.
ARRAY_BYTES = 20
#: Kinds of rows of the log; 0 is a stage that was not given up.
GIVEN_UP, SINGLE_VERTICES, TAKEN_BACK = range(1, 4)


class Started(NamedTuple):
    """A launch that the host has not waited for.

    Attributes
    ----------
    maps, refined, log
        Levels, the communities of single vertices, and the log, in the device's memory.
    order
        The stage's vertices by class of degree.
    read : callable
        Waits for the log.
    scale_of : callable
        As :func:`small_log.clock_of` gives it.
    """

    maps: Any
    order: Any
    refined: Any
    log: Any
    read: Callable[[], np.ndarray]
    scale_of: Callable[[dict[str, float]], float]


def _start(
    run: Run,
    stage: Stage,
    arguments: list[Any],
    carried: Carried | None = None,
    reached: float = 0.0,
) -> Started:
    """Search from a stage on: the given graph's, or one that begins with communities.

    `reached` is the modularity of these.
    """
    device, params, n, entries = run.device, run.params, stage.n, stage.entries
    most = small.THREADS if carried is None else small.LATER_THREADS
    block = Block(device, 0, 0, small.OTHER_BYTES, most)
    room = device.shared_memory_per_block - small.OTHER_BYTES
    tables = min(room, TABLE_BYTES * most // small.THREADS) // 16 * 16
    kernel, blocks = small.grid_of(device, "leiden", block.threads, tables)
    memory = small_log.memory_of(
        device,
        STEPS,
        last.HEADER_SIZE + STEPS * small_log.WIDTH,
        small.bytes_of(n, entries, blocks) + ARRAY_BYTES * n,
        *(MOST_LEVELS * n, n, n),
    )
    refinement = [params.theta * run.given.unit, params.refine_seed]
    refinement += [ROUNDS, LEAST_ROUNDS, FEW]
    limits = [most_cycles(run), MOST_LEVELS, STEPS, int(carried is not None)]
    none = [stage.indices, stage.sums]  # not read
    begins = none if carried is None else [carried.start, carried.total]
    rules = [*small.later_rules(run, later=carried is not None), tables]
    memory_args = [memory.memory, *memory.begins[1:], 0]
    with small_log.clock_of(device) as scale_of:
        kernel(
            blocks,
            block.threads,
            [*arguments, *refinement, *limits, *begins, reached, *rules, *memory_args],
            shared_mem=tables,
            cooperative=True,
        )
    log, _, maps, order, refined = memory.arrays(1)
    read = cache(device.to_host_later(log))
    return Started(maps, order, refined, log, read, scale_of)


def search(run: Run, stage: Stage) -> Found | None:
    """Search for communities; append the stages to the run's log.

    Returns
    -------
    Found or None
        None if the search needs what one launch does not have; see the kernel.
    """
    run.device.report(f"stage 1, {counted(stage.n, 'vertex')}")
    started = _start(run, stage, small.arguments(run, stage))
    found = started.read()
    facts = last.facts_of(found)
    if facts["outcome"]:
        return None
    run.two_m = facts["two_m"]
    report = partial(_report, run, found, started.scale_of)
    if facts["moves"]:  # the communities after refinement are the result
        copies = small_log.of_copies(run, found)
        return Found([], facts["reached"], started.refined, copies, report)
    levels = _tail(started, found).levels(run.device.xp)
    return Found(levels, facts["reached"], report=report)


def start(run: Run, stage: Stage, carried: Carried, reached: float, *, final: bool) -> Rest:
    """Run all stages from this one on; arguments as of :func:`later.start`.

    The stage begins with the communities `carried`, of modularity `reached`.
    """
    arguments = small.arguments(run, stage, later=True, final=final)
    started = _start(run, stage, arguments, carried, reached)

    def read() -> float | None:
        facts = last.facts_of(started.read())
        return None if facts["outcome"] else facts["reached"]

    return Rest(
        n=stage.n,
        maps=started.maps,
        last=started.maps,
        orders=started.order,
        log=started.log,
        rows=last.HEADER_SIZE,
        alone=0,
        read=read,
        tail=lambda: _tail(started, started.read()),
        report=lambda: _report(run, started.read(), started.scale_of),
    )


def _rows(found: np.ndarray) -> np.ndarray:
    """Return the rows of a log."""
    rows = found[last.HEADER_SIZE :].reshape(-1, small_log.WIDTH)
    return rows[: int(last.facts_of(found)["stages"])]


def _tail(started: Started, found: np.ndarray) -> Tail:
    """Return the levels of the first cycle."""
    known = int(last.facts_of(found)["known"])
    return Tail(
        n=len(started.order),
        sizes=_rows(found)[:known, 0].astype(int).tolist(),
        maps=started.maps,
        joined=np.empty((0, len(last.COLUMNS))),
        last=started.maps,
        alone=0,
        order=started.order,
    )


def _report(run: Run, found: np.ndarray, scale_of: Callable[[dict[str, float]], float]) -> None:
    """Append the stages to the run's log."""
    scale = scale_of(last.facts_of(found))
    for row in _rows(found):
        kind = row[-1]
        more = {"given_up": bool(kind == GIVEN_UP)}
        if kind >= SINGLE_VERTICES:
            more = {"refining": True, "taken_back": bool(kind == TAKEN_BACK)}
        run.stages.append(small_log.report_of(row, scale, **more))
