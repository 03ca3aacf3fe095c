"""Sweeps that are launches of their own, queued before the host knows which is the last one."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpucore.device.grid import blocks_for
from gpucore.families.communities.fast.launches import launches
from gpucore.families.communities.fast.order import THREADS
from gpucore.families.communities.fast.workspace import TALLIES

if TYPE_CHECKING:
    from gpucore.families.communities.fast.facts import Found
    from gpucore.families.communities.fast.phase import FastPhase

#: Sweeps that are queued before the host asks whether the phase has ended: those after its end do
#: nothing, which takes a GPU less time than the host needs to ask and to go on.  In a stage of more
#: entries even that takes long, and the host asks after every sweep, while the next one runs; but
#: the refinement has few.
QUEUED, ASKING_ENTRIES = 8, 1 << 22


def sweep_by_launches(
    phase: FastPhase,
    sweeps: range,
    middle: list[Any],
    moves: list[Any],
    limits: Callable[[], list[Any]],
    *,
    hubs_wait: bool,
    brief: bool,
) -> Found | None:
    """Launch sweeps until the kernels' rule ends them.

    Parameters
    ----------
    phase : FastPhase
        The stage; it has its modularity before once `limits` has returned.
    sweeps : range
        Their numbers, at most.
    middle, moves : list
        Arguments of the search, after the graph's; moves that wait, and how many may.
    limits : callable
        Returns when they end; it may wait, while the device searches.
    hubs_wait : bool
        Whether the hubs stay out of the first one.
    brief : bool
        Whether they are too few for the host to ask in between.

    Returns
    -------
    Found or None
        What the host knows of them, if it knows that they have ended.
    """
    run, facts, parts = phase.run, phase.work.facts, phase.sizes.parts
    recorder = run.recorder.args()

    def search(step: int, hubs: bool = True) -> list[Callable[[], None]]:
        return launches(
            phase,
            lambda name: run.recorder.kernel("louvain_fast", name),
            "fast_move",
            middle,
            [step, *recorder],
            parts=parts,
            hubs=hubs,
        )

    hubs = not hubs_wait
    first = search(len(run.steps), hubs)
    for launch in first:
        launch()
    after = _after_part(phase, moves, limits())
    long = phase.stage.entries > ASKING_ENTRIES and not brief
    every, ahead = 1 if recorder or long else QUEUED, int(long and not recorder)
    asked: deque[Callable[[], Found]] = deque()
    for sweep in sweeps:
        for part in range(parts):
            if sweep > sweeps[0] or part > 0:
                for launch in search(len(run.steps), hubs) if recorder else first:
                    launch()
            for launch in after:
                launch()
        if not hubs:
            hubs, first = True, search(0)
        if recorder:
            _add_step(phase, sweep)
        if (recorder or sweep < sweeps[-1]) and (sweep - sweeps[0] + 1) % every == 0:
            asked.append(facts.read_later())
        if len(asked) > ahead:
            found = asked.popleft()()
            if found.done:
                return found
    return None


def _after_part(phase: FastPhase, moves: list[Any], limits: list[Any]) -> list[Callable[[], None]]:
    """Prepare what follows a part's search: moves that waited; whether the sweeps end."""
    device, work, parts = phase.run.device, phase.work, phase.sizes.parts
    judge = device.kernel("louvain_fast", "fast_judge").prepare(
        1, TALLIES, [work.gained, work.moved, *limits, work.facts.state, *moves]
    )
    if not moves[-1]:
        return [judge]
    partition = [phase.strength, phase.community, phase.total, parts, work.rested]
    make_moves = device.kernel("louvain_fast", "fast_make_moves").prepare(
        blocks_for(phase.stage.n, THREADS),
        THREADS,
        [*phase.stage.args, *partition, *moves, work.facts.state],
    )
    return [make_moves, judge]


def _add_step(phase: FastPhase, sweep: int) -> None:
    """Append a sweep to the log."""
    run, facts = phase.run, phase.work.facts
    assert phase.begun is not None, "the host knows the modularity before"
    moves = int(run.device.to_host(facts.state)[3])
    gain = float(run.device.to_host(facts.gain)[0]) / run.copies
    before = sum(step.moves for step in run.steps if step.stage == len(run.stages))
    run.add_step(
        phase.live,
        phase.stage.entries,
        sweep=sweep,
        moves=moves - before,
        modularity=phase.begun + gain,
    )
