"""Whether a stable marriage is the best one for its men, or for its women.

Stable marriages differ by rotations: some women each leave their man for the next man who prefers
them to his wife, so that each of these men gets a woman he likes better and no pair blocks
(Gusfield and Irving, "The Stable Marriage Problem", 1989, section 2.5). Every stable marriage that
is not the best for the men has such a rotation. In it each woman goes to the first man after her
own who prefers her to his partner, and that man's wife is the next woman of the rotation. So every
woman points at one other woman, or at none if there is no such man or he is single, and a rotation
exists exactly where these pointers close a cycle. Time is linear in the lists, except for a
logarithm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Check
from gpucore.families.marriage import native_proof
from gpucore.families.marriage.blocking import Held

if TYPE_CHECKING:
    from gpucore.problems.preferences.preferences import Preferences

#: Most pairs of a rotation that a failed check names.
NAMED = 5


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
        None if there are capacities, which this proof does not cover.
    """
    name = f"best for the {side}"
    if preferences.has_capacities:
        return None
    if preferences.is_shared:
        return Check(name, True, "where all have one list there is no other stable marriage")
    partner_of_men = _partners(held.pairs.men, held.pairs.women, preferences.num_men)
    partner_of_women = _partners(held.pairs.women, held.pairs.men, preferences.num_women)
    if side == "men":
        to, theirs = native_proof.next_men(preferences, held), partner_of_men
    else:
        to, theirs = native_proof.next_women(preferences, held), partner_of_women
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


def _find_cycle(pointers: NDArray[np.integer]) -> list[int]:
    """Return the places of one cycle of pointers, empty without one; -1 ends a path.

    Examples
    --------
    >>> _find_cycle(np.array([1, 2, -1, 0])), _find_cycle(np.array([1, 2, 1]))
    ([], [1, 2])
    """
    far = native_proof.loops(pointers)
    going = np.flatnonzero(far >= 0)
    if not going.size:
        return []
    cycle = [int(far[going[0]])]
    while (after := int(pointers[cycle[-1]])) != cycle[0]:
        cycle.append(after)
    first = cycle.index(min(cycle))
    return cycle[first:] + cycle[:first]
