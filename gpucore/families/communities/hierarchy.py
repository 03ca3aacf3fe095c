"""A run of the Louvain method in the numbers of the given graph.

The kernels of a later stage number the vertices of a contracted graph.  Here a vertex of any stage
has the number of the smallest vertex of the given graph that it stands for, and a community that of
the vertex that founded it.  Contraction turns a community into a vertex and keeps its number, so a
number, and its colour, keeps its meaning from the first sweep to the last.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from gpucore.families.communities.reports import StageReport, StepReport
    from gpucore.problems.graph.graph import Graph

Events = Mapping[str, np.ndarray]


class Kind(IntEnum):
    """Kinds of events; TAKE_BACK, SPLIT and OPEN are the host's (``kernels/louvain.cuh``)."""

    MOVE = 1  # vertex a goes from community b to c; value: gain in modularity at that time
    HASH = 2  # an edge of a into community b went to slot c of the hash table, after value probes
    HELD = 3  # a would gain by a move from b to c, but a rule forbids it now; value: the gain
    MERGE = 4  # community b becomes the vertex a; c: members, value: weight of the edges inside
    TAKE_BACK = 5  # a returns from b to c, since its sweep lost modularity
    JOIN = 6  # a, of community b, joins the part of vertex c; value: gain among parts
    SPLIT = 7  # a leaves b for the new community c: no path joins it to the rest inside b
    OPEN = 8  # the vertex a, in community b, opens into the c vertices that it stands for


@dataclass
class Naming:
    """Numbers of a stage's vertices and communities in the given graph.

    Attributes
    ----------
    stands : ndarray of int32, shape (n,)
        The stage's vertex of every vertex of the given graph.
    vertex : ndarray of int32, shape (stage's vertices,)
        Smallest vertex of the given graph in each.
    community : ndarray of int32, shape (stage's vertices,)
        Number of the community that each is in when the stage begins.
    """

    stands: np.ndarray
    vertex: np.ndarray
    community: np.ndarray

    @classmethod
    def of_graph(cls, n: int) -> Naming:
        """Return the naming of the first stage: all keep their own numbers."""
        number = np.arange(n, dtype=np.int32)
        return cls(number, number, number)

    def contracted(self, mapping: np.ndarray, at: np.ndarray) -> Naming:
        """Return the naming of the next stage.

        Parameters
        ----------
        mapping : ndarray of int32
            Next stage's vertex of each of this one's.
        at : ndarray of int32
            Final community of each of them, in this stage's numbers.
        """
        stands = mapping[self.stands]
        community = np.zeros(int(mapping.max(initial=-1)) + 1, dtype=np.int32)
        community[mapping] = self.community[at]
        return Naming(stands, smallest_member(stands), community)


def smallest_member(label: np.ndarray) -> np.ndarray:
    """Return the smallest vertex under each label; int32, shape (labels,)."""
    first = np.full(int(label.max(initial=-1)) + 1, len(label), dtype=np.int32)
    np.minimum.at(first, label, np.arange(len(label), dtype=np.int32))
    return first


def by_smallest_member(label: np.ndarray) -> np.ndarray:
    """Return the partition with every part numbered by its smallest member; int32, shape (n,)."""
    return smallest_member(label)[label]


