"""The native part of the certificate of communities, ``proof/communities_certify.cpp``."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpucore.certify.work import block_count, prove, require_memory
from gpucore.cpu.common import choose_threads
from gpucore.cpu.task import Report, arguments, csr, layout

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


class _Figures(Report):
    """See ``proof::Figures``."""

    _fields_ = layout("int64 improvable, float64 largest sum")


_Task = arguments(
    "proof_communities",
    "graph, hooks, int32 count, void* maps, int32[] sizes label, int32 parts, "
    "float64 resolution, float64[] path direct, Figures* figures",
    Figures=_Figures,
)


@dataclass(frozen=True)
class Proof:
    """What native code found.

    Attributes
    ----------
    found : float
        Modularity of the partition, its strengths summed from the vertices.
    totals, path : list of float
        Weight (2m) and modularity of each level, from single vertices upwards.
    improvable, largest_gain, sum_of_gains : int and float
        Vertices that could gain by moving alone, and their gains.
    """

    found: float
    totals: list[float]
    path: list[float]
    improvable: int
    largest_gain: float
    sum_of_gains: float


def examine(
    graph: Graph,
    community: NDArray[np.integer],
    levels: Sequence[NDArray[np.integer]],
    resolution: float,
) -> Proof:
    """Compute modularity on all levels, and what single moves could gain.

    Parameters
    ----------
    graph : Graph
    community : ndarray of an integer type, shape (n,)
        Numbered from 0 without gaps.
    levels : sequence of ndarray of an integer type
        Maps from each level to the next; together they lead to `community`.
    resolution : float
        Factor of the expected weight.

    Raises
    ------
    Cancelled, DeviceError
    """
    n = graph.num_vertices
    parts = count_of(community)
    _require(graph, parts, len(levels))
    maps = [np.ascontiguousarray(level, np.int32) for level in levels]
    label = np.ascontiguousarray(community, np.int32)
    sizes = np.array([n, *map(count_of, levels)], np.int32)
    path, direct, figures = np.zeros((len(maps) + 1, 3)), np.zeros(3), _Figures()
    places = (ctypes.c_void_p * max(1, len(maps)))(*(level.ctypes.data for level in maps))
    given = (len(maps), ctypes.addressof(places), sizes, label, parts, resolution)
    task = _Task(*csr(graph), *given, path, direct, figures)
    blocks = 2 * block_count(graph.indices.size + n) + 4 * block_count(n)
    prove(task, graph, blocks)
    two_m = float(path[0, 0])
    return Proof(
        _modularity(direct, two_m, resolution),
        path[:, 0].tolist(),
        [_modularity(level, two_m, resolution) for level in path],
        figures.improvable,
        figures.largest,
        figures.sum,
    )


def _modularity(sums: NDArray[np.float64], two_m: float, resolution: float) -> float:
    """Return the modularity from a level's sums; see communities_certify.cpp."""
    if two_m == 0.0:
        return 0.0
    return float(sums[2] / two_m - resolution * sums[1])


def count_of(labels: NDArray[np.integer]) -> int:
    """Return how many parts labels from 0 without gaps number."""
    return int(labels.max()) + 1 if labels.size else 0


def _require(graph: Graph, parts: int, levels: int) -> None:
    """Raise DeviceError if the memory does not suffice: labels, strengths, tables of links."""
    n = graph.num_vertices
    largest = int(np.diff(graph.indptr).max(initial=0))
    table = 20 * (1 << (2 * max(8, min(largest, parts)) - 1).bit_length())
    labels = 4 * n * max(1, levels) + 4 * n
    require_memory(labels + 8 * n + 24 * parts + choose_threads(None) * table)
