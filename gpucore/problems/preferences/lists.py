"""Preference lists of two sides as compressed rows: checks, mutual pairs, rows of either side.

Section 2 of the CSC 2016 paper stores a woman's rank of a man beside her name in his list, so that
a lookup takes one step, and computes all these ranks in time proportional to the lists. It
processes the women's lists with an array of positions; here counting sorts do the same for all
women at once, also in time proportional to the lists.

References
----------
F. Manne, M. Naim, H. Lerring, M. Halappanavar, "On stable marriages and greedy matchings", CSC
2016.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.params import is_whole
from gpucore.problems.graph.checks import MAX_VERTICES, check_size, vertex_array
from gpucore.problems.graph.csr import starts_of_runs
from gpucore.rows import row_numbers, row_starts

#: Number of pairs that are converted to the other side at a time.
_PART = 1 << 25


@dataclass(frozen=True)
class Side:
    """Nouns for one side and for the people it lists, in errors' texts."""

    who: str
    whom: str
    plural: str
    pronoun: str


MEN = Side("man", "woman", "women", "his")
WOMEN = Side("woman", "man", "men", "her")


class Rows(NamedTuple):
    """The mutual pairs in the men's rows.

    See :class:`gpucore.problems.preferences.preferences.Preferences`.
    """

    indptr: NDArray[np.int64]
    women: NDArray[np.int32]
    her_rank: NDArray[np.int32]


class WomenRows(NamedTuple):
    """The same pairs in the women's rows: their men, and the men's ranks of them."""

    indptr: NDArray[np.int64]
    men: NDArray[np.int32]
    his_rank: NDArray[np.int32]


def rows_of_lists(
    lists: Sequence[Iterable[int]], side: Side
) -> tuple[NDArray[np.int64], NDArray[np.integer]]:
    """Return lists of numbers as compressed rows; GraphError for an entry that is no number.

    Examples
    --------
    >>> indptr, entries = rows_of_lists([[2, 0], [], [1]], MEN)
    >>> indptr.tolist(), entries.tolist()
    ([0, 2, 2, 3], [2, 0, 1])
    """
    rows = [list(row) for row in lists]
    indptr = row_starts([len(row) for row in rows])
    flat: list[Any] = list(chain.from_iterable(rows))
    for at, entry in enumerate(flat):
        if not is_whole(entry):
            person, place = _where(indptr, at)
            raise GraphError(
                f"{side.who} {person}, place {place}: {entry!r} is not the number of a {side.whom};"
                f" {side.plural} are whole numbers from 0"
            )
    try:
        return indptr, np.array(flat, np.int64)
    except OverflowError:
        raise GraphError(f"numbers of {side.plural} must be below {MAX_VERTICES}") from None