def in_graph_numbers(
    events: Events,
    graph: Graph,
    steps: Sequence[StepReport],
    stages: Sequence[StageReport],
    levels: Sequence[np.ndarray],
) -> dict[str, np.ndarray]:
    """Translate events to the given graph's numbers, and add the events that kernels do not log.

    Parameters
    ----------
    events : mapping of str to ndarray
        Columns as kernels wrote them, in order; iterations are numbers of `steps`.
    graph : Graph
        The given graph.
    steps, stages, levels
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
            parts += _refinement(events, naming, step_stage, number, bool(stage.taken_back))
            break
        first, last = (int(i) for i in np.searchsorted(step_stage, [number, number + 1]))
        merging = sum(1 for step in steps[first:last] if step.merging)
        at = np.arange(len(naming.vertex), dtype=np.int32)
        for low, high in sweeps(steps, first, last - merging):
            piece = _between(events, low, high)
            back = _taken_back(piece, high - 1) if steps[high - 1].taken_back else None
            if back is None:
                moves = piece["kind"] == Kind.MOVE
                at[piece["a"][moves]] = piece["c"][moves]
            parts += [_renamed(part, naming) for part in (piece, back) if part is not None]
        if stage.given_up:
            parts.append(_renamed(_given_up(events, at, last - merging - 1), naming))
            at = np.arange(len(naming.vertex), dtype=np.int32)
        if number == len(levels):  # the last stage, which did not shrink the graph
            if stage.communities < stage.vertices:
                parts.append(_renamed(_given_up(events, at, last - 1), naming))
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
    return {name: np.concatenate([part[name] for part in parts]) for name in events}


def _refinement(
    events: Events, naming: Naming, step_stage: np.ndarray, number: int, given_up: bool
) -> list[dict[str, np.ndarray]]:
    """Return the events of the stage that moves the given graph's vertices again.

    Parameters
    ----------
    events : mapping of str to ndarray
        As the kernels wrote them; here a community has the number of one of its members.
    naming : Naming
        At the end of the last stage.
    step_stage : ndarray of int64
        Stage of every step.
    number : int
        Of the refining stage.
    given_up : bool
        Whether its moves were taken back.
    """
    first, last = (int(i) for i in np.searchsorted(step_stage, [number, number + 1]))
    members = np.bincount(naming.stands)
    opened = np.flatnonzero(members > 1)
    values = {
        "kind": Kind.OPEN,
        "a": naming.vertex[opened],
        "b": naming.community[opened],
        "c": members[opened],
    }
    own = np.arange(len(naming.stands), dtype=np.int32)
    single = Naming(own, own, naming.community[naming.stands])
    piece = _between(events, first, last)
    parts = [_added(events, values, len(opened), first), _renamed(piece, single)]
    if given_up:
        parts.append(_renamed(_taken_back(piece, last - 1), single))
    return parts


def sweeps(steps: Sequence[StepReport], first: int, last: int) -> list[tuple[int, int]]:
    """Return the steps of each sweep from step `first` to `last` - 1, as half-open ranges."""
    bounds = [
        step
        for step in range(first, last)
        if step == first or steps[step].sweep != steps[step - 1].sweep
    ]
    return list(zip(bounds, [*bounds[1:], last], strict=True))


def _between(events: Events, first: int, last: int) -> dict[str, np.ndarray]:
    """Return the events of steps `first` to `last` - 1."""
    low, high = np.searchsorted(events["iteration"], [first, last])
    return {name: column[low:high] for name, column in events.items()}


def _taken_back(piece: Events, step: int) -> dict[str, np.ndarray]:
    """Return the events that undo a sweep's moves, the last move first."""
    moves = np.flatnonzero(piece["kind"] == Kind.MOVE)[::-1]
    back = {name: column[moves] for name, column in piece.items()}
    back["b"], back["c"] = back["c"], back["b"]
    back["kind"] = np.full(len(moves), Kind.TAKE_BACK, dtype=np.uint8)
    back["iteration"] = np.full(len(moves), step, dtype=np.int32)
    back["value"] = -back["value"]
    back["time"] = np.full(len(moves), piece["time"].max(initial=0), dtype=piece["time"].dtype)
    return back


def _given_up(events: Events, at: np.ndarray, step: int) -> dict[str, np.ndarray]:
    """Return the events that undo a stage that lost modularity: every vertex is alone again."""
    moved = np.flatnonzero(at != np.arange(len(at)))
    values = {"a": moved, "b": at[moved], "c": moved, "kind": Kind.TAKE_BACK}
    return _added(events, values, len(moved), step)


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
    return _added(events, values, len(leaving), step)


def _renamed(piece: Events, naming: Naming) -> dict[str, np.ndarray]:
    """Return events with the stage's numbers replaced by the given graph's."""
    slot, join = (piece["kind"] == kind for kind in (Kind.HASH, Kind.JOIN))
    community = piece["c"].copy()  # not of a community in these events
    community[~slot] = naming.community[piece["c"][~slot]]
    community[join] = naming.vertex[piece["c"][join]]
    names = {
        "a": naming.vertex[piece["a"]],
        "b": naming.community[piece["b"]],
        "c": community,
    }
    return {**piece, **names}


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
    logged = _between(events, first, last)
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
    made = _added(events, values, count, last - 1)
    if merged is logged["a"]:
        made |= {name: logged[name] for name in logged if name not in values}
    return made


def _added(
    events: Events, values: Mapping[str, Any], count: int, step: int
) -> dict[str, np.ndarray]:
    """Return `count` events that the host adds after a step; columns not given are 0."""
    before = np.searchsorted(events["iteration"], step, side="right")
    time = events["time"][:before].max(initial=0)
    values = {"iteration": step, "time": time, **values}
    return {
        name: np.broadcast_to(np.asarray(values.get(name, 0), dtype=column.dtype), (count,))
        for name, column in events.items()
    }


def inner_weight(graph: Graph, label: np.ndarray) -> np.ndarray:
    """Return the weight of the edges inside every part, each edge and loop once; float64."""
    source = np.repeat(label, np.diff(graph.indptr))
    target = label[graph.indices]
    inside = source == target
    owner = np.repeat(np.arange(len(label)), np.diff(graph.indptr))
    share = np.where(owner == graph.indices, 1.0, 0.5) * graph.weights
    return np.bincount(source[inside], weights=share[inside], minlength=int(label.max()) + 1)
