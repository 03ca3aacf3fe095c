"""Synthetic ratings: of a few popular items by a few busy users, of any items, of neighbours.

All have made-up values: a matrix of rank `k` with normal noise
(:func:`gpucore.problems.ratings.synthetic.synthetic_values`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.problems.graph.generate.common import check_probability, check_whole
from gpucore.problems.ratings.cells import distinct_cells, power_law
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.ratings.synthetic import check_synthetic, synthetic_values
from gpucore.seeds import generator
from gpucore.specification import generated

#: Memory in bytes that a rating takes at the peak: drawing, sorting, building.
BYTES_PER_RATING = 128
#: Exponents of the popularity of users and of items.
USER_POWER, ITEM_POWER = 0.6, 0.9


def scale_free(
    users: int,
    items: int,
    ratings: int,
    k: int = 8,
    noise: float = 0.5,
    *,
    round: int = 0,
    seed: int = 1,
    limits: Limits | None = None,
) -> Ratings:
    """Return ratings whose numbers per user and per item follow power laws, as in real data.

    The user of place r in a random order is drawn with probability proportional to
    ``(r + 10) ** -0.6``, the item with ``(r + 10) ** -0.9``, until there are enough different
    pairs. A user or an item may stay without ratings.

    Parameters
    ----------
    users, items : int
        Size of the matrix.
    ratings : int
        Number of ratings, at most three quarters of the matrix's cells.
    k, noise, round
        See :func:`gpucore.problems.ratings.synthetic.synthetic_values`.
    seed, limits
        See :mod:`gpucore.problems.graph.generate`.

    Examples
    --------
    >>> scale_free(100, 40, 1000)
    Ratings('scale_free', users=100, items=40, ratings=1000)
    """
    _check("scale_free", users, items, ratings, limits)
    check_synthetic(k, noise, round)
    rng = generator(seed)
    rows, columns = power_law(rng, users, USER_POWER), power_law(rng, items, ITEM_POWER)
    i, j = distinct_cells(rng, (users, items), ratings, rows, columns)
    spec = {"users": users, "items": items, "ratings": ratings}
    return _finish("scale_free", spec, rng, i, j, (users, items), (k, noise, round), seed)


def uniform_ratings(
    users: int,
    items: int,
    ratings: int,
    k: int = 8,
    noise: float = 0.5,
    *,
    round: int = 0,
    seed: int = 1,
    limits: Limits | None = None,
) -> Ratings:
    """Return ratings of pairs of a user and an item that are all equally likely.

    Parameters
    ----------
    users, items, ratings, k, noise, round, seed, limits
        As for :func:`scale_free`.

    Examples
    --------
    >>> uniform_ratings(100, 40, 1000, round=1).range
    (1.0, 5.0)
    """
    _check("uniform_ratings", users, items, ratings, limits)
    check_synthetic(k, noise, round)
    rng = generator(seed)
    i, j = distinct_cells(rng, (users, items), ratings)
    spec = {"users": users, "items": items, "ratings": ratings}
    return _finish("uniform_ratings", spec, rng, i, j, (users, items), (k, noise, round), seed)


def road(
    rows: int,
    columns: int,
    keep: float = 0.62,
    k: int = 8,
    noise: float = 0.5,
    *,
    round: int = 0,
    seed: int = 1,
    limits: Limits | None = None,
) -> Ratings:
    """Return the adjacencies of a road network as ratings: few a user, and all about as many.

    The roads are those of a grid, each kept at random. By default a crossing has 2.5 neighbours on
    average, as in the paper's road networks. Each crossing is a user and an item, and each road
    gives two ratings.

    Parameters
    ----------
    rows, columns : int
        Size of the grid; U and I are their product.
    keep : float
        Probability that a road of the grid is kept.
    k, noise, round, seed, limits
        As for :func:`scale_free`.

    Examples
    --------
    >>> road(20, 20)
    Ratings('road', users=400, items=400, ratings=938)
    """
    check_whole("rows", rows, 1)
    check_whole("columns", columns, 1)
    check_probability("keep", keep)
    n = rows * columns
    most = 2 * (2 * n - rows - columns)
    (limits or Limits()).check("road", 2 * n, most, BYTES_PER_RATING)
    check_synthetic(k, noise, round)
    rng = generator(seed)
    places = np.arange(n, dtype=np.int32).reshape(rows, columns)
    here = np.concatenate((places[:, :-1].ravel(), places[:-1].ravel()))
    there = np.concatenate((places[:, 1:].ravel(), places[1:].ravel()))
    kept = rng.random(here.size) < keep
    here, there = here[kept], there[kept]
    i, j = np.concatenate((here, there)), np.concatenate((there, here))
    order = np.lexsort((j, i))
    spec = {"rows": rows, "columns": columns, "keep": keep}
    return _finish("road", spec, rng, i[order], j[order], (n, n), (k, noise, round), seed)


def _check(kind: str, users: int, items: int, ratings: int, limits: Limits | None) -> None:
    """Raise GraphError unless this number of ratings is possible and within the limits."""
    check_whole("users", users, 1)
    check_whole("items", items, 1)
    check_whole("ratings", ratings, 1)
    (limits or Limits()).check(kind, users + items, ratings, BYTES_PER_RATING)
    if 4 * ratings > 3 * users * items and ratings > 1:
        raise GraphError(
            f"{kind}: {ratings} ratings are more than three quarters of the {users * items} pairs "
            "of a user and an item; take fewer ratings, or more users or items"
        )


def _finish(
    kind: str, parameters: dict[str, Any], rng: np.random.Generator, users: NDArray[np.int32],
    items: NDArray[np.int32], shape: tuple[int, int], values: tuple[int, float, int], seed: int,
) -> Ratings:  # fmt: skip
    """Draw the values, make the ratings and store how to rebuild them."""
    k, noise, round = values
    if users.size == 0:
        raise GraphError(f"{kind}: no ratings came out; take a larger matrix, or another seed")
    numbers = synthetic_values(rng, users, items, shape, k, noise, round)
    parameters = {**parameters, "k": k, "noise": noise, "round": round, "seed": seed}
    source = generated(kind, parameters)
    return Ratings.from_entries(users, items, numbers, shape, name=kind, source=source)


#: The generators by the names that specifications use.
RATINGS_GENERATORS: dict[str, Callable[..., Ratings]] = {
    "scale_free": scale_free,
    "uniform_ratings": uniform_ratings,
    "road": road,
}
