"""The table of other roads to the same b-matching: greedy, b-Suitor, Suitor, stable assignment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

import gpucore
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.format import human_time
from gpucore.problems.graph.graph import Graph
from gpucore.problems.preferences.preferences import Preferences
from gpucore.progress import Cancel, check
from gpucore.record.words import short
from gpucore.result import Result, from_pairs

from ... import cards


@dataclass(frozen=True)
class Road:
    """The b-matching that another method finds.

    Attributes
    ----------
    title : str
        Display label.
    weight : float
    edges : int
    equal : int
        Number of vertices whose mates are those of the run.
    seconds : float
    """

    title: str
    weight: float
    edges: int
    equal: int
    seconds: float


def roads(graph: Graph, result: Result, cancel: Cancel | None = None) -> list[Road]:
    """Return what other methods find on the graph of a run, with the same b.

    Parameters
    ----------
    graph : Graph
    result : BMatchingResult
        Of the run.
    cancel : Cancel, optional
        Checked between and during the runs.
    """
    assert isinstance(result, BMatchingResult)
    found = []
    for title, run in _methods(graph, result):
        check(cancel)
        starts, mates, seconds = run(cancel)
        found.append(_road(title, graph, result, starts, mates, seconds))
    return found


Solve = Callable[["Cancel | None"], tuple[np.ndarray, np.ndarray, float]]


def _methods(graph: Graph, result: BMatchingResult) -> Iterator[tuple[str, Solve]]:
    """Yield the label of each method, and what runs it."""
    b = result.capacity

    def of_family(name: str) -> Solve:
        def run(cancel: Cancel | None) -> tuple[np.ndarray, np.ndarray, float]:
            own: Any = gpucore.run(name, graph, certify=False, cancel=cancel, b=b)
            return own.starts, own.mates, own.seconds

        return run

    def suitor(cancel: Cancel | None) -> tuple[np.ndarray, np.ndarray, float]:
        own: Any = gpucore.run("suitor_serial", graph, certify=False, cancel=cancel)
        matched = np.flatnonzero(own.mate > np.arange(graph.num_vertices))
        pairs = from_pairs(graph.num_vertices, matched, own.mate[matched])
        return *pairs, own.seconds

    def assignment(cancel: Cancel | None) -> tuple[np.ndarray, np.ndarray, float]:
        # A person has at least one place, so vertices that may have no mate are on no list.
        u, v, weight = graph.edges()
        kept = (b[u] > 0) & (b[v] > 0)
        able = Graph.from_edges(graph.num_vertices, u[kept], v[kept], weight[kept])
        room = np.clip(b, 1, np.maximum(1, np.diff(able.indptr))).astype(np.int32)
        instance = Preferences.from_graph(able, man_capacity=room, woman_capacity=room)
        own: Any = gpucore.run("gale_shapley", instance, certify=False, cancel=cancel)
        order = np.lexsort((own.women, own.men))
        starts = np.searchsorted(own.men[order], np.arange(graph.num_vertices + 1))
        return starts, own.women[order], own.seconds

    yield "Greedy: edges by falling weight", of_family("bgreedy")
    yield "b-Suitor, one core", of_family("bsuitor_serial")
    yield "b-Suitor, all cores", of_family("bsuitor_omp")
    if bool((b == 1).all()):
        yield "Suitor", suitor
    yield "Stable assignment, many to many", assignment


def _road(
    title: str,
    graph: Graph,
    result: BMatchingResult,
    starts: np.ndarray,
    mates: np.ndarray,
    seconds: float,
) -> Road:
    starts, mates = np.asarray(starts, np.int64), np.asarray(mates, np.int32)
    other = BMatchingResult(
        title, {}, seconds, {}, capacity=result.capacity, starts=starts, mates=mates
    )
    equal = np.count_nonzero(other.by_vertex()["mates"] == result.by_vertex()["mates"])
    n = graph.num_vertices
    rows = np.repeat(np.arange(n), np.diff(graph.indptr)) * n + graph.indices
    wanted = np.repeat(np.arange(n), np.diff(starts)) * n + mates
    weight = float(graph.weights[np.searchsorted(rows, wanted)].sum(dtype=np.float64)) / 2
    return Road(title, weight, len(mates) // 2, int(equal), seconds)


def table(graph: Graph, result: Result, cancel: Cancel | None = None) -> str:
    """Return the methods with weights, sizes, agreement and times, as HTML."""
    n = graph.num_vertices
    head = ("Method", "Weight", "Matched edges", "Vertices with the same mates", "Time")
    rows = [
        (
            road.title,
            short(road.weight, 6),
            f"{road.edges:,}",
            f"{road.equal:,} of {n:,}",
            human_time(road.seconds),
        )
        for road in roads(graph, result, cancel)
    ]
    return cards.table("methods", head, rows)
