"""The sources of ratings: bundled ones, matrices and graphs with made-up ones, generators."""

from __future__ import annotations

from typing import Any

from gpucore.datasets import names as dataset_names
from gpucore.datasets.remote import at_hand
from gpucore.format import counted
from gpucore.notes import with_note
from gpucore.problems.graph.graph import Graph
from gpucore.problems.ratings.checks import RepeatedRatingError
from gpucore.problems.ratings.load import RATING_LISTS
from gpucore.problems.ratings.ratings import Ratings

from .facts import Facts
from .graphs import ENDINGS, SEED, Generator, Slider, Sources, by_rows, generator, readers

_REPEATED = "Some users rate an item more than once in this file; the last rating of each counts."
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
        SEED,
    )
    return Generator(title, sliders, spec)


GENERATED: dict[str, Generator] = {
    "scale_free": _sized("scale_free", "Scale-free (a few popular items)"),
    "uniform_ratings": _sized("uniform_ratings", "Uniform (all pairs alike)"),
    "road": generator(
        "road",
        "Road (few ratings each, all about as many)",
        Slider("rows", "Rows", 2, 100, 6),
        Slider("columns", "Columns", 2, 100, 8),
        SEED,
    ),
}


def collection() -> list[tuple[str, str]]:
    """Return titles and names of bundled ratings, then of matrices and graphs.

    The entries of matrices, and the adjacencies of graphs, get made-up ratings.
    """
    names = (*at_hand("ratings"), *dataset_names("bipartite"), *dataset_names("graph"))
    return by_rows("×", names)


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
    silent = {"user": prepared.num_silent_users, "item": prepared.num_silent_items}
    unrated = [counted(n, word) for word, n in silent.items() if n]
    if unrated:
        remarks.append(f"without a rating: {' and '.join(unrated)}")
    return Facts(sizes, tuple(remarks))


_READERS = readers("ratings")


def read_upload(label: str, content: bytes, **how: Any) -> Graph:
    """Read a visitor's file; of ratings that are given again the last counts, as a note says.

    See :func:`gpucore.loading.load_bytes`.
    """
    try:
        return _READERS["read_bytes"](label, content, **how)
    except RepeatedRatingError:
        ratings = _READERS["read_bytes"](label, content, duplicates="last", **how)
    return ratings.with_attributes(source=with_note(ratings.source, _REPEATED))


SOURCES = Sources(
    title="Ratings",
    collection=collection,
    generators=GENERATED,
    read=_READERS["read"],
    read_bytes=read_upload,
    formats=(
        "Lists with a line for each rating: user, item, number (CSV, TSV, MovieLens); a Matrix "
        "Market file of any shape; SciPy's or our archive; also gzipped"
    ),
    counted=("users and items", "ratings"),
    facts=facts_of_ratings,
    endings=(*ENDINGS, *RATING_LISTS),
    draws=False,
)
