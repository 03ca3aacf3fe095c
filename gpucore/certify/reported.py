"""The figures that a result reports, held against those that its certificate computed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gpucore.certify import Certificate, Check, certificate

if TYPE_CHECKING:
    from gpucore.result import Result

#: The name of the check.
NAME = "reported figures"

#: Relative difference of two sums of the same float64 numbers in other orders; it is far smaller.
ROUNDING = 1e-9


def with_reported(
    found: Certificate,
    result: Result,
    also: Mapping[str, Any] | None = None,
    *,
    relative: float = ROUNDING,
    absolute: float = 0.0,
) -> Certificate:
    """Add the check that a result reports what its certificate found.

    Figures that count the work of the run, such as its rounds, cannot be computed from a result;
    the check names them as not checked.

    Parameters
    ----------
    found : Certificate
        Of the result's solution. If it failed, it is returned as it is.
    result : Result
        What reports figures.
    also : mapping, optional
        Further figures that the certificate computed, and does not report itself.
    relative, absolute : float
        Differences of numbers that rounding explains.

    Examples
    --------
    >>> from dataclasses import replace
    >>> from gpucore.result import Result
    >>> proved = Certificate(True, (), {"weight": 3.0, "ratio": 1.0})
    >>> result = Result("greedy", {}, 0.0, {"weight": 3.0, "rounds": 2})
    >>> print(with_reported(proved, result))
    certified
      ok   reported figures: weight as recomputed; not checked: rounds
    >>> print(with_reported(proved, replace(result, figures={"weight": 4.0})))
    NOT certified
      FAIL reported figures: weight reported 4.0, recomputed 3.0
    """
    if not found.ok:
        return found
    known = {**found.figures, **(also or {})}
    check = _compare(result.figures, known, relative, absolute)
    return certificate([*found.checks, check], found.figures, found.measured)


def _compare(
    figures: Mapping[str, Any], known: Mapping[str, Any], relative: float, absolute: float
) -> Check:
    right, unchecked = [], []
    for name, value in figures.items():
        if name not in known:
            unchecked.append(name)
        elif not _same(value, known[name], relative, absolute):
            return Check(NAME, False, f"{name} reported {value!r}, recomputed {known[name]!r}")
        else:
            right.append(name)
    text = f"{', '.join(right) or 'none'} as recomputed"
    return Check(NAME, True, text + (f"; not checked: {', '.join(unchecked)}" if unchecked else ""))


def _same(value: Any, known: Any, relative: float, absolute: float) -> bool:
    if isinstance(value, float) or isinstance(known, float):
        numbers = isinstance(value, int | float) and isinstance(known, int | float)
        return numbers and math.isclose(value, known, rel_tol=relative, abs_tol=absolute)
    return bool(value == known)
