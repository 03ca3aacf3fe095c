"""Measures of warps, for the warp map: numbers of a record's rows, and shares of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

#: Takes a record's warp columns and returns one number for each row.
Measured = Callable[[Mapping[str, np.ndarray]], np.ndarray]


@dataclass(frozen=True)
class Measure:
    """A quantity of a warp in an iteration, for the warp map.

    Attributes
    ----------
    label : str
        Display label.
    values : callable
        Takes the record's warp columns and returns one number for each row.
    unit : str
        Unit behind the number.
    """

    label: str
    values: Measured
    unit: str = ""


def share(part: str, whole: str) -> Measured:
    """Return one column in percent of another; 0 where that is 0."""

    def measure(warps: Mapping[str, np.ndarray]) -> np.ndarray:
        return _percent(warps[part], warps[whole])

    return measure


def rest(*parts: str, whole: str = "lane_slots") -> Measured:
    """Return what columns leave of another one, in percent; by default the lanes that idle."""

    def measure(warps: Mapping[str, np.ndarray]) -> np.ndarray:
        busy = sum((warps[part] for part in parts), np.int64(0))
        return _percent(warps[whole] - busy, warps[whole])

    return measure


def _percent(part: np.ndarray, whole: np.ndarray) -> np.ndarray:
    return np.where(whole > 0, 100.0 * part / np.maximum(whole, 1), 0.0)
