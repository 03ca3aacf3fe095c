"""Search for blocking pairs among all pairs that list each other.

A man agrees to a woman if he has room for another one, or prefers her to the worst he has; so
does a woman. A pair that is not married and in which both agree blocks the marriage. The
partners to whom a person agrees are a prefix of the list, so one number a person is enough: the
*limit*, the first rank at which the person does not agree.

Explicit lists are read in chunks, those of the men up to their limits. Where all men have one list
and all women another, there are too many pairs to read each, and a tree of largest limits is
enough: it finds a woman before a man's limit whose own limit lies behind him. Time is then n log n
for n * n pairs, and all pairs are covered.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpucore.families.marriage import native_proof

if TYPE_CHECKING:
    from gpucore.problems.preferences.preferences import Preferences

#: Entries of lists processed together: temporaries of a few MB, which stay in the caches.
CHUNK = 1 << 18


class Pairs(NamedTuple):
    """Men, women and their ranks of each other: int32, shape (pairs,) each."""

    men: NDArray[np.int32]
    women: NDArray[np.int32]
    his_rank: NDArray[np.int32]
    her_rank: NDArray[np.int32]


@dataclass(frozen=True)
class Held:
    """A marriage with the ranks and limits for the search.

    Attributes
    ----------
    pairs : Pairs
        The married pairs, sorted by man, then woman; a rank is 0 if they do not list each other.
    man_limit, woman_limit : ndarray of int32, shapes (men,) and (women,)
        The first rank at which a person does not agree. A person who has room agrees to the whole
        list: the limit of a man with r women on it is r + 1, of a woman the largest number.
    """

    pairs: Pairs
    man_limit: NDArray[np.int32]
    woman_limit: NDArray[np.int32]


def hold(preferences: Preferences, men: NDArray[np.int32], women: NDArray[np.int32]) -> Held:
    """Return the ranks and limits of a marriage whose pairs are sorted and within capacities."""
    his, hers = _ranks(preferences, men, women)
    room_for_all = np.int32(np.iinfo(np.int32).max)
    length = preferences.list_lengths() + 1
    man_limit = _limits(men, his, preferences.man_capacity, length.astype(np.int32))
    no_limit = np.full(preferences.num_women, room_for_all, np.int32)
    woman_limit = _limits(women, hers, preferences.woman_capacity, no_limit)
    return Held(Pairs(men, women, his, hers), man_limit, woman_limit)


def _ranks(
    preferences: Preferences, men: NDArray[np.int32], women: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return each pair's ranks of each other (his, hers), 0 where they do not list each other."""
    if preferences.is_shared:
        return _places(preferences)[women], preferences.standing[men]
    return native_proof.ranks(preferences, men, women)


def _places(preferences: Preferences) -> NDArray[np.int32]:
    """Return the rank of each woman in the list that all men share."""
    place = np.empty(preferences.num_women, np.int32)
    place[preferences.order] = np.arange(1, preferences.num_women + 1, dtype=np.int32)
    return place


def _limits(
    persons: NDArray[np.int32],
    ranks: NDArray[np.int32],
    capacity: NDArray[np.int32] | None,
    with_room: NDArray[np.int32],
) -> NDArray[np.int32]:
    worst = np.zeros(with_room.size, np.int32)
    np.maximum.at(worst, persons, ranks)
    count = np.bincount(persons, minlength=with_room.size)
    return np.where(count >= (1 if capacity is None else capacity), worst, with_room)


