"""The graphs of the equivalence page: small ones, so that every step can be followed."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gpucore.datasets import catalogue
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph

from ....sources.graphs import GENERATORS, SEED, Generator, Slider, Sources, generator

#: A path whose edges grow heavier from one end to the other; "rising:n=10".
RISING = "rising:n="

#: The graph that the page shows first.
START = "delaunay:n=9,seed=33"

_MADE = (
    ("Nine points, triangulated (9)", START),
    ("Path that grows heavier (10)", f"{RISING}10"),
)
_BUNDLED = ("florentine", "karate", "karate_weighted", "lesmis", "polbooks", "football")


def rising_path(n: int) -> Graph:
    """Return a path of n vertices whose edges weigh 1, 2, ..., n - 1.

    From the light end on, every vertex is displaced by the next but one: the longest chain.
    """
    ends = list(range(n))
    source = {"kind": "generator", "spec": f"{RISING}{n}"}
    weights = [float(v) for v in ends[1:]]
    return Graph.from_edges(n, ends[:-1], ends[1:], weights, name="rising path", source=source)


def read(spec: str, **how: Any) -> Graph:
    """Return the graph with a name; see :func:`gpucore.load`."""
    if spec.startswith(RISING):
        return rising_path(int(float(spec.removeprefix(RISING))))
    return load(spec, **how)


def collection() -> list[tuple[str, str]]:
    """Return labels and names of small graphs."""
    known = catalogue()
    bundled = [(f"{known[name].title} ({known[name].vertices:,})", name) for name in _BUNDLED]
    return [*_MADE, *bundled]


def _upto(name: str, *sliders: Slider) -> Generator:
    return replace(GENERATORS[name], sliders=sliders)


def _size(value: int, label: str = "Vertices") -> Slider:
    return Slider("n", label, 4, 200, value)


SMALL: dict[str, Generator] = {
    "delaunay": _upto("delaunay", _size(9), SEED),
    "rgg": _upto("rgg", _size(30), SEED),
    "gnp": _upto("gnp", _size(16), Slider("degree", "Mean degree", 1, 6, 3, 0.5), SEED),
    "grid": _upto("grid", Slider("rows", "Rows", 2, 12, 3), Slider("columns", "Columns", 2, 16, 4)),
    "rising": generator("rising", "Path that grows heavier", _size(10)),
}

SOURCES = Sources(collection=collection, generators=SMALL, read=read)
