"""Split ratings into a part for training and a part for testing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.last import keeps_last
from gpucore.notes import with_steps
from gpucore.params import is_number
from gpucore.problems.graph.graph import Graph
from gpucore.problems.ratings.ratings import Ratings
from gpucore.rows import row_starts
from gpucore.seeds import generator


class Entries(NamedTuple):
    """Ratings as three arrays in row order: users and items of int32, values of float32."""

    users: NDArray[np.int32]
    items: NDArray[np.int32]
    values: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Split:
    """Ratings in two parts, with the numbers of users and items unchanged.

    Attributes
    ----------
    train : Ratings
        Has a rating of every user and of every item that has one at all.
    test : Entries
        The other ratings, perhaps none.
    """

    train: Ratings
    test: Entries


def split(ratings: Ratings, fraction: float = 0.1, seed: int = 0) -> Split:
    """Choose ratings for testing at random; the others are for training.

    Parameters
    ----------
    ratings : Ratings
        n ratings.
    fraction : float
        Share of the ratings for testing, at least 0 and less than 1. There are
        ``floor(fraction * n)``, or fewer if the others are needed so that each user and each item
        keeps one; at most U + I are needed.
    seed : int
        Seed of NumPy's default generator, whose ``permutation(n)`` is the rank of each rating. Each
        user keeps the rating of lowest rank, then each item that has none so far. Of the others,
        those of lowest rank are for testing.

    Raises
    ------
    GraphError
        `fraction` is out of range, or the seed is invalid.

    Examples
    --------
    >>> ratings = Ratings.from_entries([0, 0, 0, 1, 1], [0, 1, 2, 0, 1], [1, 2, 3, 4, 5])
    >>> parts = split(ratings, 0.2, seed=1)
    >>> parts.train, parts.test.users.tolist(), parts.test.items.tolist()
    (Ratings(users=2, items=3, ratings=4), [1], [1])
    """
    if not is_number(fraction) or not 0 <= fraction < 1:
        raise GraphError(f"fraction must be at least 0 and less than 1, not {fraction!r}")
    if (parts := _divided(ratings, fraction, seed)) is not None:
        return parts
    none = np.empty(0, np.int32)
    return Split(ratings, Entries(none, none, ratings.values[:0]))


@keeps_last  # a run and its certificate need the same
def _divided(ratings: Ratings, fraction: float, seed: int) -> Split | None:
    """Return both parts; None if no rating is for testing."""
    chosen = _chosen(ratings, int(fraction * ratings.num_ratings), generator(seed))
    if not chosen.any():
        return None
    users, items = ratings.entries()
    test = Entries(users[chosen], items[chosen], ratings.values[chosen])
    del users
    step = {"step": "training_part", "fraction": float(fraction), "seed": int(seed)}
    return Split(_kept(ratings, ~chosen, items, step), test)


def training_part(ratings: Graph, fraction: float = 0.1, seed: int = 0) -> Ratings:
    """Return the part for training; see :func:`split`."""
    if not isinstance(ratings, Ratings):
        raise GraphError("training_part takes ratings, not a graph without them")
    return split(ratings, fraction, seed).train


def _chosen(ratings: Ratings, count: int, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Return which ratings are for testing."""
    chosen = np.zeros(ratings.num_ratings, np.bool_)
    if count == 0:
        return chosen
    rank = rng.permutation(ratings.num_ratings).astype(np.int32)
    kept = _lowest(ratings.by_row()[0], rank)
    order = ratings.item_order
    indptr = ratings.by_column()[0]
    kept_by_item = kept[order]
    covered = np.logical_or.reduceat(kept_by_item, _starts(indptr))
    lonely = _lowest(indptr, rank[order])
    lonely &= ~np.repeat(covered, _lengths(indptr))
    kept[order[lonely]] = True
    free = rank[~kept]
    if count < free.size:
        highest = np.partition(free, count)[count]
        np.less(rank, highest, out=chosen)
        chosen &= ~kept
    else:
        np.logical_not(kept, out=chosen)
    return chosen


def _starts(indptr: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where the lists begin that are not empty."""
    return indptr[:-1][np.diff(indptr) > 0]


def _lengths(indptr: NDArray[np.int64]) -> NDArray[np.int64]:
    lengths = np.diff(indptr)
    return lengths[lengths > 0]


def _lowest(indptr: NDArray[np.int64], rank: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Return which entry of each list has the lowest rank."""
    lowest = np.minimum.reduceat(rank, _starts(indptr))
    return rank == np.repeat(lowest, _lengths(indptr))


def _kept(
    ratings: Ratings, keep: NDArray[np.bool_], items: NDArray[np.int32], step: dict[str, object]
) -> Ratings:
    """Return the ratings that are kept, with all users and items, and add the step."""
    kept = row_starts(keep)
    return Ratings.of_users(
        kept[ratings.by_row()[0]],
        items[keep],
        ratings.values[keep],
        ratings.num_items,
        name=ratings.name,
        names=ratings.names,
        coordinates=ratings.coordinates,
        source=with_steps(ratings.source, step),
    )
