"""Preferences from two matrices of ranks, complete or sparse, in the memory where they are."""

from __future__ import annotations

from typing import Any

from gpucore.arrays import Entries
from gpucore.errors import GraphError
from gpucore.problems.bipartite.csr import check_shape
from gpucore.problems.preferences.lists import Rows

#: Bytes an entry of either matrix that sorting takes.
BYTES_TO_SORT = 96


def rows_of_entries(his: Entries, hers: Entries, *, ties: str = "refuse") -> Rows:
    """Return the lists of the men, with the women's ranks of them; as arrays of the same side.

    Parameters
    ----------
    his, hers : Entries
        Entries of matrices of one shape (men, women): man ``i``'s rank of woman ``j``, the smaller
        the better, and hers of him. Pairs that only one of them ranks are left out.
    ties : {"refuse", "index"}
        "refuse": equal ranks are an error; "index": the smaller number comes first.

    Raises
    ------
    GraphError
        Shapes that differ, ranks that are not finite numbers, a pair with two ranks, or ties.

    Examples
    --------
    >>> from gpucore.arrays import entries_of
    >>> his, hers = entries_of([[2, 1], [1, 2]]), entries_of([[1, 2], [2, 1]])
    >>> [array.tolist() for array in rows_of_entries(his, hers)]
    [[0, 2, 4], [1, 0, 0, 1], [2, 1, 2, 1]]
    """
    xp = his.xp
    if his.shape != hers.shape:
        raise GraphError(
            f"the ranks have the shapes {his.shape} and {hers.shape}; both are (rows, columns): "
            "entry (i, j) is row i's rank of column j in one, and j's rank of i in the other"
        )
    men, women = check_shape(his.shape)
    mine, his_rank = _sorted(xp, his, "row_ranks")
    theirs, her_rank = _sorted(xp, hers, "column_ranks")
    mutual = xp.zeros(mine.size, dtype=bool)
    at = xp.zeros(mine.size, dtype=xp.int64)
    if theirs.size:
        at = xp.minimum(xp.searchsorted(theirs, mine), theirs.size - 1)
        mutual = theirs[at] == mine
    i, j = mine[mutual] // max(1, women), mine[mutual] % max(1, women)
    by_woman, begins = _by_rank(xp, j, her_rank[at[mutual]], women, ("column", "rows", i), ties)
    place = xp.empty(i.size, dtype=xp.int32)
    place[by_woman] = xp.arange(1, i.size + 1) - begins[j[by_woman]]
    by_man, indptr = _by_rank(xp, i, his_rank[mutual], men, ("row", "columns", j), ties)
    return Rows(indptr, j[by_man].astype(xp.int32), place[by_man])


def _sorted(xp: Any, entries: Entries, name: str) -> tuple[Any, Any]:
    """Return the places of entries as numbers, sorted, and their ranks; GraphError for bad ones."""
    ranks = entries.values
    if ranks.dtype.kind not in "biuf":
        raise GraphError(f"{name}: ranks must be real numbers, not {ranks.dtype}")
    if ranks.size and not bool(xp.isfinite(ranks).all()):
        raise GraphError(f"{name}: ranks must be finite; leave a pair out of a sparse matrix")
    places = entries.rows.astype(xp.int64) * entries.shape[1] + entries.columns
    order = xp.argsort(places)
    places = places[order]
    twice = places[1:] == places[:-1]
    if bool(twice.any()):
        at = divmod(int(places[1:][twice][0]), entries.shape[1])
        raise GraphError(f"{name}: entry {at} is given twice")
    return places, ranks[order]


def _by_rank(
    xp: Any, groups: Any, ranks: Any, count: int, names: tuple[str, str, Any], ties: str
) -> tuple[Any, Any]:
    """Return the order by group and rank, and where each group begins; ties stay in order.

    Pairs come in the order of their numbers, and sorting is stable.
    """
    order = xp.argsort(ranks, kind="stable")
    order = order[xp.argsort(groups[order], kind="stable")]
    group, rank = groups[order], ranks[order]
    if ties == "refuse":
        equal = (group[1:] == group[:-1]) & (rank[1:] == rank[:-1])
        if bool(equal.any()):
            at = int(xp.flatnonzero(equal)[0])
            one, others, numbers = names
            first, second = (int(numbers[order[k]]) for k in (at, at + 1))
            raise GraphError(
                f"{one} {int(group[at])} gives {others} {first} and {second} the same rank; give "
                'them different ones (in Python: with ties="index" the smaller number comes first)'
            )
    return order, xp.searchsorted(group, xp.arange(count + 1)).astype(xp.int64)
