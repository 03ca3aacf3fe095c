"""The sources of ratings: bundled ones, matrices and graphs with made-up ones, generators."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gpucore.datasets import catalogue
from gpucore.datasets import names as dataset_names
from gpucore.datasets.remote import at_hand
from gpucore.limits import Limits
from gpucore.loading import load_bytes
from gpucore.problems.ratings.load import RATING_LISTS, load_ratings
from gpucore.problems.ratings.ratings import Ratings

from .facts import Facts
from .graphs import ENDINGS, Generator, Slider, Sources

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

_SEED = Slider("seed", "Seed", 1, 20, 1)
#: Share of the cells that generators fill at most.
_FULL = 0.6


def _sized(kind: str, title: str) -> Generator:
    """Return a generator of so many users, items and ratings, as far as they fit."""

    def spec(values: dict[str, float]) -> str:
        users, items = values["users"], values["items"]
        ratings = min(values["ratings"], max(1, int(_FULL * users * items)))
        return f"{kind}:users={users:g},items={items:g},ratings={ratings:g},seed={values['seed']:g}"

    sliders = (
        Slider("users", "Users", 5, 5000, 40, 5),
        Slider("items", "Items", 5, 2000, 20, 5),
        Slider("ratings", "Ratings", 20, 100_000, 200, 20),
        _SEED,
    )
    return Generator(title, sliders, spec)


GENERATED: dict[str, Generator] = {
    "scale_free": _sized("scale_free", "Scale-free (a few popular items)"),
    "uniform_ratings": _sized("uniform_ratings", "Uniform (all pairs alike)"),
    "road": Generator(
        "Road (few ratings each, all about as many)",
        (Slider("rows", "Rows", 2, 100, 6), Slider("columns", "Columns", 2, 100, 8), _SEED),
        lambda v: f"road:rows={v['rows']:g},columns={v['columns']:g},seed={v['seed']:g}",
    ),
}


def collection() -> list[tuple[str, str]]:
    """Return titles and names of bundled ratings, then of matrices and graphs.

    The entries of matrices, and the adjacencies of graphs, get made-up ratings.
    """
    known = catalogue()

    def size(name: str) -> str:
        shape = known[name].shape or (known[name].vertices,) * 2
        return f"{shape[0]:,} × {shape[1]:,}"

    names = (*at_hand("ratings"), *dataset_names("bipartite"), *dataset_names("graph"))
    return [(f"{known[name].title} ({size(name)})", name) for name in names]


def facts_of_ratings(graph: Graph, prepared: Graph) -> Facts:
    """Return the facts of ratings."""
    assert isinstance(prepared, Ratings)
    least, most = prepared.range
    sizes = (
        ("users", f"{prepared.num_users:,}"),
        ("items", f"{prepared.num_items:,}"),
        ("ratings", f"{prepared.num_ratings:,}"),
    )
    degrees = prepared.degrees
    largest = int(degrees.max(initial=0))
    remarks = [
        f"ratings from {least:.3g} to {most:.3g}, {prepared.mean:.3g} on average",
        f"the largest degree is {largest:,}",
    ]
    steps = {step["step"] for step in prepared.source.get("prepared", ())}
    if "synthetic_ratings" in steps:
        remarks.append("the ratings are made up: a matrix of rank 8, and noise")
    if "weights_as_ratings" in steps:
        remarks.append("the weights of the file are the ratings")
    silent = {"users": prepared.num_silent_users, "items": prepared.num_silent_items}
    counted = [f"{n:,} {word[: len(word) - (n == 1)]}" for word, n in silent.items() if n]
    if counted:
        remarks.append(f"without a rating: {' and '.join(counted)}")
    return Facts(sizes, tuple(remarks))


def read(spec: str, *, limits: Limits, **how: Any) -> Ratings:
    """Return the ratings with a name; see :func:`gpucore.problems.ratings.load.load_ratings`."""
    return load_ratings(spec, limits=_of_ratings(limits), **how)


def read_bytes(name: str, content: bytes, *, limits: Limits, **how: Any) -> Ratings:
    """Return the ratings in a file.

    See :func:`gpucore.loading.load_bytes`.
    """
    return load_bytes(name, content, limits=_of_ratings(limits), kind="ratings", **how)


def _of_ratings(limits: Limits) -> Limits:
    """Return limits that count a rating as one edge, not as two directed ones."""
    return replace(limits, max_entries=limits.max_entries // 2)


SOURCES = Sources(
    title="Ratings",
    collection=collection,
    generators=GENERATED,
    read=read,
    read_bytes=read_bytes,
    formats=(
        "Lists with a line for each rating: user, item, number (CSV, TSV, MovieLens); a Matrix "
        "Market file of any shape; SciPy's or our archive; also gzipped"
    ),
    counted=("users and items", "ratings"),
    facts=facts_of_ratings,
    endings=(*ENDINGS, *RATING_LISTS),
)
