"""Hierarchies of coarser graphs, by repeated contraction of matched pairs.

Graph partitioners need a fast maximal matching for this: they cut the coarsest graph, and carry the
cut back from level to level, where they refine it. Any method that gives every vertex a mate, or
none, can be used.

References
----------
.. [1] B. O. Fagginger Auer, R. H. Bisseling, "A GPU algorithm for greedy graph matching", Facing
   the Multicore-Challenge II, 2012, section 1.
.. [2] G. Karypis, V. Kumar, "A fast and high quality multilevel scheme for partitioning irregular
   graphs", SIAM Journal on Scientific Computing 20(1), 1998.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore.certify.pairs import mutual
from gpucore.errors import ParameterError
from gpucore.params import is_whole
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Cancel, Progress, check

#: A function of a graph that returns a result with a ``mate``, or the mates themselves.
Matcher = Callable[[Graph], Any]


@dataclass(frozen=True, eq=False)
class Level:
    """One graph of a hierarchy.

    Attributes
    ----------
    graph : Graph
        The weight of an edge is the sum over the given edges between its ends. If the given graph
        has coordinates, a vertex lies at the centre of the vertices that it stands for.
    vertex_weights : ndarray of int64, shape (n,)
        Weight of every vertex: the sum over the given vertices that it stands for.
    inside : float
        Weight of the given graph's edges (without its loops) that were contracted so far.
    mate : ndarray of int32, shape (n,), or None
        The matching that was contracted to get the next level; None at the last one.
    coarser : ndarray of int32, shape (n,), or None
        For every vertex the vertex of the next level that contains it; None at the last one.
    seconds : float or None
        Time of the matching; None if the matcher does not report it.
    """

    graph: Graph
    vertex_weights: NDArray[np.int64]
    inside: float = 0.0
    mate: NDArray[np.int32] | None = None
    coarser: NDArray[np.int32] | None = None
    seconds: float | None = None

    @property
    def num_vertices(self) -> int:
        """Number of vertices."""
        return self.graph.num_vertices

    @property
    def num_edges(self) -> int:
        """Number of edges."""
        return self.graph.num_edges

    @property
    def weight(self) -> float:
        """Weight of all edges (float64 sum), loops not counted."""
        return float(self.graph.edges()[2].sum(dtype=np.float64))


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """A graph and its coarser versions.

    Attributes
    ----------
    levels : tuple of Level
        The given graph first, the coarsest one last.
    """

    levels: tuple[Level, ...]

    def __len__(self) -> int:
        return len(self.levels)

    @property
    def coarsest(self) -> Level:
        """The last level."""
        return self.levels[-1]

    def at_level(self, level: int) -> NDArray[np.int32]:
        """Return for every given vertex the vertex of a level that contains it: int32, shape (n,).

        Raises
        ------
        ParameterError
            There is no such level.
        """
        if not 0 <= level < len(self.levels):
            raise ParameterError(f"there is no level {level}; levels are 0 to {len(self) - 1}")
        part = np.arange(self.levels[0].num_vertices, dtype=np.int32)
        for finer in self.levels[:level]:
            assert finer.coarser is not None
            part = finer.coarser[part]
        return part

    def centres(self, level: int, coordinates: ArrayLike) -> NDArray[np.float64]:
        """Return the centre of mass of the given vertices that each vertex of a level contains.

        Parameters
        ----------
        level : int
            Number of the level.
        coordinates : array_like of float, shape (n, 2)
            Positions of the given vertices.

        Returns
        -------
        ndarray of float64, shape (vertices of the level, 2)
        """
        places = np.asarray(coordinates, np.float64)
        weights = self.levels[0].vertex_weights
        return _centres(places, self.at_level(level), weights, self.levels[level].num_vertices)

    def as_rows(self) -> list[dict[str, Any]]:
        """Return one flat JSON-able object per level.

        ``matched`` is the share of its vertices that are matched, None at the last level.
        """
        return [
            {
                "level": number,
                "vertices": level.num_vertices,
                "edges": level.num_edges,
                "weight": level.weight,
                "inside": level.inside,
                "heaviest_vertex": int(level.vertex_weights.max(initial=0)),
                "matched": None if level.mate is None else float(np.mean(level.mate >= 0)),
                "seconds": level.seconds,
            }
            for number, level in enumerate(self.levels)
        ]


def coarsen(
    graph: Graph,
    *,
    matcher: str | Matcher = "redblue_omp",
    levels: int = 50,
    until: int = 1,
    stall: float = 0.0,
    vertex_weights: ArrayLike | None = None,
    params: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Hierarchy:
    """Contract matched pairs until the graph is small, or nothing can be matched.

    Parameters
    ----------
    graph : Graph
        The finest graph; its loops do not get into the next one.
    matcher : str or callable
        A method by the name that :class:`gpucore.compare.Contestant` reads, such as
        ``"redblue_omp"``, ``"redblue:fast@cuda"`` or ``"suitor_omp"``; or a function of a graph
        that returns a result with ``mate``, or the mates.
    levels : int
        Most contractions.
    until : int
        Stop at a level with at most this many vertices.
    stall : float
        Stop where at most this share of the vertices is matched; a star loses one leaf a level.
    vertex_weights : array_like of int, shape (n,), optional
        Weights of the vertices; default: 1 each.
    params : mapping, optional
        Parameters of a method that is given by its name.
    progress, cancel
        See :mod:`gpucore.progress`.

    Returns
    -------
    Hierarchy
        It ends where a level has no pair to contract. A pair becomes one vertex, the pairs and
        the vertices without a mate keep the order of their smallest vertices.

    Raises
    ------
    ParameterError
        Wrong parameters, or the matcher returns no matching of the graph.
    GraphError
        A sum of weights (in float64, kept in float32) is beyond single precision.
    Cancelled

    Examples
    --------
    >>> path = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [2.0, 3.0, 4.0])
    >>> hierarchy = coarsen(path, matcher=lambda g: [1, 0, 3, 2][: g.num_vertices])
    >>> [(level.num_vertices, level.weight, level.inside) for level in hierarchy.levels]
    [(4, 9.0, 0.0), (2, 3.0, 6.0), (1, 0.0, 9.0)]
    >>> hierarchy.at_level(1).tolist()
    [0, 0, 1, 1]
    """
    match = _matcher(matcher, dict(params or {}), cancel)
    most, small = _whole(levels, "levels"), max(_whole(until, "until"), 1)
    done: list[Level] = []
    last = Level(graph, _weights(vertex_weights, graph.num_vertices))
    while len(done) < most and last.num_vertices > small:
        check(cancel)
        if progress is not None:
            progress("coarsening", len(done), 0)
        found = match(last.graph)
        mate = _mates(found, last.graph)
        if np.mean(mate >= 0) <= stall:
            break
        finer, last = _contract(last, mate, getattr(found, "seconds", None))
        done.append(finer)
    return Hierarchy((*done, last))


def _contract(level: Level, mate: NDArray[np.int32], seconds: float | None) -> tuple[Level, Level]:
    """Return a level with its matching, and the next one."""
    graph = level.graph
    number = np.arange(mate.size, dtype=np.int32)
    first = (mate < 0) | (number < mate)
    count = int(first.sum())
    coarser = np.cumsum(first, dtype=np.int32) - np.int32(1)
    coarser = coarser[np.where(first, number, mate)]

    u, v, w = graph.edges()
    apart = coarser[u] != coarser[v]
    pairs = int(np.count_nonzero(mate >= 0)) // 2
    if pairs != u.size - np.count_nonzero(apart):
        raise ParameterError(f"the matcher matched vertices of {graph!r} that share no edge")
    weights = np.bincount(coarser, level.vertex_weights, count).astype(np.int64)
    coordinates = graph.coordinates
    if coordinates is not None:
        coordinates = _centres(coordinates, coarser, level.vertex_weights, count)
    contracted = Graph.from_edges(
        count,
        coarser[u[apart]],
        coarser[v[apart]],
        w[apart],
        duplicates="sum",
        name=graph.name,
        coordinates=coordinates,
    )
    inside = level.inside + float(w[~apart].sum(dtype=np.float64))
    finer = Level(graph, level.vertex_weights, level.inside, mate, coarser, seconds)
    return finer, Level(contracted, weights, inside)


def _centres(
    places: NDArray[np.float64], part: NDArray[np.int32], weights: NDArray[np.int64], count: int
) -> NDArray[np.float64]:
    sums = [np.bincount(part, axis * weights, count) for axis in places.T]
    return np.column_stack(sums) / np.bincount(part, weights, count)[:, None]


def _matcher(matcher: str | Matcher, params: dict[str, Any], cancel: Cancel | None) -> Matcher:
    if not isinstance(matcher, str):
        if params:
            raise ParameterError("params are for a matcher that is given by its name")
        return matcher
    from gpucore.compare import Contestant, run_contestant

    named = Contestant.parse(matcher)
    contestant = Contestant(named.name, named.variant, named.device, params)
    return lambda graph: run_contestant(graph, contestant, certify=False, cancel=cancel)


def _mates(found: Any, graph: Graph) -> NDArray[np.int32]:
    mate = np.asarray(getattr(found, "mate", found))
    if verdict := next((c for c in mutual(mate, graph.num_vertices) if not c.ok), None):
        raise ParameterError(f"the matcher returned no matching of {graph!r}: {verdict.detail}")
    return mate.astype(np.int32)


def _weights(vertex_weights: ArrayLike | None, n: int) -> NDArray[np.int64]:
    weights = np.ones(n, np.int64) if vertex_weights is None else np.asarray(vertex_weights)
    if weights.shape != (n,) or weights.dtype.kind not in "iu" or (weights < 1).any():
        raise ParameterError(f"vertex_weights must be {n} whole numbers above 0")
    return weights.astype(np.int64)


def _whole(number: int, name: str) -> int:
    if is_whole(number) and number >= 0:
        return int(number)
    raise ParameterError(f"{name} must be a whole number of at least 0, not {number!r}")
