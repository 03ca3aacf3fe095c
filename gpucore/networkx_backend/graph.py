"""A graph of NetworkX as arrays, with the names of its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.problems.graph.adjacency import read_edges
from gpucore.problems.graph.graph import Graph

#: Smallest weight that 32 bits hold with all digits.
SMALLEST = float(np.finfo(np.float32).tiny)


@dataclass(frozen=True)
class Given:
    """An undirected graph that came from NetworkX.

    Attributes
    ----------
    original : networkx.Graph
        The graph itself: results name its nodes.
    nodes : list
        Its nodes; vertex ``i`` is ``nodes[i]``.
    u, v : ndarray of int64, shape (m,)
        Ends of its edges.
    weight : ndarray of float64, shape (m,), or None
        Weights; None if all edges weigh the same, or the function has no use for weights.
    """

    original: Any
    nodes: list[Any]
    u: NDArray[np.int64]
    v: NDArray[np.int64]
    weight: NDArray[np.float64] | None

    #: How NetworkX recognises our graphs.
    __networkx_backend__ = "warplens"

    @classmethod
    def of(cls, graph: Any, attributes: Mapping[Any, Any]) -> Given:
        """Convert a graph; `attributes` has the edge attribute that is wanted and its default.

        Raises
        ------
        NotImplementedError
            The graph is directed or has parallel edges, or its weights are not finite numbers.
            NetworkX then answers itself.
        """
        if graph.is_directed() or graph.is_multigraph():
            raise NotImplementedError("directed graphs and multigraphs are not supported")
        wanted, default = next(iter(attributes.items()), (None, None))
        if isinstance(wanted, bool):
            raise NotImplementedError("NetworkX reads weight=True and weight=False in another way")
        nodes, u, v, values = read_edges(graph, wanted, default)
        return cls(graph, nodes, u, v, None if values is None else _numbers(values))

    def __len__(self) -> int:
        return len(self.nodes)

    def is_directed(self) -> bool:
        """Return False: directed graphs are not converted."""
        return False

    def is_multigraph(self) -> bool:
        """Return False: multigraphs are not converted."""
        return False

    def number_of_edges(self) -> int:
        """Return the number of edges, loops among them."""
        return len(self.u)

    @cached_property
    def number(self) -> dict[Any, int]:
        """The vertex of every node."""
        return {node: at for at, node in enumerate(self.nodes)}

    @cached_property
    def _keys(self) -> NDArray[np.int64]:
        """One number for each edge, sorted."""
        return np.sort(self._key(self.u, self.v))

    def _key(self, u: NDArray[np.int64], v: NDArray[np.int64]) -> NDArray[np.int64]:
        return np.minimum(u, v) * len(self) + np.maximum(u, v)

    def has_edges(self, u: NDArray[np.int64], v: NDArray[np.int64]) -> bool:
        """Return whether all pairs of vertices are edges."""
        asked = self._key(u, v)
        at = np.searchsorted(self._keys, asked)
        return bool((at < len(self._keys)).all() and (self._keys[at] == asked).all())

    @cached_property
    def unweighted(self) -> Graph:
        """The graph without loops and weights."""
        plain = self.u != self.v
        return Graph.from_edges(len(self.nodes), self.u[plain], self.v[plain])

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weights of the edges, 1 where there are none."""
        return np.ones(len(self.u)) if self.weight is None else self.weight

    @cached_property
    def weighted(self) -> Graph:
        """The graph with its weights, in 32 bits.

        Raises
        ------
        NotImplementedError
            A weight is negative, or too large or too small for 32 bits.
        """
        weights = self.weights
        with np.errstate(over="ignore", under="ignore"):
            narrow = weights.astype(np.float32)
        fits = (weights == 0) | (narrow >= SMALLEST)
        if not fits.all() or not np.isfinite(narrow).all():
            raise NotImplementedError("weights have to be 0, or numbers from 1.2e-38 to 3.4e38")
        return Graph.from_edges(len(self.nodes), self.u, self.v, narrow)

    def weighing(self, weight: Any) -> Given:
        """Return the graph as a call with this `weight` means it: None asks for equal weights.

        NetworkX may pass a conversion that it kept, with the weights of a call before.
        """
        return self if weight is not None or self.weight is None else replace(self, weight=None)

    def named(self, vertices: Iterable[int]) -> set[Any]:
        """Return the nodes of vertices."""
        return {self.nodes[vertex] for vertex in vertices}


def _numbers(values: list[Any]) -> NDArray[np.float64]:
    """Return weights as an array; NotImplementedError unless all are finite numbers.

    Texts and other types are refused though NumPy could convert them: NetworkX reports them.
    """
    real = (int, float, np.integer, np.floating)
    if all(issubclass(kind, real) for kind in set(map(type, values))):
        try:
            weight = np.fromiter(values, np.float64, len(values))
        except OverflowError:
            weight = np.array([np.inf])
        if np.isfinite(weight).all():
            return weight
    raise NotImplementedError("weights have to be finite numbers")
