"""The sources of graphs: the collection, a generator, or the visitor's own file."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gpucore.datasets import catalogue
from gpucore.datasets import names as dataset_names
from gpucore.errors import GraphError
from gpucore.io import endings
from gpucore.io.files import FORMATS
from gpucore.limits import Limits as ReadLimits
from gpucore.loading import load, load_bytes
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Cancel, Progress

from ..limits import PageLimits
from .facts import Facts, facts_of_graph

#: Largest seed of a random order.
LAST_SEED = 2**31 - 1

#: Endings of files that can be uploaded.
ENDINGS = tuple(ending for form in FORMATS for ending in endings.ENDINGS[form])


@dataclass(frozen=True)
class GraphSource:
    """A graph that can be loaded.

    Attributes
    ----------
    label : str
        Name of the graph on the page.
    load : callable
        ``load(limits, progress, cancel)`` returns the graph.
    """

    label: str
    load: Callable[[PageLimits, Progress | None, Cancel | None], Graph]


@dataclass(frozen=True)
class Slider:
    """A number of a generator: name, label, smallest, largest, default and step."""

    name: str
    label: str
    low: float
    high: float
    value: float
    step: float = 1


@dataclass(frozen=True)
class Generator:
    """A family of synthetic graphs with its sliders; `spec` turns their values into a name."""

    title: str
    sliders: tuple[Slider, ...]
    spec: Callable[[dict[str, float]], str]


#: The seed of a generator.
SEED = Slider("seed", "Seed", 1, 20, 1)


def generator(kind: str, title: str, *sliders: Slider) -> Generator:
    """Return a generator whose parameters have the names of its sliders."""

    def spec(values: Mapping[str, float]) -> str:
        return f"{kind}:" + ",".join(f"{name}={value:g}" for name, value in values.items())

    return Generator(title, sliders, spec)


def _size(low: int, high: int, value: int, step: int) -> Slider:
    return Slider("n", "Vertices", low, high, value, step)


GENERATORS: dict[str, Generator] = {
    "rmat": generator(
        "rmat",
        "R-MAT (a few hubs)",
        Slider("scale", "Vertices, power of 2", 4, 16, 8),
        Slider("edge_factor", "Edges per vertex", 1, 16, 4),
        SEED,
    ),
    "rgg": generator("rgg", "Random geometric", _size(20, 5000, 200, 20), SEED),
    "delaunay": generator("delaunay", "Delaunay triangulation", _size(10, 5000, 150, 10), SEED),
    "grid": generator(
        "grid", "Grid", Slider("rows", "Rows", 2, 70, 8), Slider("columns", "Columns", 2, 70, 12)
    ),
    "gnp": Generator(
        "Erdős–Rényi",
        (_size(10, 5000, 100, 10), Slider("degree", "Mean degree", 1, 16, 4, 0.5), SEED),
        lambda v: (
            f"gnp:n={v['n']:g},p={min(1.0, v['degree'] / (v['n'] - 1)):.6g},seed={v['seed']:g}"
        ),
    ),
    "planted": Generator(
        "Planted communities",
        (_size(20, 5000, 160, 20), Slider("communities", "Communities", 2, 20, 4), SEED),
        lambda v: (
            f"planted:n={v['n']:g},communities={v['communities']:g},degree_in=8,degree_out=1,"
            f"seed={v['seed']:g}"
        ),
    ),
}


def bundled(kind: str = "graph") -> list[tuple[str, str]]:
    """Return titles and names of the problems of a kind in the collection, from small to large."""
    known = catalogue()
    return [(f"{known[n].title} ({known[n].vertices:,})", n) for n in dataset_names(kind)]


def by_rows(sign: str, names: Iterable[str]) -> list[tuple[str, str]]:
    """Return titles and names of data sets; rows and columns are their size, `sign` between."""
    found = []
    for name in names:
        known = catalogue()[name]
        rows, columns = known.shape or (known.vertices,) * 2
        found.append((f"{known.title} ({rows:,} {sign} {columns:,})", name))
    return found


def readers(
    kind: str, made: Callable[[Any, ReadLimits], Graph] = lambda found, limits: found
) -> dict[str, Any]:
    """Return `read` and `read_bytes` of sources whose limits count an edge once, not both ways.

    Parameters
    ----------
    kind : str
        Kind of the problem.
    made : callable
        Called with what was read and these limits; returns the graph of the page.
    """

    def reads(loader: Callable[..., Any]) -> Callable[..., Graph]:
        def read(*what: Any, limits: ReadLimits, **how: Any) -> Graph:
            own = replace(limits, max_entries=limits.max_entries // 2)
            return made(loader(*what, limits=own, kind=kind, **how), own)

        return read

    return {"read": reads(load), "read_bytes": reads(load_bytes)}


def named(spec: str, label: str = "", *, reader: Callable[..., Graph] = load) -> GraphSource:
    """Return the source of a bundled or generated graph."""

    def read(limits: PageLimits, progress: Progress | None, cancel: Cancel | None) -> Graph:
        return reader(spec, progress=progress, cancel=cancel, limits=read_limits(limits))

    return GraphSource(label or spec, read)


def uploaded(
    name: str, content: bytes, *, reader: Callable[..., Graph] = load_bytes
) -> GraphSource:
    """Return the source of a visitor's file.

    Parameters
    ----------
    name : str
        Name on the visitor's computer; only its ending is used.
    content : bytes
        The file.
    reader : callable
        Makes a graph of the file, called as :func:`gpucore.loading.load_bytes` is.
    """
    label = clean_name(name)

    def read(limits: PageLimits, progress: Progress | None, cancel: Cancel | None) -> Graph:
        if len(content) > limits.upload_bytes:
            raise GraphError(f"{label} is larger than the {limits.upload_bytes:,} bytes taken here")
        return reader(label, content, progress=progress, cancel=cancel, limits=read_limits(limits))

    return GraphSource(label, read)


def drawn(
    text: bytes, places: np.ndarray, *, reader: Callable[..., Graph] = load_bytes
) -> GraphSource:
    """Return the source of a graph that a visitor drew.

    Parameters
    ----------
    text : bytes
        A Matrix Market file.
    places : ndarray of float32, shape (n, 2)
        The places of its vertices, which the picture keeps.
    reader : callable
        See :func:`uploaded`.
    """
    file = uploaded("drawing.mtx", text, reader=reader)

    def read(limits: PageLimits, progress: Progress | None, cancel: Cancel | None) -> Graph:
        graph = file.load(limits, progress, cancel)
        return graph.with_attributes(name="drawing", coordinates=places.astype(np.float64))

    return GraphSource("your drawing", read)


@dataclass(frozen=True)
class Shuffle:
    """A random order for the graphs of a page.

    Attributes
    ----------
    label, note : str
        Display text.
    apply : callable
        ``apply(graph, seed)``, a step of :data:`gpucore.problems.graph.prepare.STEPS`.
    """

    label: str
    note: str
    apply: Callable[[Graph, int], Graph]

    def of(self, source: GraphSource, seed: int) -> GraphSource:
        """Return a source whose graph is put into the random order of a seed."""

        def read(limits: PageLimits, progress: Progress | None, cancel: Cancel | None) -> Graph:
            return self.apply(source.load(limits, progress, cancel), seed)

        return GraphSource(f"{source.label}, in random order {seed}", read)

    def seed_in(self, origin: Mapping[str, Any]) -> int | None:
        """Return the seed that a graph's ``source`` holds, or None."""
        for step in origin.get("prepared", ()):
            if step.get("step") == self.apply.__name__:
                return int(step["seed"])
        return None


