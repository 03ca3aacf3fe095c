"""The stages of the Louvain method: optimise, contract, and at last refine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.families.communities.fast import later, small, small_leiden
from gpucore.families.communities.fast.last import finish, fits
from gpucore.families.communities.fast.leiden import (
    divide,
    leiden_stages,
    most_cycles,
    next_cycle,
)
from gpucore.families.communities.fast.phase import FastPhase
from gpucore.families.communities.fast.refinement import refine
from gpucore.families.communities.paper.phase import PaperPhase
from gpucore.families.communities.reports import StageReport
from gpucore.families.communities.stage import ONES, Found, squares_of, strength_of
from gpucore.families.communities.starts import ROUNDING
from gpucore.format import counted

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpucore.families.communities.stage import Run, Stage


def run_stages(run: Run, stage: Stage) -> Found:
    """Optimise and contract until a stage gains less than the threshold; then "fast" refines.

    The paper does not say what follows where a large graph gains less than `t_bin`: here a stage
    with `t_final`. Nor does it say what follows where a stage ends below the modularity that it
    began with, since its moves were simultaneous: here the stage is given up, and the run ends, so
    that no run returns less than it began with. Before, "fast" sweeps such a stage again in more
    parts.
    """
    levels: list[Any] = []
    params, rules = run.params, run.params.rules
    if small.fits(run, stage):
        at_once = small_leiden if params.variant == "leiden" else small
        found_at_once = at_once.search(run, stage)
        if found_at_once is not None:
            return found_at_once
    if run.several is not None:
        stage = run.given = run.several.make()
        run.several = None
    strength = strength_of(run.device, stage)
    if stage.kind == ONES:
        run.two_m = float(stage.entries // run.copies)
    else:
        run.two_m = float(int(run.device.to_host(strength.sum())) // run.copies)
    if run.two_m == 0.0:
        return Found(levels, 0.0)
    reached = run.modularity(stage.loops, squares_of(run, strength))
    if params.variant == "leiden":
        whole, levels, strength, reached = leiden_stages(run, stage, strength, reached)
        found = Found(levels, reached)
        if not params.refine:
            return found
        found = _refined(run, whole, found, len(levels), strength, divide)
        return _best_of_two_cycles(run, whole, found)
    phase_of = FastPhase if params.variant == "fast" else PaperPhase
    device, final, first, known = run.device, False, None, 0
    while True:
        device.report(f"stage {len(run.stages) + 1}, {counted(stage.n, 'vertex')}")
        rest = later.finish(run, stage, final=final) if later.fits(run, stage) else None
        if rest is not None:
            more, reached = rest
            levels += more
            break
        begin = device.moment()
        phase: FastPhase | PaperPhase = phase_of(run, stage, strength)
        size = stage.n if rules.counted == "all" else phase.live
        final = final or size <= run.copies * params.bin_vertices
        threshold = params.t_final if final else params.t_bin
        if final and isinstance(phase, FastPhase) and fits(run, phase):
            last = finish(run, phase, reached, threshold)
            if last is not None:
                more, reached = last
                levels += more
                if params.refine and first is None:
                    first = phase
                break
        phase.optimise(reached, threshold)
        swept = device.moment()
        smaller, after, mapping, now = phase.contract()
        while isinstance(phase, FastPhase) and now < reached - ROUNDING and phase.begin_again():
            del smaller, after, mapping
            phase.optimise(reached, threshold)
            swept = device.moment()
            smaller, after, mapping, now = phase.contract()
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
                contract_seconds=(swept, device.moment()),
                batches=phase.batches,
            )
        )
        if isinstance(phase, FastPhase) and params.refine and first is None:
            first = phase
            first.tables.drop()
            if first.batches > 1:  # the next stages need nearly all memory
                run.device.release_unused()
        if smaller.n == stage.n:  # no vertices were joined
            break
        if now < reached:  # simultaneous moves lost modularity: the stage is given up
            break
        levels.append(mapping)
        strength, known = after, len(levels)
        little = now - reached < rules.of_stage(threshold, now)
        stage, reached = smaller, now
        if little and final:
            break
        final = final or little
    if first is None:
        return Found(levels, reached)
    return _refined(run, first, Found(levels, reached), known, strength)


def _best_of_two_cycles(run: Run, whole: FastPhase, found: Found) -> Found:
    """Return what a second cycle of "leiden" finds, if it is better than the first one's.

    It follows if the refinement moved vertices of a small graph.
    """
    if found.refined is None or most_cycles(run) == 1:
        return found
    more = next_cycle(run, whole, found.modularity)
    if more is None:
        return found
    levels, strength, reached = more
    second = Found(levels, reached)
    second = _refined(run, whole, second, len(levels), strength, divide, found.modularity)
    return second if second.modularity > found.modularity + ROUNDING else found


def _refined(
    run: Run,
    first: FastPhase,
    found: Found,
    known: int,
    strength: Any,
    complete: Callable[[FastPhase], None] | None = None,
    least: float | None = None,
) -> Found:
    """Refine the partition, and log it as a stage of the given graph; see :func:`refine`.

    It should not end below `least`; by default, below the partition.
    """
    run.device.report("refinement of the given graph's vertices")
    begin = run.device.moment()
    first.tables.take()
    levels, reached = found.levels, found.modularity
    least = reached if least is None else least
    refined = refine(first, levels, reached, known, strength, complete, least)
    run.stages.append(
        StageReport(
            vertices=first.stage.n,
            entries=first.stage.entries,
            sweeps=refined.sweeps,
            threshold=run.params.t_final,
            modularity=refined.modularity if refined.better else reached,
            communities=refined.communities,
            optimise_seconds=(begin, run.device.moment()),
            contract_seconds=0.0,
            refining=True,
            taken_back=not refined.better,
        )
    )
    if not refined.better:
        return found
    return Found(levels, refined.modularity, refined.mapping)
