"""Compressed sparse rows of ratings: sorted by user, repeated ratings merged, both sides' lists."""

from __future__ import annotations

from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.problems.graph.csr import Arrays, starts_of_runs
from gpucore.problems.ratings.checks import RepeatedRatingError
from gpucore.rows import row_starts

#: What to do with a user's second rating of an item.
Duplicates = Literal["error", "mean", "last"]
DUPLICATES = ("error", "mean", "last")
#: Lists of the users: starts, items and ratings.
Rows = tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.float32]]


def check_duplicates(duplicates: object) -> None:
    """Raise GraphError unless `duplicates` is one of :data:`DUPLICATES`."""
    if duplicates not in DUPLICATES:
        raise GraphError(f'duplicates must be "error", "mean" or "last", not {duplicates!r}')


def rows_of(
    users: NDArray[np.int32],
    items: NDArray[np.int32],
    values: NDArray[np.float32],
    shape: tuple[int, int],
    duplicates: Duplicates,
) -> Rows:
    """Return the sorted lists of the users, with one rating for each pair.

    Entries that are sorted already are not sorted again. Otherwise two conversions between rows
    and columns sort them, each a stable counting sort, linear in the entries.
    """
    check_duplicates(duplicates)
    if _are_sorted(users, items):
        indptr = row_starts(np.bincount(users, minlength=shape[0]))
        rows: Rows = (indptr, items, values)
    else:
        entries = sparse.coo_array((values, (users, items)), shape=shape)
        entries.has_canonical_format = True  # equal entries are merged below, not added up
        by_user = entries.tocsc().tocsr()
        rows = (
            by_user.indptr.astype(np.int64),
            by_user.indices.astype(np.int32, copy=False),
            by_user.data,
        )
    fresh = starts_of_runs(rows[0], rows[1])
    if fresh.all():
        return rows
    if duplicates == "error":
        _fail(rows, fresh, users, items)
    return _merged(rows, fresh, duplicates)


def _are_sorted(users: NDArray[np.int32], items: NDArray[np.int32]) -> bool:
    if not (users[1:] >= users[:-1]).all():
        return False
    return bool(((users[1:] > users[:-1]) | (items[1:] >= items[:-1])).all())


def _fail(
    rows: Rows, fresh: NDArray[np.bool_], users: NDArray[np.int32], items: NDArray[np.int32]
) -> None:
    """Raise RepeatedRatingError for the first pair that is rated twice."""
    at = int(np.argmin(fresh))
    user = int(np.searchsorted(rows[0], at, side="right")) - 1
    item = int(rows[1][at])
    first, second = (int(place) for place in np.flatnonzero((users == user) & (items == item))[:2])
    text = f"user {user} rates item {item} in the entries {first} and {second}"
    raise RepeatedRatingError(text, (first, second))


def _merged(rows: Rows, fresh: NDArray[np.bool_], duplicates: Duplicates) -> Rows:
    """Return rows in which each run of equal items has one rating: the last one, or the mean."""
    indptr, items, values = rows
    starts = np.flatnonzero(fresh)
    ends = np.append(starts[1:], items.size)
    if duplicates == "last":
        merged = values[ends - 1]
    else:
        sums = np.add.reduceat(values.astype(np.float64), starts)
        merged = (sums / (ends - starts)).astype(np.float32)
    kept = row_starts(fresh)
    return kept[indptr], items[starts], merged


def both_sides(
    indptr: NDArray[np.int64], items: NDArray[np.int32], shape: tuple[int, int]
) -> Arrays:
    """Return the lists of the users, as given, then those of the items, with weights of 1."""
    m = items.size
    by_item = sparse.csr_array((np.ones(m, np.int8), items, indptr), shape=shape).tocsc()
    indices = np.empty(2 * m, np.int32)
    np.add(items, shape[0], out=indices[:m], casting="unsafe")
    indices[m:] = by_item.indices
    starts = np.concatenate((indptr, by_item.indptr[1:].astype(np.int64) + m))
    return starts, indices, np.ones(2 * m, np.float32)
