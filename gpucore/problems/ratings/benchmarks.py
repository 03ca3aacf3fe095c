"""The benchmark ratings: fixed draws by power laws; the last draw of each pair counts.

=========== ======= ====== ========== ==========
name          users  items      draws    ratings
=========== ======= ====== ========== ==========
ratings20m  480,189 17,770 20,000,000 18,891,414
ratings1m    24,009  8,885  1,000,000    942,866
ratings100k   2,400  4,442    100,000     94,086
=========== ======= ====== ========== ==========

The first one has the shape of Netflix's ratings and a fifth of their number. Ratings are whole
numbers from 1 to 5: a matrix of rank 8 and normal noise, rounded.

Published times of other libraries were measured on all draws of ``ratings20m``, so the seed, the
generator (PCG64) and the order and type of every draw are part of the definition.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.problem import Benchmarks
from gpucore.problems.ratings.cells import power_law
from gpucore.problems.ratings.generate import ITEM_POWER, USER_POWER
from gpucore.problems.ratings.ratings import Ratings

SEED, FACTORS = 6, 8
#: Ratings whose noise is drawn at a time.
_BLOCK = 1 << 20


class _Size(NamedTuple):
    """Users, items, draws, and the ratings of different pairs that result."""

    users: int
    items: int
    draws: int
    ratings: int


SIZES = {
    "ratings20m": _Size(480_189, 17_770, 20_000_000, 18_891_414),
    "ratings1m": _Size(24_009, 8_885, 1_000_000, 942_866),
    "ratings100k": _Size(2_400, 4_442, 100_000, 94_086),
}


def draw(users: int, items: int, draws: int) -> tuple[NDArray, NDArray, NDArray[np.float32]]:
    """Return users, items and ratings of all draws, in which pairs repeat.

    Parameters
    ----------
    users, items, draws : int
        Size.

    Returns
    -------
    users, items : ndarray of int64, shape (draws,)
    values : ndarray of float32, shape (draws,)
    """
    rng = np.random.default_rng(SEED)
    i = power_law(rng, users, USER_POWER)(draws)
    j = power_law(rng, items, ITEM_POWER)(draws)
    x, y = (rng.normal(0, 0.5, (size, FACTORS)).astype(np.float32) for size in (users, items))
    values = np.empty(draws, np.float32)
    for start in range(0, draws, _BLOCK):
        part = slice(start, start + _BLOCK)
        products = np.einsum("ij,ij->i", x[i[part]], y[j[part]])
        values[part] = 3.6 + products + rng.normal(0, 0.5, products.size).astype(np.float32)
    return i, j, np.clip(np.rint(values), 1, 5)


def generate_ratings(name: str) -> Ratings:
    """Generate the benchmark ratings called `name`.

    Raises
    ------
    GraphError
        If there are no such ratings, or if this NumPy draws other ones.
    """
    if name not in SIZES:
        raise GraphError(f"there are no benchmark ratings {name!r}; there are {', '.join(SIZES)}")
    size = SIZES[name]
    users, items, values = draw(size.users, size.items, size.draws)
    users, items = users.astype(np.int32), items.astype(np.int32)
    source = {"kind": "benchmark", "spec": name}
    ratings = Ratings.from_entries(
        users, items, values, size[:2], duplicates="last", name=name, source=source
    )
    if ratings.num_ratings != size.ratings:
        raise GraphError(
            f"{name} came out with {ratings.num_ratings} ratings instead of {size.ratings}: this "
            "NumPy draws other numbers, so its times cannot be compared"
        )
    return ratings


def _arrays(name: str) -> dict[str, np.ndarray]:
    """Return the lists of the users, which determine the others."""
    ratings = generate_ratings(name)
    indptr, items, values = ratings.by_user()
    shape = np.array(ratings.shape, np.int64)
    return {"indptr": indptr, "items": items, "values": values, "shape": shape}


def _problem(arrays: Mapping[str, np.ndarray], name: str, source: dict[str, Any]) -> Ratings:
    num_items = int(arrays["shape"][1])
    lists = (arrays["indptr"], arrays["items"], arrays["values"])
    return Ratings.of_users(*lists, num_items, name=name, source=source)


BENCHMARKS = Benchmarks(SIZES.__contains__, _arrays, _problem)
