"""Shared code of generators: checks, weights, and the specification that rebuilds the graph."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.params import is_whole
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import integer_weights, random_weights
from gpucore.specification import generated

Weights = Literal["unit", "uniform", "integer"]


def finish(
    kind: str, parameters: dict[str, Any], n: int, u: ArrayLike, v: ArrayLike,
    weights: Weights, weight_seed: int, coordinates: NDArray | None = None,
) -> Graph:  # fmt: skip
    """Drop loops, merge equal edges, assign weights, and store how to rebuild the graph."""
    u, v = np.asarray(u), np.asarray(v)
    if (loops := u == v).any():
        u, v = u[~loops], v[~loops]
    if weights not in ("unit", "uniform", "integer"):
        raise GraphError(f'weights must be "unit", "uniform" or "integer", not {weights!r}')
    if weights != "unit":
        parameters = {**parameters, "weights": weights, "weight_seed": weight_seed}
    graph = Graph.from_edges(n, u, v, duplicates="first", name=kind, coordinates=coordinates)
    if weights == "uniform":
        graph = random_weights(graph, weight_seed)
    elif weights == "integer":
        graph = integer_weights(graph, weight_seed)
    return graph.with_attributes(source=generated(kind, parameters))


def check_size(kind: str, n: int, m: int, limits: Limits | None) -> None:
    """Raise GraphError if `n` vertices and `m` edges are more than the limits allow."""
    (limits or Limits()).check(kind, n, m, 64)


def check_whole(name: str, value: int, least: int, most: int = 2**31 - 1) -> None:
    """Raise GraphError unless `value` is a whole number in the range."""
    if not is_whole(value):
        raise GraphError(f"{name} must be a whole number, not {value!r}")
    if not least <= value <= most:
        raise GraphError(f"{name} must be between {least} and {most}, not {value}")


def check_probability(name: str, value: float) -> None:
    """Raise GraphError unless `value` lies between 0 and 1."""
    if not 0 <= value <= 1:
        raise GraphError(f"{name} must be between 0 and 1, not {value}")