@dataclass(frozen=True)
class Sources:
    """The graphs that a family's pages offer; by default undirected graphs.

    Attributes
    ----------
    title : str
        Display name of what is chosen: "Graph".
    collection : callable
        Returns labels and names of the bundled graphs; a label ends in its size in parentheses.
    generators : mapping of str to Generator
        The generators of synthetic graphs.
    read, read_bytes : callable
        Make a graph from a name and from a file, called as :func:`gpucore.load` and
        :func:`gpucore.loading.load_bytes` are.
    formats : str
        Display text: the file formats that can be uploaded.
    endings : tuple of str
        Endings of their names, without ".gz".
    counted : tuple of str
        Display nouns for what the limits on vertices and on edges count.
    facts : callable
        ``facts(graph, prepared)`` returns the size of a graph and its preparation.
    shuffle : Shuffle or None
        Offered for every graph.
    draws : bool
        Whether a visitor can draw a graph.
    """

    title: str = "Graph"
    collection: Callable[[], list[tuple[str, str]]] = bundled
    generators: Mapping[str, Generator] = field(default_factory=lambda: GENERATORS)
    read: Callable[..., Graph] = load
    read_bytes: Callable[..., Graph] = load_bytes
    formats: str = "Matrix Market, edge list, METIS or NumPy archive, also gzipped"
    endings: tuple[str, ...] = ENDINGS
    counted: tuple[str, str] = ("vertices", "edges")
    facts: Callable[[Graph, Graph], Facts] = facts_of_graph
    shuffle: Shuffle | None = None
    draws: bool = True

    def names(self) -> list[str]:
        """Return the names of the bundled graphs."""
        return [name for _, name in self.collection()]

    def source(
        self, name: str, values: Mapping[str, float], label: str = "", seed: int | None = None
    ) -> GraphSource:
        """Return the source of a bundled graph, or of a generator with its sliders' `values`.

        Parameters
        ----------
        name : str
        values : mapping of str to float
            Empty for a bundled graph.
        label : str
            Name of the graph on the page.
        seed : int, optional
            Seed of the random order; by default the order stays as it is.
        """
        spec = self.generators[name].spec(dict(values)) if values else name
        return self.ordered(named(spec, label, reader=self.read), seed)

    def ordered(self, source: GraphSource, seed: int | None) -> GraphSource:
        """Return a source in the random order of a seed, or as it is."""
        return source if self.shuffle is None or seed is None else self.shuffle.of(source, seed)


def clean_name(name: str) -> str:
    """Return a file name without directories and without special characters.

    Examples
    --------
    >>> clean_name("../../etc/my graph.mtx.gz")
    'my_graph.mtx.gz'
    """
    last = re.split(r"[\\/]", name)[-1]
    return re.sub(r"[^\w.+-]+", "_", last).lstrip(".")[-80:] or "file"


def read_limits(limits: PageLimits) -> ReadLimits:
    """Return a page's limits in the form that readers and generators take."""
    return ReadLimits(
        max_vertices=limits.vertices, max_entries=2 * limits.edges, max_bytes=limits.graph_bytes
    )
