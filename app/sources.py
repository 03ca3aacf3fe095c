"""Where a page's graph comes from: the collection, a generator, or the visitor's own file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from app.limits import Limits
from gpucore.datasets import catalogue, datasets
from gpucore.errors import GraphError
from gpucore.graph import Graph
from gpucore.io import FORMATS, load, load_bytes
from gpucore.io import Limits as ReadLimits
from gpucore.progress import Cancel, Progress

#: Endings of files that can be uploaded.
ENDINGS = tuple(ending for form in FORMATS.values() for ending in form.endings)


@dataclass(frozen=True)
class Source:
    """A graph that can be loaded.

    Attributes
    ----------
    label : str
        Names it on the page.
    load : callable
        ``load(limits, progress, cancel)`` returns the graph.
    """

    label: str
    load: Callable[[Limits, Progress | None, Cancel | None], Graph]


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
    return [(f"{known[n].title} ({known[n].vertices:,})", n) for n in datasets()]


def named(spec: str, label: str = "") -> Source:
    """Return the source of a bundled or generated graph."""

    def read(limits: Limits, progress: Progress | None, cancel: Cancel | None) -> Graph:
        return load(spec, progress=progress, cancel=cancel, limits=read_limits(limits))

    return Source(label or spec, read)


def uploaded(name: str, content: bytes) -> Source:
    """Return the source of a visitor's file.

    Parameters
    ----------
    name : str
        As the visitor's computer calls it; only its ending is trusted.
    content : bytes
        The file.
    """
    label = clean_name(name)

    def read(limits: Limits, progress: Progress | None, cancel: Cancel | None) -> Graph:
        if len(content) > limits.upload_bytes:
            raise GraphError(f"{label} is larger than the {limits.upload_bytes:,} bytes taken here")
        return load_bytes(
            label, content, progress=progress, cancel=cancel, limits=read_limits(limits)
        )

    return Source(label, read)


def clean_name(name: str) -> str:
    """Return a file name without directories and without characters that mean something.

    Examples
    --------
    >>> clean_name("../../etc/my graph.mtx.gz")
    'my_graph.mtx.gz'
    """
    last = re.split(r"[\\/]", name)[-1]
    return re.sub(r"[^\w.+-]+", "_", last).lstrip(".")[-80:] or "file"


def read_limits(limits: Limits) -> ReadLimits:
    """Return a page's limits as those of the readers and generators."""
    return ReadLimits(
        max_vertices=limits.vertices, max_entries=2 * limits.edges, max_bytes=limits.graph_bytes
    )
