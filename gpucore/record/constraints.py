"""Dependencies between events, and a lookup of events by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Dependencies:
    """Pairs of events whose order is known.

    Attributes
    ----------
    before, after : ndarray of int64, shape (pairs,)
        Event ``before[i]`` happened before event ``after[i]``.
    complete : bool
        False if events refer to lost ones.
    """

    before: np.ndarray
    after: np.ndarray
    complete: bool

    @classmethod
    def of(cls, parts: Sequence[Dependencies]) -> Dependencies:
        """Join the pairs of several facts."""
        return cls(
            np.concatenate([part.before for part in parts]),
            np.concatenate([part.after for part in parts]),
            all(part.complete for part in parts),
        )


NOTHING_KNOWN = Dependencies(np.empty(0, np.int64), np.empty(0, np.int64), complete=True)


def pair(high: np.ndarray, low: np.ndarray) -> np.ndarray:
    """Combine two int32 arrays into int64 keys; `low` may be -1."""
    return high.astype(np.int64) << 32 | low.astype(np.int64) & 0xFFFFFFFF


class Lookup:
    """Map from int64 keys to values; of equal keys, the first counts."""

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
