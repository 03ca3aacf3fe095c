"""The sources of graphs: the collection, a generator, or the visitor's own file."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gpucore.datasets import catalogue
from gpucore.datasets import names as dataset_names
from gpucore.errors import GraphError
from gpucore.io.files import FORMATS
from gpucore.limits import Limits as ReadLimits
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.load import load, load_bytes
from gpucore.progress import Cancel, Progress

from ..limits import PageLimits
from .facts import Facts, facts_of_graph

#: Largest seed of a random order.
LAST_SEED = 2**31 - 1

#: Endings of files that can be uploaded.
ENDINGS = tuple(ending for form in FORMATS.values() for ending in form.endings)


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


_SEED = Slider("seed", "Seed", 1, 20, 1)


def _size(low: int, high: int, value: int, step: int) -> Slider:
    return Slider("n", "Vertices", low, high, value, step)


GENERATORS: dict[str, Generator] = {
    "rmat": Generator(
        "R-MAT (a few hubs)",
        (
            Slider("scale", "Vertices, power of 2", 4, 16, 8),
            Slider("edge_factor", "Edges per vertex", 1, 16, 4),
            _SEED,
        ),
        lambda v: f"rmat:scale={v['scale']:g},edge_factor={v['edge_factor']:g},seed={v['seed']:g}",
    ),
    "rgg": Generator(
        "Random geometric",
        (_size(20, 5000, 200, 20), _SEED),
        lambda v: f"rgg:n={v['n']:g},seed={v['seed']:g}",
    ),
    "delaunay": Generator(
        "Delaunay triangulation",
        (_size(10, 5000, 150, 10), _SEED),
        lambda v: f"delaunay:n={v['n']:g},seed={v['seed']:g}",
    ),
    "grid": Generator(
        "Grid",
        (Slider("rows", "Rows", 2, 70, 8), Slider("columns", "Columns", 2, 70, 12)),
        lambda v: f"grid:rows={v['rows']:g},columns={v['columns']:g}",
    ),
    "gnp": Generator(
        "Erdős–Rényi",
        (_size(10, 5000, 100, 10), Slider("degree", "Mean degree", 1, 16, 4, 0.5), _SEED),
        lambda v: (
            f"gnp:n={v['n']:g},p={min(1.0, v['degree'] / (v['n'] - 1)):.6g},seed={v['seed']:g}"
        ),
    ),
    "planted": Generator(
        "Planted communities",
        (_size(20, 5000, 160, 20), Slider("communities", "Communities", 2, 20, 4), _SEED),
        lambda v: (
            f"planted:n={v['n']:g},communities={v['communities']:g},degree_in=8,degree_out=1,"
            f"seed={v['seed']:g}"
        ),
    ),
}


def bundled() -> list[tuple[str, str]]:
    """Return titles and names of the graphs of the collection, from small to large."""
    known = catalogue()
    return [(f"{known[n].title} ({known[n].vertices:,})", n) for n in dataset_names("graph")]


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
        Makes a graph of the file, called as :func:`gpucore.problems.graph.load.load_bytes` is.
    """
    label = clean_name(name)

    def read(limits: PageLimits, progress: Progress | None, cancel: Cancel | None) -> Graph:
        if len(content) > limits.upload_bytes:
            raise GraphError(f"{label} is larger than the {limits.upload_bytes:,} bytes taken here")
        return reader(label, content, progress=progress, cancel=cancel, limits=read_limits(limits))

    return GraphSource(label, read)


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
        :func:`gpucore.problems.graph.load.load_bytes` are.
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
