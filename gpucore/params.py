"""Checks of parameters: numbers, whole numbers, one of several words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from numbers import Integral, Rational, Real
from typing import Any, TypeGuard

from gpucore.errors import ParameterError


def is_whole(value: Any) -> TypeGuard[int]:
    """Return whether a value is a whole number; a bool is not.

    Examples
    --------
    >>> import numpy as np
    >>> is_whole(3), is_whole(np.int32(3)), is_whole(True), is_whole(3.0)
    (True, True, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool)  # NumPy registers its own


def is_number(value: Any) -> TypeGuard[float]:
    """Return whether a value is a finite number; a bool is not.

    Examples
    --------
    >>> is_number(0.5), is_number(2), is_number(float("nan")), is_number("2")
    (True, True, False, False)
    """
    fraction = isinstance(value, Rational) and not isinstance(value, Integral)
    real = isinstance(value, Real) and not (fraction or isinstance(value, bool))
    try:
        return real and math.isfinite(value)
    except (OverflowError, TypeError):  # an integer beyond all floats, or a complex number
        return False


def check_whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """Return a whole number in a range, or raise ParameterError.

    NumPy's integers are refused, since parameters have to be JSON-able.
    """
    if (
        isinstance(value, int)
        and is_whole(value)
        and least <= value
        and (most is None or value <= most)
    ):
        return int(value)
    bounds = f"from {least} on" if most is None else f"from {least} to {most}"
    raise ParameterError(f"{name} is {value!r}; use an integer {bounds}")


def check_text(name: str, value: Any) -> str:
    """Return a text, or raise ParameterError."""
    if not isinstance(value, str):
        raise ParameterError(f"{name} must be a text, not {value!r}")
    return value


def check_flag(name: str, value: Any) -> bool:
    """Return a bool, or raise ParameterError."""
    if not isinstance(value, bool):
        raise ParameterError(f"{name} is {value!r}; use true or false")
    return value


def check_word(owner: str, name: str, value: Any, known: Sequence[str]) -> str:
    """Return `value` if it is one of the known words, else raise ParameterError."""
    if not isinstance(value, str) or value not in known:
        raise ParameterError(f"{owner} has no {name} {value!r}; it has {', '.join(known)}")
    return str(value)


def check_threads(value: Any, known: Sequence[int]) -> None:
    """Raise ParameterError unless a kernel can have so many threads in a block."""
    if value not in known:
        words = f"{', '.join(map(str, known[:-1]))} or {known[-1]}"
        raise ParameterError(f"threads_per_block is {value!r}; use {words}")


def settle(params: Any, **checked: Any) -> None:
    """Give fields of a frozen dataclass their checked values, from its ``__post_init__``."""
    for name, value in checked.items():
        object.__setattr__(params, name, value)
