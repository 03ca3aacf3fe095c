"""Checks of a device's options."""

from __future__ import annotations

from gpucore.errors import ParameterError
from gpucore.params import is_whole


def within(name: str, value: int, low: int, high: int) -> int:
    """Return an integer in [low, high], or raise ParameterError."""
    if not is_whole(value):
        raise ParameterError(f"{name} must be an integer, not {value!r}")
    if not low <= value <= high:
        raise ParameterError(f"{name} is {value}; it must be {low} to {high}")
    return int(value)


def probability(name: str, value: float) -> float:
    """Return a number in [0, 1], or raise ParameterError."""
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise ParameterError(f"{name} is {value!r}; it must be a probability, 0.0 to 1.0")
    return number