def stretches(
    begin: NDArray[np.int64], length: NDArray[np.integer]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield stretches of entries in chunks: the number of the stretch and of the entry."""
    ends = np.cumsum(length, dtype=np.int64)
    first = 0
    while first < ends.size:
        done = int(ends[first - 1]) if first else 0
        # A stretch is never split, however long it is.
        last = max(int(np.searchsorted(ends, done + CHUNK, side="right")), first + 1)
        counts = length[first:last]
        before = ends[first:last] - counts - done
        entry = np.arange(int(ends[last - 1]) - done)
        entry += np.repeat(begin[first:last] - before, counts)
        yield np.repeat(np.arange(first, last), counts), entry
        first = last


def search(preferences: Preferences, held: Held) -> Iterator[Pairs]:
    """Yield all blocking pairs, in chunks."""
    find = _search_shared if preferences.is_shared else _search_lists
    # With several partners, married pairs can satisfy the condition of a blocking pair too.
    width = np.int64(max(preferences.num_women, 1))
    married = held.pairs.men * width + held.pairs.women
    for pairs in find(preferences, held):
        keys = pairs.men * width + pairs.women
        at = np.searchsorted(married, keys)
        known = at < married.size
        known[known] = married[at[known]] == keys[known]
        if not known.all():
            yield Pairs(*(array[~known] for array in pairs))


def _search_lists(preferences: Preferences, held: Held) -> Iterator[Pairs]:
    begin = preferences.indptr[:-1]
    length = np.minimum(held.man_limit - 1, np.diff(preferences.indptr))
    for man, entry in stretches(begin, length):
        woman, her_rank = preferences.women[entry], preferences.her_rank[entry]
        agreed = np.flatnonzero(her_rank < held.woman_limit[woman])
        if agreed.size:
            m, e = man[agreed], entry[agreed]
            his_rank = e - begin[m] + 1
            yield Pairs(_int32(m), woman[agreed], _int32(his_rank), her_rank[agreed])


def _search_shared(preferences: Preferences, held: Held) -> Iterator[Pairs]:
    """Yield the first woman of every man with whom he agrees, then the second, and so on."""
    tree = _tree_of_maxima(held.woman_limit[preferences.order])
    men = np.arange(preferences.num_men)
    start = np.zeros(men.size, np.int64)
    while men.size:
        at = _next_above(tree, start, preferences.standing[men])
        agreed = at + 1 < held.man_limit[men]
        men, at = men[agreed], at[agreed]
        if men.size:
            women = preferences.order[at]
            yield Pairs(_int32(men), women, _int32(at + 1), preferences.standing[men])
        start = at + 1


def _tree_of_maxima(values: NDArray[np.int32]) -> list[NDArray[np.int32]]:
    """Return the values, the maxima of each two of them, of each four, up to the maximum of all."""
    size = 1 << max(values.size - 1, 0).bit_length()
    levels = [np.concatenate([values, np.full(size - values.size, -1, np.int32)])]
    while levels[-1].size > 1:
        levels.append(np.maximum(levels[-1][::2], levels[-1][1::2]))
    return levels


def _next_above(
    tree: list[NDArray[np.int32]], start: NDArray[np.int64], bound: NDArray[np.integer]
) -> NDArray[np.int64]:
    """Return the first places from `start` on with a value above the bound, or beyond the end.

    Examples
    --------
    >>> tree = _tree_of_maxima(np.array([3, 1, 4, 1, 5], np.int32))
    >>> _next_above(tree, np.array([0, 1, 3, 4]), np.array([3, 2, 4, 5])).tolist()
    [2, 2, 4, 8]
    """
    at, level = start.copy(), np.full(start.size, -1)
    beyond = np.int64(tree[0].size)
    for height, maxima in enumerate(tree):
        searching = np.flatnonzero((level < 0) & (at < maxima.size))
        # A left child is tested together with its right sibling, one level higher.
        right = searching[(at[searching] % 2 == 1) | (maxima.size == 1)]
        found = maxima[at[right]] > bound[right]
        level[right[found]] = height
        at[right[~found]] += 1
        at[level < 0] >>= 1
    at[level < 0] = beyond
    for height in range(len(tree) - 1, 0, -1):
        down = np.flatnonzero(level >= height)
        child = at[down] * 2
        at[down] = child + (tree[height - 1][child] <= bound[down])
    return at


def _int32(array: NDArray[np.integer]) -> NDArray[np.int32]:
    return array.astype(np.int32)
