"""A run of the Louvain method in the numbers of the given graph.

The kernels of a later stage number the vertices of a contracted graph.  Here a vertex of any stage
has the number of the smallest vertex of the given graph that it stands for, and a community that of
the vertex that founded it.  Contraction turns a community into a vertex and keeps its number, so a
number, and its colour, keeps its meaning from the first sweep to the last.

Here are the kinds of events, the numbers, and how single events are renamed; ``graph_events.py``
goes over a run with these.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
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


def between(events: Events, first: int, last: int) -> dict[str, np.ndarray]:
    """Return the events of steps `first` to `last` - 1."""
    low, high = np.searchsorted(events["iteration"], [first, last])
    return {name: column[low:high] for name, column in events.items()}


def taken_back(piece: Events, step: int) -> dict[str, np.ndarray]:
    """Return the events that undo moves and splits, the last one first."""
    undone = np.flatnonzero(np.isin(piece["kind"], (Kind.MOVE, Kind.SPLIT)))[::-1]
    back = {name: column[undone] for name, column in piece.items()}
    back["b"], back["c"] = back["c"], back["b"]
    back["kind"] = np.full(len(undone), Kind.TAKE_BACK, dtype=np.uint8)
    back["iteration"] = np.full(len(undone), step, dtype=np.int32)
    back["value"] = -back["value"]
    back["time"] = np.full(len(undone), piece["time"].max(initial=0), dtype=piece["time"].dtype)
    return back


def renamed(piece: Events, naming: Naming) -> dict[str, np.ndarray]:
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


def added(
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
