"""Cache of a function's last answer, as long as the problem exists that it was asked about."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

P = TypeVar("P")
T = TypeVar("T")
Keys = ParamSpec("Keys")


def keeps_last(make: Callable[Concatenate[P, Keys], T]) -> Callable[Concatenate[P, Keys], T]:
    """Keep the last answer of a function, which must not hold its first argument.

    Runs are repeated, and to prepare a large problem takes longer than some runs.
    """
    kept: list[tuple[weakref.ref[P], Any, T]] = []

    def forget(gone: weakref.ref[P]) -> None:
        kept[:] = [one for one in kept if one[0] is not gone]

    @wraps(make)
    def found(problem: P, *keys: Keys.args, **more: Keys.kwargs) -> T:
        for of, its_keys, answer in kept[:]:
            if of() is problem and its_keys == (keys, more):
                return answer
        answer = make(problem, *keys, **more)
        kept[:] = [(weakref.ref(problem, forget), (keys, more), answer)]
        return answer

    return found
