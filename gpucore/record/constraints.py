"""What must have happened before what: pairs of events, and how they are looked up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Dependencies:
    """Pairs of events in their order of time.

    Attributes
    ----------
    before, after : ndarray of int64, shape (pairs,)
        Event ``before[i]`` happened before event ``after[i]``.
    complete : bool
        False if events refer to ones that are not there (they were lost).
    """

    before: np.ndarray
    after: np.ndarray
    complete: bool


NOTHING_KNOWN = Dependencies(np.empty(0, np.int64), np.empty(0, np.int64), complete=True)


def pair(high: np.ndarray, low: np.ndarray) -> np.ndarray:
    """Join two int32 arrays into one int64 key each; `low` may be -1."""
    return high.astype(np.int64) << 32 | low.astype(np.int64) & 0xFFFFFFFF


class Lookup:
    """Finds values by int64 keys; of equal keys, the first counts."""

    def __init__(self, keys: np.ndarray, values: np.ndarray) -> None:
        order = np.argsort(keys, kind="stable")
        self._keys, self._values = keys[order], values[order]

    @property
    def unique(self) -> bool:
        """Whether no key occurs twice."""
        return not bool(np.any(self._keys[1:] == self._keys[:-1]))

    def find(self, keys: np.ndarray) -> np.ndarray:
        """Return the value of each key, -1 where there is none."""
        if not len(self._keys):
            return np.full(len(keys), -1, dtype=np.int64)
        index = np.minimum(np.searchsorted(self._keys, keys), len(self._keys) - 1)
        return np.where(self._keys[index] == keys, self._values[index], -1)
