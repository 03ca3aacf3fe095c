"""The events of a run in the numbers of the given graph, with those that kernels do not log."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.communities.hierarchy import (
    Events,
    Kind,
    Naming,
    added,
    between,
    inner_weight,
    renamed,
    taken_back,
)

if TYPE_CHECKING:
    from gpucore.families.communities.reports import Division, StageReport, StepReport
    from gpucore.problems.graph.graph import Graph


def in_graph_numbers(
    events: Events,
    graph: Graph,
    steps: Sequence[StepReport],
    stages: Sequence[StageReport],
    levels: Sequence[np.ndarray],
    divisions: Sequence[Division] = (),
) -> dict[str, np.ndarray]:
    """Translate events to the given graph's numbers, and add the events that kernels do not log.

    Parameters
    ----------
    events : mapping of str to ndarray
        Columns as kernels wrote them, in order; iterations are numbers of `steps`.
    graph : Graph
        The given graph.
    steps, stages, levels, divisions
        See :func:`gpucore.families.communities.record.communities_record`.

    Returns
    -------
    dict of str to ndarray
        The same columns with ``a``, ``b``, ``c`` renamed, a TAKE_BACK for each move of a sweep
        or of a last stage that was taken back, a MERGE for each community of several vertices
        at contractions, and an OPEN for each vertex of several before refinement.
    """
    naming = Naming.of_graph(graph.num_vertices)
    parts: list[dict[str, np.ndarray]] = []
    step_stage = np.array([step.stage for step in steps], dtype=np.int64)
    for number, stage in enumerate(stages):
        if stage.refining:
            first, last = (int(i) for i in np.searchsorted(step_stage, [number, number + 1]))
            lost = [step.taken_back for step in steps[first:last]].count(True)
            parts += _refinement(events, naming, (first, first + lost, last), stage, divisions)
            break
        first, last = (int(i) for i in np.searchsorted(step_stage, [number, number + 1]))
        merging = sum(1 for step in steps[first:last] if step.merging)
        at = np.arange(len(naming.vertex), dtype=np.int32)
        for low, high in sweeps(steps, first, last - merging):
            piece = between(events, low, high)
            back = taken_back(piece, high - 1) if steps[high - 1].taken_back else None
            if back is None:
                moves = piece["kind"] == Kind.MOVE
                at[piece["a"][moves]] = piece["c"][moves]
            parts += [renamed(part, naming) for part in (piece, back) if part is not None]
        if stage.given_up:
            parts.append(renamed(_given_up(events, at, last - merging - 1), naming))
            at = np.arange(len(naming.vertex), dtype=np.int32)
        if number == len(levels):  # the last stage, which did not shrink the graph
            if stage.communities < stage.vertices:
                parts.append(renamed(_given_up(events, at, last - 1), naming))
                at = np.arange(len(at), dtype=np.int32)
            naming = Naming(naming.stands, naming.vertex, naming.community[at])
            continue
        mapping = np.asarray(levels[number])
        following = naming.contracted(mapping, at)
        if number == len(levels) - 1 and stage.given_up is not None:
            parts.append(_splits(events, naming, mapping, following, last - merging - 1))
        parts.append(_merges(events, graph, mapping, following, last - merging, last))
        naming = following
    if not parts:
        return dict(events)
    return _joined(parts, events)


def _refinement(
    events: Events,
    naming: Naming,
    bounds: tuple[int, int, int],
    stage: StageReport,
    divisions: Sequence[Division],
) -> list[dict[str, np.ndarray]]:
    """Return the events of the stage that moves the given graph's vertices again.

    Parameters
    ----------
    events : mapping of str to ndarray
        As the kernels wrote them; here a community has the number of one of its members.
    naming : Naming
        At the end of the last stage.
    bounds : tuple of int
        The stage's first step; that after the ones whose moves were taken back, since they lost
        modularity; and that after the last one.
    stage : StageReport
        The stage; all its moves may have been taken back.
    divisions : sequence of Division
        Of its communities, between its steps.
    """
    first, again, last = bounds
    members = np.bincount(naming.stands)
    opened = np.flatnonzero(members > 1)
    values = {
        "kind": Kind.OPEN,
        "a": naming.vertex[opened],
        "b": naming.community[opened],
        "c": members[opened],
    }
    parts = [added(events, values, len(opened), first)]
    for low, high, lost in ((first, again, True), (again, last, bool(stage.taken_back))):
        if low == high:
            continue
        mine = [split for split in divisions if low <= split[0] < high or split[0] == high == last]
        moving = _divided(events, naming, low, high, mine)
        parts += moving
        if lost:
            parts.append(taken_back(_joined(moving, events), high - 1))
    return parts


def _divided(
    events: Events, naming: Naming, low: int, high: int, divisions: Sequence[Division]
) -> list[dict[str, np.ndarray]]:
    """Return the moves of single vertices in steps `low` to `high` - 1, divided between these."""
    own = np.arange(len(naming.stands), dtype=np.int32)
    number, parts = naming.community[naming.stands], []
    for step, before, after in divisions:
        parts.append(renamed(between(events, low, step), Naming(own, own, number)))
        label, mapping = np.unique(after, return_inverse=True)
        following = Naming(own, own, np.zeros(len(label), dtype=np.int32))
        following.community[mapping] = number[before]
        parts.append(_splits(events, Naming(own, own, number), mapping, following, step - 1))
        low, number = step, np.zeros_like(own)
        number[label] = following.community
    parts.append(renamed(between(events, low, high), Naming(own, own, number)))
    return parts


def _joined(parts: Sequence[Events], events: Events) -> dict[str, np.ndarray]:
    return {name: np.concatenate([part[name] for part in parts]) for name in events}


def sweeps(steps: Sequence[StepReport], first: int, last: int) -> list[tuple[int, int]]:
    """Return the steps of each sweep from step `first` to `last` - 1, as half-open ranges."""
    bounds = [
        step
        for step in range(first, last)
        if step == first or steps[step].sweep != steps[step - 1].sweep
    ]
    return list(zip(bounds, [*bounds[1:], last], strict=True))


def _given_up(events: Events, at: np.ndarray, step: int) -> dict[str, np.ndarray]:
    """Return the events that undo a stage that lost modularity: every vertex is alone again."""
    moved = np.flatnonzero(at != np.arange(len(at)))
    values = {"a": moved, "b": at[moved], "c": moved, "kind": Kind.TAKE_BACK}
    return added(events, values, len(moved), step)


def _splits(
    events: Events, naming: Naming, mapping: np.ndarray, following: Naming, step: int
) -> dict[str, np.ndarray]:
    """Return the events that divide communities between the components that `mapping` numbers.

    The first component keeps the community's number; the others get free ones, in `following`.
    """
    kept = np.zeros(len(following.community), dtype=bool)
    kept[np.unique(following.community, return_index=True)[1]] = True
    old = following.community.copy()
    free = np.setdiff1d(np.arange(len(following.stands), dtype=np.int32), old)
    following.community[~kept] = free[: np.count_nonzero(~kept)]
    leaving = np.flatnonzero(~kept[mapping])
    values = {
        "kind": Kind.SPLIT,
        "a": naming.vertex[leaving],
        "b": old[mapping[leaving]],
        "c": following.community[mapping[leaving]],
    }
    return added(events, values, len(leaving), step)


def _merges(
    events: Events, graph: Graph, mapping: np.ndarray, following: Naming, first: int, last: int
) -> dict[str, np.ndarray]:
    """Return the contraction of communities of several vertices, one event for each.

    Kernels that merge a community with one warp or block log when they did, in steps `first` to
    `last` - 1.  Where they have not, since they work by vertices, the events come after the last
    step.
    """
    merged = np.flatnonzero(np.bincount(mapping) > 1)
    count = len(merged)
    logged = between(events, first, last)
    logged = {name: column[logged["kind"] == Kind.MERGE] for name, column in logged.items()}
    if np.array_equal(np.sort(logged["a"]), merged):
        merged = logged["a"]
    values: dict[str, Any] = {
        "kind": Kind.MERGE,
        "a": following.vertex[merged],
        "b": following.community[merged],
        "c": np.bincount(following.stands)[merged] if count else 0,
        "value": inner_weight(graph, following.stands)[merged] if count else 0,
    }
    made = added(events, values, count, last - 1)
    if merged is logged["a"]:
        made |= {name: logged[name] for name in logged if name not in values}
    return made
