"""Pairs of values in place of all combinations, where the axes of a test are independent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def pairwise(first: Sequence[Any], second: Sequence[Any], third: Sequence[Any]) -> list[Any]:
    """Return triples: every pair of values of any two of the lists is in one of them.

    The third list may not be longer than the others.
    """
    assert len(third) <= min(len(first), len(second))
    return [
        (one, two, third[(i + j) % len(third)])
        for i, one in enumerate(first)
        for j, two in enumerate(second)
    ]
