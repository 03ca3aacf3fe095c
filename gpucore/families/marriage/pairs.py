"""First checks of every certificate of a marriage: pairs of men and women within capacities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Check
from gpucore.families.marriage.blocking import Pairs
from gpucore.format import counted

if TYPE_CHECKING:
    from gpucore.problems.preferences.preferences import Preferences

#: Most offenders that a failed check names.
NAMED = 5


def well_formed(preferences: Preferences, men: np.ndarray, women: np.ndarray) -> Check:
    """Check that the pairs are numbers of men and women."""
    name = "well formed"
    for what, array, size in (
        ("men", men, preferences.num_men),
        ("women", women, preferences.num_women),
    ):
        if array.ndim != 1 or array.shape != men.shape:
            return Check(name, False, f"{what} has the shape {array.shape}, men {men.shape}")
        if array.dtype.kind not in "iu":
            return Check(name, False, f"{what} has the dtype {array.dtype}, not an integer type")
        outside = np.flatnonzero((array < 0) | (array >= size))
        if outside.size:
            found = ", ".join(f"{what}[{i}] = {array[i]}" for i in outside[:NAMED])
            return Check(name, False, f"outside 0..{size - 1}: {found}{_more(outside.size)}")
    sizes = f"{counted(preferences.num_men, 'man')} and {counted(preferences.num_women, 'woman')}"
    return Check(name, True, f"{counted(men.size, 'pair')} of {sizes}")


def in_order(men: NDArray[np.integer], women: NDArray[np.integer]) -> Check:
    """Check that the pairs are sorted and none occurs twice."""
    name = "in order"
    step = (men[1:] > men[:-1]) | ((men[1:] == men[:-1]) & (women[1:] > women[:-1]))
    wrong = np.flatnonzero(~step)
    if wrong.size:
        i = int(wrong[0])
        first, second = (f"man {men[j]} and woman {women[j]}" for j in (i, i + 1))
        what = f"{first} are there twice" if first == second else f"{second} follow {first}"
        return Check(name, False, f"{what}, at pair {i + 1}{_more(wrong.size, 1)}")
    return Check(name, True, "sorted, no pair twice")


def room(preferences: Preferences, men: NDArray[np.integer], women: NDArray[np.integer]) -> Check:
    """Check that no person has more partners than the capacity."""
    name = "room for all"
    for who, persons, others, size, capacity in (
        ("man", men, women, preferences.num_men, preferences.man_capacity),
        ("woman", women, men, preferences.num_women, preferences.woman_capacity),
    ):
        count = np.bincount(persons, minlength=size)
        over = np.flatnonzero(count > (1 if capacity is None else capacity))
        if over.size:
            p = int(over[0])
            room = 1 if capacity is None else int(capacity[p])
            partners = others[persons == p]
            named = ", ".join(map(str, partners[:NAMED])) + _more(partners.size)
            text = f"{who} {p} has {partners.size} partners ({named}) and room for {room}"
            return Check(name, False, text + _more(over.size, 1))
    return Check(name, True, "no agent has more partners than room")


def listed(pairs: Pairs) -> Check:
    """Check that the pairs list each other."""
    name = "mutually listed"
    absent = np.flatnonzero(pairs.his_rank == 0)
    if absent.size:
        named = ", ".join(f"man {pairs.men[i]} and woman {pairs.women[i]}" for i in absent[:NAMED])
        return Check(name, False, f"not in each other's lists: {named}{_more(absent.size)}")
    return Check(name, True, "every pair lists each other")


def _more(offenders: int, named: int = NAMED) -> str:
    return f" and {offenders - named} more" if offenders > named else ""
