"""Made-up ratings: a low-rank matrix, which factorisation can find, and noise."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.params import is_number
from gpucore.problems.graph.generate.common import check_whole

#: Mean of the ratings, and standard deviation of the factors.
MEAN, SPREAD = 3.6, 0.5
#: Largest rank, and largest deviation of the noise.
MOST_FACTORS, MOST_NOISE = 1024, 1e6


def check_synthetic(k: int, noise: float, round: int) -> None:
    """Raise GraphError unless these are parameters of :func:`synthetic_values`."""
    check_whole("k", k, 0, MOST_FACTORS)
    check_whole("round", round, 0, 1)
    if not is_number(noise) or not 0 <= noise <= MOST_NOISE:
        raise GraphError(f"noise must be between 0 and {MOST_NOISE:g}, not {noise!r}")


def synthetic_values(
    rng: np.random.Generator,
    users: NDArray[np.int32],
    items: NDArray[np.int32],
    shape: tuple[int, int],
    k: int,
    noise: float,
    round: int,
) -> NDArray[np.float32]:
    """Return ratings ``3.6 + x[user] @ y[item] + noise``.

    Sums are made factor by factor in single precision, so that the result does not depend on how
    a library orders them.

    Parameters
    ----------
    rng : numpy.random.Generator
        Draws factor f of all users, then of all items, for each f; the noise comes last.
    users, items : ndarray of int32, shape (n,)
        Users and items of the ratings.
    shape : tuple of int
        Numbers of users and items.
    k : int
        Number of factors; x and y have normal entries of mean 0 and deviation 0.5.
    noise : float
        Standard deviation of the normal noise.
    round : int
        1 to round the ratings to the whole numbers from 1 to 5, else 0.

    Returns
    -------
    ndarray of float32, shape (n,)
    """
    values = np.full(users.size, MEAN, np.float32)
    spread = np.float32(SPREAD)
    for _ in range(k):
        x, y = (rng.standard_normal(size, np.float32) * spread for size in shape)
        values += x[users] * y[items]
    if noise > 0:
        values += rng.standard_normal(users.size, np.float32) * np.float32(noise)
    return np.clip(np.rint(values), 1, 5) if round else values
