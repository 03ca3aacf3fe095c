"""Shared by the certificates of this family: cycles of people, and what failed checks say."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.csgraph import connected_components

#: Most offenders that a failed check names.
NAMED = 5


def cycle_lengths(successor: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return for every person the length of the cycle and its number."""
    n = successor.size
    steps = sparse.csr_array((np.ones(n, np.int8), successor, np.arange(n + 1)), shape=(n, n))
    cycle = connected_components(steps, directed=False)[1].astype(np.int64)
    return np.bincount(cycle, minlength=1)[cycle], cycle


def followed_twice(successor: NDArray[np.int64]) -> str:
    """Return which person follows two others; empty if all follow one each."""
    twice = np.flatnonzero(np.bincount(successor, minlength=successor.size) > 1)
    if not twice.size:
        return ""
    p, q = np.flatnonzero(successor == twice[0])[:2]
    return f"person {twice[0]} follows both {p} and {q}"


def values(what: str, array: np.ndarray, at: NDArray[np.integer]) -> str:
    """Return some entries of an array in words."""
    return ", ".join(f"{what}[{p}] = {array[p]}" for p in at[:NAMED]) + more(at.size)


def more(offenders: int) -> str:
    """Return how many offenders are not named."""
    return f" and {offenders - NAMED} more" if offenders > NAMED else ""
