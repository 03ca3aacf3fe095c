"""Offline schedules: sets of ratings that share no user and no item, found before the sweeps.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, section III. Ratings are numbered in the order of the items.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

import gpucore
from gpucore.errors import ParameterError
from gpucore.format import counted
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.rows import row_starts

if TYPE_CHECKING:
    from gpucore.device import Device

Numbers = NDArray[np.int32]
Starts = NDArray[np.int64]

#: Matchings of a schedule; more take too long to find, one after the other.
MOST_MATCHINGS = 20_000


@dataclass(frozen=True)
class Entries:
    """Ratings in the order of the items, without their values.

    Attributes
    ----------
    users, items : ndarray of int32, shape (n,)
    num_users, num_items : int
    """

    users: Numbers
    items: Numbers
    num_users: int
    num_items: int

    def degrees(self) -> NDArray[np.int64]:
        """Return the number of ratings of each item."""
        return np.bincount(self.items, minlength=self.num_items)

    def largest_degree(self) -> int:
        """Return the largest number of ratings of a user or an item."""
        of_users = np.bincount(self.users, minlength=1)
        return int(max(of_users.max(initial=0), self.degrees().max(initial=0)))


@dataclass(frozen=True)
class Sets:
    """Ratings in sets, one after the other.

    Attributes
    ----------
    order : ndarray of int32, shape (n,)
        Numbers of the ratings, set after set; rising in each set.
    starts : ndarray of int64, shape (sets + 1,)
        Where each set begins in `order`.
    """

    order: Numbers
    starts: Starts

    def __len__(self) -> int:
        return len(self.starts) - 1


@dataclass(frozen=True)
class Block:
    """Items that the workers process at the same time, one each.

    Attributes
    ----------
    columns : ndarray of int32, shape (T,)
        Item of each worker; -1 for none.
    order, sets : ndarray of int32, shape (m,)
        Ratings of the items, worker after worker, by rising set; the set of each.
    starts : ndarray of int64, shape (T + 1,)
        Where the ratings of each worker begin.
    num_sets : int
        Number of sets, and of barriers.
    """

    columns: Numbers
    order: Numbers
    sets: Numbers
    starts: Starts
    num_sets: int


@dataclass(frozen=True)
class Tiles:
    """Ratings in the tiles of the diagonals of a blocked matrix.

    Attributes
    ----------
    order : ndarray of int32, shape (n,)
        Ratings, tile after tile; rising in each.
    starts : ndarray of int64, shape (tiles + 1,)
    diagonals : ndarray of int32, shape (diagonals + 1,)
        The first tile of each diagonal.
    """

    order: Numbers
    starts: Starts
    diagonals: Numbers


def maximal_matchings(entries: Entries, device: Device, seed: int) -> Numbers:
    """Partition the ratings into maximal matchings of what is left (algorithm 1).

    Parameters
    ----------
    entries : Entries
    device : Device
        Where the matchings are found, by red/blue matching.
    seed : int
        Seed of the first matching; the next has the next seed.

    Returns
    -------
    ndarray of int32, shape (n,)
        Matching of each rating, from 0.

    Raises
    ------
    ParameterError
        A user or an item has more ratings than there may be matchings.
    """
    most = entries.largest_degree()
    if most > MOST_MATCHINGS:
        raise ParameterError(
            f"a schedule of matchings needs at least {most:,} of them, one for each rating of the "
            "user or item that has most; use an online schedule or a diagonal one"
        )
    found = np.full(len(entries.users), -1, np.int32)
    left = np.arange(len(found), dtype=np.int32)
    shape = (entries.num_users, entries.num_items)
    number = 0
    while len(left):
        users, items = entries.users[left], entries.items[left]
        graph = BipartiteGraph.from_entries(users, items, shape)
        result = gpucore.run(
            "redblue", graph, device=device, certify=False, select="random", seed=seed + number
        )
        mates = result.by_vertex()["mate"]
        matched = mates[users] == items + entries.num_users
        found[left[matched]] = number
        left = left[~matched]
        number += 1
        device.report(f"matching {number}: {counted(len(left), 'rating')} left")
    return found


def sets_of(numbers: Any, xp: ModuleType = np) -> Sets:
    """Group the ratings by their set, given the set of each; no set is empty."""
    return Sets(*_grouped(numbers, xp)[:2])


def _grouped(keys: Any, xp: ModuleType) -> tuple[Any, Any, Any]:
    """Return an order of rising keys, where each key begins in it, and the different keys."""
    order = xp.argsort(keys, kind="stable").astype(np.int32)
    ordered = keys[order]
    begins = xp.ones(len(ordered), bool)
    begins[1:] = ordered[1:] != ordered[:-1]
    first = xp.flatnonzero(begins)
    starts = xp.concatenate((first, xp.full(1, len(ordered), first.dtype))).astype(np.int64)
    return order, starts, ordered[first]


def diagonals(entries: Entries, xp: ModuleType = np) -> Sets:
    """Return the ratings by diagonal, from the upper right one (section III-B1).

    A diagonal without ratings is no set (section V-C). The arrays of `entries` and of the sets
    are of module `xp`.
    """
    return sets_of(entries.users - entries.items + (entries.num_items - 1), xp)


def tiles(entries: Entries, tile_items: int, tile_users: int, xp: ModuleType = np) -> Tiles:
    """Cut the matrix into tiles, and return them by diagonal (section III-B2).

    Tiles and diagonals without ratings are left out. Arrays are of module `xp`.
    """
    column, row = entries.items // tile_items, entries.users // tile_users
    columns = -(-entries.num_items // tile_items)
    # Tiles of a diagonal are numbered one after the other.
    diagonal = row - column + (columns - 1)
    order, starts, found = _grouped(diagonal.astype(np.int64) * columns + column, xp)
    _, edges, _ = _grouped(found // columns, xp)
    return Tiles(order, starts, edges.astype(np.int32))


def longest(sizes: Starts, diagonals: Numbers, workers: int) -> Starts:
    """Return the steps of each diagonal: the ratings of the worker that has most.

    Parameters
    ----------
    sizes : ndarray of int64, shape (tiles,)
        Ratings of each tile. The tiles of a diagonal go to the workers in turn.
    diagonals : ndarray of int32, shape (diagonals + 1,)
        The first tile of each diagonal.
    workers : int
    """
    return np.array(
        [
            np.bincount(np.arange(end - first) % workers, weights=sizes[first:end]).max()
            for first, end in pairwise(diagonals.tolist())
        ],
        np.int64,
    )


def blocks(
    entries: Entries, workers: int, matching: Numbers | None, device: Device, seed: int
) -> Iterator[Block]:
    """Yield blocks of as many items as there are workers.

    Parameters
    ----------
    entries : Entries
    workers : int
        T of the paper.
    matching : ndarray of int32, shape (n,), or None
        Matching of each rating in the whole graph: AGM-N, whose blocks are in the order of the
        items. None: matchings are found in each block: SGM, whose items come by falling degree
        (equal degrees: by number).
    device, seed
        For the matchings of SGM, see :func:`maximal_matchings`.
    """
    items = np.arange(entries.num_items, dtype=np.int32)
    if matching is None:
        items = np.argsort(-entries.degrees(), kind="stable").astype(np.int32)
    starts = row_starts(entries.degrees())
    for begin in range(0, len(items), workers):
        columns = np.full(workers, -1, np.int32)
        chosen = items[begin : begin + workers]
        columns[: len(chosen)] = chosen
        own = [np.arange(starts[i], starts[i + 1], dtype=np.int32) for i in chosen]
        which = np.concatenate(own)
        sets = _matchings_in(entries, which, device, seed) if matching is None else matching[which]
        worker = np.repeat(np.arange(len(chosen)), [len(one) for one in own])
        order = np.lexsort((sets, worker))
        counts = row_starts(np.bincount(worker, minlength=workers))
        count = int(sets.max(initial=-1)) + 1
        yield Block(columns, which[order], sets[order].astype(np.int32), counts, count)


def _matchings_in(entries: Entries, which: Numbers, device: Device, seed: int) -> Numbers:
    """Return the matchings of some ratings alone."""
    part = Entries(entries.users[which], entries.items[which], entries.num_users, entries.num_items)
    return maximal_matchings(part, device, seed)
