"""Load balance of a run over its warps.

There are two measures: the largest share over the mean one (1 is even; a block waits for its
slowest warp, so this is the cost of imbalance), and the Gini coefficient (0 is even, close to 1 if
one warp does everything; Gini, "Variabilità e mutabilità", 1912), which depends on all shares.
Warps without work count as 0 in both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from gpucore.errors import ParameterError

Columns = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Balance:
    """Distribution of one quantity over the warps.

    Attributes
    ----------
    warps : int
        Number of warps.
    busy : int
        Number of warps with a positive value.
    total, mean, largest : float
        Sum over the warps, the sum divided by `warps`, and the largest warp's share.
    ratio : float
        `largest` over `mean`; 1 if the sum is 0.
    gini : float
        See :func:`gini`.
    """

    warps: int
    busy: int
    total: float
    mean: float
    largest: float
    ratio: float
    gini: float


def balance(values: np.ndarray) -> Balance:
    """Return the distribution of a quantity, given one value per warp.

    Parameters
    ----------
    values : ndarray, shape (warps,)
        Values of at least 0.
    """
    share = np.asarray(values, dtype=np.float64)
    spread = gini(share)  # checks the values, too
    total = float(share.sum())
    mean = total / max(1, len(share))
    largest = float(share.max(initial=0.0))
    return Balance(
        warps=len(share),
        busy=int(np.count_nonzero(share)),
        total=total,
        mean=mean,
        largest=largest,
        ratio=largest / mean if mean else 1.0,
        gini=spread,
    )


def gini(values: np.ndarray) -> float:
    """Return the Gini coefficient: half the mean difference of two values over their mean.

    Parameters
    ----------
    values : ndarray, shape (n,)
        Values of at least 0.

    Returns
    -------
    float
        From 0 (all equal, or all 0) to ``1 - 1/n`` (only one is not 0).

    Raises
    ------
    ParameterError
        A value is negative or not a number.
    """
    share = np.sort(np.asarray(values, dtype=np.float64))
    if len(share) and not share[0] >= 0:
        raise ParameterError(f"shares of work cannot be negative, and one is {share[0]:g}")
    if np.isnan(share).any():
        raise ParameterError("shares of work must be numbers, and one is not")
    n, total = len(share), share.sum()
    if not total:
        return 0.0
    # Sorted, every value is the larger one of (its rank) pairs and the smaller one of the others.
    rank = np.arange(n)
    return float((2 * rank - n + 1) @ share / (n * total))


def per_warp(warps: Columns, values: np.ndarray, iteration: int | None = None) -> np.ndarray:
    """Sum a quantity of a record's rows over each warp.

    Parameters
    ----------
    warps : mapping of str to ndarray, shape (rows,)
        ``Record.warps``.
    values : ndarray, shape (rows,)
        The quantity, for example ``warps["edges"]``.
    iteration : int, optional
        Only this iteration; by default all.

    Returns
    -------
    ndarray of float64, shape (warps,)
        0 for warps without work.
    """
    count = num_warps(warps)
    if iteration is None:
        return np.bincount(warps["warp"], weights=values, minlength=count)
    rows = warps["iteration"] == iteration
    return np.bincount(warps["warp"][rows], weights=values[rows], minlength=count)


def num_warps(warps: Columns) -> int:
    """Return the number of warps in a record: the highest number plus one."""
    return int(warps["warp"].max(initial=-1)) + 1


def active_warps(warps: Columns) -> np.ndarray:
    """Return the number of warps with work in each iteration; int64, shape (iterations,)."""
    seen = np.unique(np.stack([warps["iteration"], warps["warp"]]), axis=1)
    return np.bincount(seen[0]) if seen.size else np.zeros(0, np.int64)


def idle_share(busy: np.ndarray, slots: np.ndarray) -> float:
    """Return the share of idle lanes: of `slots` lanes, `busy` had work.

    Both are summed first, so a long scan weighs more than a short one; 0 without slots.
    """
    there = float(np.sum(slots, dtype=np.float64))
    return 1.0 - float(np.sum(busy, dtype=np.float64)) / there if there else 0.0