def check_entries(
    indptr: ArrayLike, entries: ArrayLike, count: int, side: Side
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the rows of one side as int64 and int32, or raise GraphError.

    Parameters
    ----------
    indptr, entries : array_like of int
        Compressed rows, most preferred first.
    count : int
        Number of people on the other side.
    side : Side
        The side of these rows.

    Raises
    ------
    GraphError
        If rows are not within the entries, or an entry is out of range; the text names the person
        and the place.
    """
    bounds, whom = vertex_array(indptr, "indptr"), vertex_array(entries, "entries")
    start = bounds.astype(np.int64, copy=False)
    falling = start.size == 0 or start[0] != 0 or start[-1] != whom.size
    if falling or (start[1:] < start[:-1]).any():
        raise GraphError(
            f"indptr of the {side.who}'s rows must rise from 0 to the number of entries "
            f"({whom.size}) without falling"
        )
    check_size(start.size - 1)
    if whom.size and (whom.min() < 0 or whom.max() >= count):
        at = int(np.argmax((whom < 0) | (whom >= count)))
        person, place = _where(start, at)
        raise GraphError(
            f"{side.who} {person}, place {place}: {side.whom} {whom[at]} is out of range, there "
            f"are {count} {side.plural} numbered from 0; numbers that start at 1 must be shifted"
        )
    return start, whom.astype(np.int32, copy=False)


def check_repeats(indptr: NDArray[np.int64], entries: NDArray[np.int32], count: int, side: Side,
                  ) -> None:  # fmt: skip
    """Raise GraphError if a list has a person twice; the text names both places."""
    shape = (indptr.size - 1, count)
    places = np.arange(entries.size, dtype=_index_type(entries.size))
    turned = sparse.csr_array((places, entries, indptr), shape=shape).tocsc().tocsr()
    fresh = starts_of_runs(turned.indptr, turned.indices)
    if fresh.all():
        return
    at = int(np.argmin(fresh))
    person, first = _where(indptr, int(turned.data[at - 1]))
    second = _where(indptr, int(turned.data[at]))[1]
    raise GraphError(
        f"{side.who} {person} lists {side.whom} {turned.indices[at]} twice, at places {first} and "
        f"{second} of {side.pronoun} list; strike one of them out"
    )


def mutual_rows(
    men: tuple[NDArray[np.int64], NDArray[np.int32]],
    women: tuple[NDArray[np.int64], NDArray[np.int32]],
) -> tuple[Rows, int]:
    """Return the pairs that list each other, with the woman's rank of the man.

    Parameters
    ----------
    men, women : tuple of ndarray
        Compressed rows of both sides, in range and without repeats.

    Returns
    -------
    rows : Rows
    purged : int
        Number of one-sided entries of both sides.

    Examples
    --------
    Man 0 lists both women, but woman 0 does not list him; she lists man 1, whose list is empty.

    >>> men = np.array([0, 2, 2]), np.array([0, 1], np.int32)
    >>> women = np.array([0, 1, 2]), np.array([1, 0], np.int32)
    >>> rows, purged = mutual_rows(men, women)
    >>> rows.indptr.tolist(), rows.women.tolist(), rows.her_rank.tolist(), purged
    ([0, 1, 1], [1], [1], 2)
    """
    his, hers = _partners(men, women)
    total = men[1].size + women[1].size
    listed_by_men, listed_by_women = (np.zeros(rows[1].size, np.bool_) for rows in (men, women))
    listed_by_men[his] = True
    listed_by_women[hers] = True
    before = row_starts(listed_by_women)
    # A rank is the number of her mutual men up to this one.
    who = row_numbers(women[0])
    rank = np.empty(men[1].size, np.int32)
    rank[his] = before[hers + 1] - before[women[0][who[hers]]]
    rows = Rows(row_starts(listed_by_men)[men[0]], men[1][listed_by_men], rank[listed_by_men])
    return rows, total - 2 * his.size


def _partners(
    men: tuple[NDArray[np.int64], NDArray[np.int32]],
    women: tuple[NDArray[np.int64], NDArray[np.int32]],
) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """Return, for every mutual pair, its entry in the man's row and that in the woman's."""
    shape = (men[0].size - 1, women[0].size - 1)
    entries: NDArray[np.signedinteger] = np.arange(
        men[1].size + women[1].size, dtype=_index_type(men[1].size + women[1].size)
    )
    rows = row_numbers(men[0])
    columns = row_numbers(women[0])
    both = sparse.coo_array(
        (entries, (np.concatenate((rows, women[1])), np.concatenate((men[1], columns)))),
        shape=shape,
    )
    both.has_canonical_format = True  # the two entries of a pair must stay adjacent
    del rows, columns
    # Sorting is stable: of a pair's two entries the man's is first.
    by_man = both.tocsc().tocsr()
    second = np.flatnonzero(~starts_of_runs(by_man.indptr, by_man.indices))
    return by_man.data[second - 1], by_man.data[second] - men[1].size


def other_side(rows: Rows, num_women: int) -> WomenRows:
    """Return the same pairs in the women's rows: the men, and their ranks of her.

    Her rank is the place in her row, so no sorting is needed.

    Examples
    --------
    >>> rows = Rows(np.array([0, 2, 3]), np.array([1, 0, 1]), np.array([2, 1, 1]))
    >>> [array.tolist() for array in other_side(rows, 2)]
    [[0, 1, 3], [0, 1, 0], [2, 1, 1]]
    """
    Limits().check("the women's rows", num_women, rows.women.size, 8)
    parts = [*_parts(rows.indptr)]
    counts = np.zeros(num_women, np.int64)
    for _, pairs in parts:
        counts += np.bincount(rows.women[pairs], minlength=num_women)
    indptr = row_starts(counts)
    men, his_rank = np.empty_like(rows.women), np.empty_like(rows.her_rank)
    for people, pairs in parts:
        place = indptr[rows.women[pairs]] + rows.her_rank[pairs] - 1
        bounds = rows.indptr[people.start : people.stop + 1]
        numbers = np.arange(people.start, people.stop, dtype=np.int32)
        men[place] = np.repeat(numbers, np.diff(bounds))
        his_rank[place] = ranks_in_rows(bounds - bounds[0])
    return WomenRows(indptr, men, his_rank)


def _parts(indptr: NDArray[np.int64]) -> Iterator[tuple[slice, slice]]:
    """Cut rows into parts of bounded size, to limit the memory for temporaries."""
    cuts = np.searchsorted(indptr, np.arange(0, int(indptr[-1]), _PART))
    for first, last in pairwise([*np.unique(cuts).tolist(), indptr.size - 1]):
        yield slice(first, last), slice(int(indptr[first]), int(indptr[last]))


def ranks_in_rows(indptr: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return 1, 2, ... for the entries of each row.

    Examples
    --------
    >>> ranks_in_rows(np.array([0, 2, 2, 5])).tolist()
    [1, 2, 1, 2, 3]
    """
    ranks: NDArray[np.int64] = np.arange(1, int(indptr[-1]) + 1)
    ranks -= np.repeat(indptr[:-1], np.diff(indptr))
    return ranks.astype(np.int32)


def _where(indptr: NDArray[np.int64], at: int) -> tuple[int, int]:
    """Return the person whose row holds an entry, and its place in that row, from 1."""
    person = int(np.searchsorted(indptr, at, side="right")) - 1
    return person, at - int(indptr[person]) + 1


def _index_type(size: int) -> type[np.signedinteger]:
    return np.int32 if size < MAX_VERTICES else np.int64
