"""Whether a stable marriage is the best one for its men, or for its women.

Stable marriages differ by rotations: a few women who each leave their man for the next one who
wants them, so that each of these men gets a woman he likes better and nothing blocks (Gusfield and
Irving, "The Stable Marriage Problem", 1989, section 2.5). From any stable marriage that is not the
best for the men there is such a step. Each woman would have to go to the first man after her own
who prefers her to what he has; with the wife of that man it goes on. So every woman points at one
other, or at nobody if no such man is left or he is single, and there is a rotation exactly where
these pointers close a cycle. All of it takes time linear in the lists, but for a logarithm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Check
from gpucore.families.marriage.blocking import Held, stretches

if TYPE_CHECKING:
    from gpucore.problems.preferences.preferences import Preferences

#: How many of a rotation's pairs a failed check names.
NAMED = 5

#: Larger than every key of a rank and a person.
_NOBODY = np.iinfo(np.int64).max


def best_for(preferences: Preferences, held: Held, side: str) -> Check | None:
    """Check that no stable marriage is better for one side.

    Parameters
    ----------
    preferences : Preferences
        The instance.
    held : Held
        A stable marriage.
    side : {"men", "women"}
        Whose partners are to be the best possible.

    Returns
    -------
    Check or None
        None if there are capacities, of which this proof knows nothing.
    """
    name = f"best for the {side}"
    if preferences.has_capacities:
        return None
    if preferences.is_shared:
        return Check(name, True, "where all have one list there is no other stable marriage")
    partner_of_men = _partners(held.pairs.men, held.pairs.women, preferences.num_men)
    partner_of_women = _partners(held.pairs.women, held.pairs.men, preferences.num_women)
    if side == "men":
        to, theirs = _next_men(preferences, held), partner_of_men
    else:
        to, theirs = _next_women(preferences, held), partner_of_women
    pointers = np.full(to.size, -1)
    pointers[to >= 0] = theirs[to[to >= 0]]
    cycle = _find_cycle(pointers)
    if not cycle:
        return Check(name, True, f"no rotation among {to.size}: the {side} cannot do better")
    words = [
        f"man {to[p]} with woman {p}" if side == "men" else f"man {p} with woman {to[p]}"
        for p in cycle[:NAMED]
    ]
    more = f" and {len(cycle) - NAMED} more" if len(cycle) > NAMED else ""
    return Check(name, False, f"stable, too, and better for them: {', '.join(words)}{more}")


def _partners(
    persons: NDArray[np.int32], others: NDArray[np.int32], size: int
) -> NDArray[np.int32]:
    partner = np.full(size, -1, np.int32)
    partner[persons] = others
    return partner


def _next_men(preferences: Preferences, held: Held) -> NDArray[np.int64]:
    """Return for every woman the first man after hers who prefers her to what he has, or -1.

    Nothing blocks, so that all men who prefer her come after hers.
    """
    length = np.minimum(held.man_limit - 1, np.diff(preferences.indptr))
    best = np.full(preferences.num_women, _NOBODY)
    for man, entry in stretches(preferences.indptr[:-1], length):
        key = preferences.her_rank[entry].astype(np.int64) << 32 | man
        np.minimum.at(best, preferences.women[entry], key)
    return _persons(best)


def _next_women(preferences: Preferences, held: Held) -> NDArray[np.int64]:
    """Return for every man the first woman after his who prefers him to what she has, or -1."""
    begin = preferences.indptr[:-1] + held.man_limit
    length = np.maximum(preferences.indptr[1:] - begin, 0)
    best = np.full(preferences.num_men, _NOBODY)
    for man, entry in stretches(begin, length):
        woman = preferences.women[entry]
        wanted = preferences.her_rank[entry] < held.woman_limit[woman]
        key = entry[wanted] - preferences.indptr[man[wanted]] << 32 | woman[wanted]
        np.minimum.at(best, man[wanted], key)
    return _persons(best)


def _persons(keys: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.where(keys == _NOBODY, -1, keys & 0xFFFFFFFF)


def _find_cycle(pointers: NDArray[np.integer]) -> list[int]:
    """Return the places of one cycle of pointers, -1 being the end of a path; else nothing.

    Examples
    --------
    >>> _find_cycle(np.array([1, 2, -1, 0])), _find_cycle(np.array([1, 2, 1]))
    ([], [1, 2])
    """
    far = pointers.copy()
    going = np.flatnonzero(far >= 0)
    # After k steps everybody has been led 2**k places on: whoever never arrives is in a loop.
    for _ in range(max(pointers.size, 1).bit_length()):
        step = far[far[going]]
        far[going] = step
        going = going[step >= 0]
    if not going.size:
        return []
    cycle = [int(far[going[0]])]
    while (after := int(pointers[cycle[-1]])) != cycle[0]:
        cycle.append(after)
    first = cycle.index(min(cycle))
    return cycle[first:] + cycle[:first]
