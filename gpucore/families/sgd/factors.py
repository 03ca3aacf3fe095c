"""The vectors of a factorisation: how they begin, and their errors.

The paper leaves initialisation and stopping open. Here the mean of the training ratings is part of
every prediction, the vectors begin small and random, and the number of sweeps is given. For
non-negative factors no mean is subtracted; then the first predictions have the mean of the ratings.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from gpucore.families.sgd.params import SgdParams
    from gpucore.problems.ratings.ratings import Ratings

#: Ratings whose errors are computed at a time.
_CHUNK = 1 << 18


@dataclass(frozen=True)
class Factors:
    """A factorisation of a matrix of U users and I items.

    Attributes
    ----------
    users : ndarray of float32, shape (U, padded k)
        Vectors of the users; components from k on are 0.
    items : ndarray of float32, shape (I, padded k)
    mean : float
        Part of every prediction.
    user_bias, item_bias : ndarray of float32, shape (U,) and (I,), or None
    """

    users: NDArray[np.float32]
    items: NDArray[np.float32]
    mean: float = 0.0
    user_bias: NDArray[np.float32] | None = None
    item_bias: NDArray[np.float32] | None = None

    @property
    def biases(self) -> NDArray[np.float32]:
        """Biases of the users, then of the items; empty without any."""
        if self.user_bias is None or self.item_bias is None:
            return np.zeros(0, np.float32)
        return np.concatenate((self.user_bias, self.item_bias))

    def predict(
        self, users: NDArray[np.integer], items: NDArray[np.integer]
    ) -> NDArray[np.float64]:
        """Return predictions in double precision.

        Parameters
        ----------
        users, items : ndarray of int, shape (n,)
            Pairs whose ratings are predicted.
        """
        found = np.empty(len(users))
        for start in range(0, len(users), _CHUNK):
            part = slice(start, start + _CHUNK)
            p = self.users[users[part]].astype(np.float64)
            q = self.items[items[part]].astype(np.float64)
            found[part] = np.einsum("ij,ij->i", p, q) + self.mean
            if self.user_bias is not None and self.item_bias is not None:
                found[part] += self.user_bias[users[part]].astype(np.float64)
                found[part] += self.item_bias[items[part]]
        return found

    def rmse(
        self,
        users: NDArray[np.integer],
        items: NDArray[np.integer],
        values: NDArray[np.floating],
    ) -> float:
        """Return the root of the mean squared error in double precision; NaN without ratings."""
        if not len(values):
            return float("nan")
        return float(np.sqrt(np.mean((values - self.predict(users, items)) ** 2)))


def first_factors(train: Ratings, params: SgdParams) -> Factors:
    """Return the vectors with which a factorisation begins.

    Parameters
    ----------
    train : Ratings
        The training ratings.
    params : SgdParams
        `k`, `seed`, `biases` and `positive` are used.
    """
    rng = np.random.default_rng(params.seed)
    values = train.values.astype(np.float64)
    mean, spread = float(values.mean()), float(values.std())
    if params.positive:
        size, low, mean = 2.0 * np.sqrt(max(mean, 1e-6) / params.k), 0.0, 0.0
    else:
        size = np.sqrt(max(spread, 1e-3) / params.k)
        low = -size

    def vectors(count: int) -> NDArray[np.float32]:
        found = np.zeros((count, params.padded), np.float32)
        found[:, : params.k] = rng.uniform(low, size, (count, params.k))
        return found

    users, items = vectors(train.num_users), vectors(train.num_items)
    if not params.biases:
        return Factors(users, items, mean)
    zeros = (np.zeros(train.num_users, np.float32), np.zeros(train.num_items, np.float32))
    return Factors(users, items, mean, *zeros)
