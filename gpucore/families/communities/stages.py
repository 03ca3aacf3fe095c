"""The stages of the Louvain method: optimise, contract, and at last refine."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from gpucore.families.communities.fast import last, later, small, small_leiden
from gpucore.families.communities.fast.ends import gains_little
from gpucore.families.communities.fast.leiden import (
    Before,
    leiden_stages,
    most_cycles,
    next_cycle,
)
from gpucore.families.communities.fast.leiden_phase import divide
from gpucore.families.communities.fast.phase import FastPhase
from gpucore.families.communities.fast.refinement import Refined, composed, refine
from gpucore.families.communities.paper.phase import PaperPhase
from gpucore.families.communities.reports import StageReport
from gpucore.families.communities.stage import ONES, Found, squares_of, strength_of, value_of
from gpucore.families.communities.starts import ROUNDING
from gpucore.families.communities.variants import TUNED
from gpucore.format import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpucore.families.communities.fast.tail import Rest
    from gpucore.families.communities.stage import Later, Run, Stage


def run_stages(run: Run, stage: Stage) -> Found:
    """Optimise and contract until a stage gains too little; then "fast" refines.

    See :func:`gains_little`.

    The paper does not say what follows where a large graph gains less than `t_bin`: here a stage
    with `t_final`. Nor does it say what follows where a stage ends below the modularity that it
    began with, since its moves were simultaneous: here the stage is given up, and the run ends, so
    that no run returns less than it began with. Before, "fast" sweeps such a stage again in more
    parts, unless it lost next to nothing (:meth:`Run.has_lost`).
    """
    if small.fits(run, stage):
        at_once = small_leiden if run.params.variant == "leiden" else small
        found_at_once = at_once.search(run, stage)
        if found_at_once is not None:
            return found_at_once
    strength = strength_of(run.device, stage)
    if stage.kind == ONES:
        run.two_m = float(stage.entries // run.copies)
    else:
        run.two_m = float(int(run.device.to_host(strength.sum())) // run.copies)
    if run.two_m == 0.0:
        return Found([], 0.0)
    squares = run.device.to_host_later(squares_of(run, strength))
    phase = _phase_of(run, stage, strength)

    @cache
    def singles() -> float:
        return run.modularity(stage.loops, int(squares().sum()))

    if not isinstance(phase, FastPhase) or run.params.variant == "fast":
        return _louvain_stages(run, phase, strength, singles)
    found = leiden_stages(run, phase, singles, lambda before: _finished(run, phase, before))
    if isinstance(found, Found):
        return found
    first_cycle = Found(found.levels, found.modularity)
    if not run.params.refine:
        return first_cycle
    refined = _refined(run, phase, first_cycle, found.strength, divide)
    return _best_of_two_cycles(run, phase, refined)


def _finished(run: Run, first: FastPhase, before: Before) -> Found | None:
    """Return what "leiden" finds where one launch does the stages that follow; None if none can."""
    if not later.fits(run, before.stage):
        return None
    rest = small_leiden.start(
        run, before.stage, before.carried, before.modularity, final=before.final
    )
    found, refined = Found(before.levels, before.modularity), first if run.params.refine else None
    return _with_rest(run, refined, found, before.levels, rest, before.strength, divide)


def _phase_of(run: Run, stage: Stage, strength: Any) -> FastPhase | PaperPhase:
    """Return a stage with its vertices alone."""
    run.device.report(f"stage {len(run.stages) + 1}, {counted(stage.n, 'vertex')}")
    return (FastPhase if run.params.variant in TUNED else PaperPhase)(run, stage, strength)


def _louvain_stages(
    run: Run, phase: FastPhase | PaperPhase, strength: Any, singles: Callable[[], float]
) -> Found:
    """Optimise and contract, from a phase of the given graph on, as :func:`run_stages` says.

    `singles` waits for the modularity of its vertices alone.
    """
    params, rules, device = run.params, run.params.rules, run.device
    levels: list[Any] = []
    short: list[Any] = []  # the same in fewer levels
    before: Later = singles
    final, first, begin = False, None, device.moment()
    while True:
        stage = phase.stage
        size = stage.n if rules.counted == "all" else phase.live
        final = final or size <= run.copies * params.bin_vertices
        threshold = params.t_final if final else params.t_bin
        if final and isinstance(phase, FastPhase) and last.fits(run, phase):
            reached = value_of(before)
            rest = last.start(run, phase, reached, threshold)
            if rest is not None:
                refined = first or (phase if params.refine else None)
                found = _with_rest(run, refined, Found(levels, reached), short, rest, strength)
                assert found is not None, "one block has all that it needs"
                return found
        phase.optimise(before, threshold)
        reached = value_of(before)
        swept = device.moment()
        if first is not None and len(short) > 2:  # while the device sweeps
            short = [short[0], composed(short[1:])]
        smaller, after, mapping, now = phase.contract()
        while isinstance(phase, FastPhase) and run.has_lost(now, reached) and phase.begin_again():
            del smaller, after, mapping
            phase.optimise(reached, threshold)
            swept = device.moment()
            smaller, after, mapping, now = phase.contract()
        ended = device.moment()
        run.stages.append(
            StageReport(
                vertices=stage.n,
                entries=stage.entries,
                sweeps=phase.sweeps,
                threshold=threshold,
                modularity=now,
                communities=smaller.n,
                optimise_seconds=(begin, swept),
                first_sweep_seconds=phase.first_sweep_seconds,
                contract_seconds=(swept, ended),
                batches=phase.batches,
            )
        )
        begin = ended
        if isinstance(phase, FastPhase) and params.refine and first is None:
            first = phase
            first.tables.drop()
            if first.batches > 1:  # the next stages need nearly all memory
                device.release_unused()
        if smaller.n == stage.n:  # no vertices were joined
            break
        if now < reached:  # simultaneous moves lost modularity: the stage is given up
            break
        levels.append(mapping)
        short.append(mapping)
        strength = after
        little = gains_little(run, now - reached, threshold, now, final=final)
        before = reached = now
        if little and final:
            break
        final = final or little
        if later.fits(run, smaller):
            rest = later.start(run, smaller, final=final)
            found = _with_rest(run, first, Found(levels, reached), short, rest, strength)
            if found is not None:
                return found
        phase = _phase_of(run, smaller, strength)
    if first is None:
        return Found(levels, reached)
    return _refined(run, first, Found(levels, reached), strength, short=short)


def _with_rest(
    run: Run,
    first: FastPhase | None,
    found: Found,
    short: list[Any],
    rest: Rest,
    strength: Any,
    complete: Callable[[FastPhase], None] | None = None,
) -> Found | None:
    """Return what was found where one launch does the stages after `found`; None if it fails.

    `short` are the levels found, in fewer ones.  The refinement, if `first` is a phase for it, is
    queued before the host waits for that launch; :func:`refine` says what `complete` is.  Its
    stages are logged when the time is taken, and that of the refinement after them.
    """
    xp, levels = run.device.xp, found.levels
    if first is None:
        if rest.modularity is None:
            return None
        return Found([*levels, *rest.tail().levels(xp)], rest.modularity, report=rest.report)
    log = _Log(run, first, "last stages, then ")
    refined = refine(first, short, rest, found.modularity, strength, complete, None)
    reached, ended = rest.modularity, run.device.moment()
    if refined is None or reached is None:
        first.tables.drop()
        return None

    def report() -> None:
        rest.report()
        log.add(refined, reached, ended)

    if refined.better:
        return Found(levels, refined.modularity, refined.mapping, report=report)
    return Found([*levels, *rest.tail().levels(xp)], reached, report=report)


def _best_of_two_cycles(run: Run, whole: FastPhase, found: Found) -> Found:
    """Return what a second cycle of "leiden" finds, if it is better than the first one's.

    It follows if the refinement moved vertices of a small graph.
    """
    if found.refined is None or most_cycles(run) == 1:
        return found
    more = next_cycle(run, whole, found.modularity)
    if more is None:
        return found
    second = Found(more.levels, more.modularity)
    second = _refined(run, whole, second, more.strength, divide, found.modularity)
    return second if second.modularity > found.modularity + ROUNDING else found


def _refined(
    run: Run,
    first: FastPhase,
    found: Found,
    strength: Any,
    complete: Callable[[FastPhase], None] | None = None,
    least: float | None = None,
    *,
    short: list[Any] | None = None,
) -> Found:
    """Refine the partition, and log it as a stage of the given graph; see :func:`refine`.

    `short` are its levels in fewer ones, if there are such.
    """
    log, levels = _Log(run, first), found.levels if short is None else short
    refined = refine(first, levels, None, found.modularity, strength, complete, least)
    assert refined is not None, "no launch can fail"
    log.add(refined, found.modularity, run.device.moment())
    if not refined.better:
        return found
    return Found(found.levels, refined.modularity, refined.mapping)


class _Log:
    """Of the refinement with the phase `first`, queued now; its progress names what is `before`."""

    def __init__(self, run: Run, first: FastPhase, before: str = "") -> None:
        run.device.report(f"{before}refinement of the given graph's vertices")
        self._run, self._stage, self._begin = run, first.stage, run.device.moment()
        first.tables.take()

    def add(self, refined: Refined, reached: float, ended: Any) -> None:
        """Append it to the run's log as a stage; `reached` is the modularity before."""
        self._run.stages.append(
            StageReport(
                vertices=self._stage.n,
                entries=self._stage.entries,
                sweeps=refined.sweeps,
                threshold=self._run.params.t_final,
                modularity=refined.modularity if refined.better else reached,
                communities=refined.communities,
                optimise_seconds=(self._begin, ended),
                contract_seconds=0.0,
                refining=True,
                taken_back=not refined.better,
            )
        )
