"""A graph of NetworkX as arrays, with the names of its nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.problems.graph.graph import Graph


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
            The weights are not finite numbers. NetworkX then may answer itself.
        """
        nodes = list(graph)
        number = {node: at for at, node in enumerate(nodes)}
        wanted = next(iter(attributes.items()), None)
        rows = graph.edges(data=wanted[0], default=wanted[1]) if wanted else graph.edges
        edges = list(rows)
        u = np.fromiter((number[edge[0]] for edge in edges), np.int64, len(edges))
        v = np.fromiter((number[edge[1]] for edge in edges), np.int64, len(edges))
        if not wanted:
            return cls(graph, nodes, u, v, None)
        try:
            weight = np.fromiter((edge[2] for edge in edges), np.float64, len(edges))
        except (TypeError, ValueError):
            weight = np.array([np.nan])
        if not np.isfinite(weight).all():
            raise NotImplementedError("weights have to be finite numbers")
        return cls(graph, nodes, u, v, weight)

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
            A weight is negative, or too large.
        """
        narrow = self.weights.astype(np.float32)
        if (narrow < 0).any() or not np.isfinite(narrow).all():
            raise NotImplementedError("weights have to be numbers from 0 to 3e38")
        return Graph.from_edges(len(self.nodes), self.u, self.v, narrow)

    def named(self, vertices: Iterable[int]) -> set[Any]:
        """Return the nodes of vertices."""
        return {self.nodes[vertex] for vertex in vertices}
