"""The schedule of "fast": stripes of users and items, tiles, workers and rounds.

Sources: Gemulla, Nijkamp, Haas, Sismanis, "Large-scale matrix factorization with distributed
stochastic gradient descent", KDD 2011; kernel: ``kernels/sgd_stripes.cu``. All arrays are computed
on the device of the run; both devices give the same schedule.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.families.sgd.offline import Entries

#: Vertices of each stripe that are placed one by one, those of the highest degrees first.
PLACED_ONE_BY_ONE = 64
#: Items of a stripe; a rating's row is stored in 16 bits.
MOST_ROWS = 1 << 16


@dataclass(frozen=True)
class Stripes:
    """The schedule of a sweep.

    Attributes
    ----------
    users, rows, which : array of int32, shape (n,)
        Ratings tile after tile, in a tile worker after worker: the user, the row of the item in
        its stripe with the number of ratings of the round that have this item from bit 16 on, and
        the number of the rating.
    starts : array of int32, shape (tiles workers + 1,)
        Where the ratings of each worker of each tile begin.
    rounds : array of int32, shape (tiles,)
        The most ratings of a worker of the tile.
    steps : array of int32, shape (groups turns,)
        Rounds before each turn, each of which is as long as its longest tile.
    columns : array of int32, shape (items,)
        Items by stripe.
    begins : array of int32, shape (stripes + 1,)
        Where the items of each stripe begin in `columns`.
    turns, groups, workers : int
        Stripes of users, and blocks; stripes of items of a block; workers of a block.
    most_rows : int
        The most items of a stripe.
    """

    users: Any
    rows: Any
    which: Any
    starts: Any
    rounds: Any
    steps: Any
    columns: Any
    begins: Any
    turns: int
    groups: int
    workers: int
    most_rows: int


def balanced(degrees: NDArray[np.integer], count: int) -> NDArray[np.int32]:
    """Distribute vertices over stripes of about equal degree.

    Parameters
    ----------
    degrees : ndarray of int, shape (n,)
    count : int
        Number of stripes.

    Returns
    -------
    ndarray of int32, shape (n,)
        Stripe of each vertex.

    Examples
    --------
    >>> balanced(np.array([9, 5, 4, 1]), 2).tolist()
    [0, 1, 1, 0]
    """
    order = np.argsort(-degrees, kind="stable")
    stripe = np.empty(len(degrees), np.int32)
    loads = [(0, number) for number in range(count)]
    for vertex in order[: count * PLACED_ONE_BY_ONE].tolist():
        load, lightest = loads[0]
        stripe[vertex] = lightest
        heapq.heapreplace(loads, (load + int(degrees[vertex]), lightest))
    # What is left has low degrees: to and fro, so that no stripe always has the larger ones.
    rest = order[count * PLACED_ONE_BY_ONE :]
    place = np.arange(len(rest)) % (2 * count)
    stripe[rest] = np.minimum(place, 2 * count - 1 - place)
    return stripe


def schedule(
    entries: Entries, xp: Any, *, turns: int, workers: int, most_rows: int, seed: int
) -> Stripes:
    """Make the schedule of a sweep.

    Parameters
    ----------
    entries : Entries
        The training ratings, in the order of the items.
    xp : module
        NumPy or CuPy: where the schedule is computed.
    turns : int
        Stripes of users, as many as blocks.
    workers : int
        Workers of a block.
    most_rows : int
        Items whose vectors fit into the shared memory of a block.
    seed : int
        Seed of the order of a user's ratings.

    Raises
    ------
    ParameterError
        The numbers of users and tiles are too large for one sort.
    """
    degrees = entries.degrees()
    groups, stripe_of_item = _stripes_of_items(degrees, turns, min(most_rows, MOST_ROWS))
    stripes = groups * turns
    columns = np.argsort(stripe_of_item, kind="stable").astype(np.int32)
    sizes = np.bincount(stripe_of_item, minlength=stripes)
    begins = np.zeros(stripes + 1, np.int32)
    np.cumsum(sizes, out=begins[1:])
    row = np.empty(entries.num_items, np.int32)
    row[columns] = np.arange(entries.num_items) - np.repeat(begins[:-1], sizes)
    of_users = balanced(np.bincount(entries.users, minlength=entries.num_users), turns)

    users, items = xp.asarray(entries.users), xp.asarray(entries.items)
    stripe = xp.asarray(stripe_of_item)[items]
    turn = (xp.asarray(of_users)[users] - stripe) % turns
    tile = stripe.astype(np.int64) * turns + turn
    order, tile, run_starts = _runs(tile, users, entries.num_users, stripes * turns, xp, seed)
    order, counts = _dealt(order, tile, run_starts, workers, stripes * turns, xp)
    starts = xp.zeros(len(counts) + 1, np.int32)
    starts[1:] = xp.cumsum(counts)
    rounds = counts.reshape(-1, workers).max(axis=1).astype(np.int32)
    longest = rounds.reshape(groups, turns, turns).max(axis=1).ravel()
    steps = xp.cumsum(longest) - longest
    rows = xp.asarray(row)[items][order]
    rows = rows | _sharing(rows, counts, workers, xp) << 16
    return Stripes(
        users[order],
        rows.astype(np.int32),
        order.astype(np.int32),
        starts,
        rounds,
        steps.astype(np.int32),
        xp.asarray(columns),
        xp.asarray(begins),
        turns,
        groups,
        workers,
        int(sizes.max(initial=0)),
    )


def _stripes_of_items(
    degrees: NDArray[np.integer], turns: int, most_rows: int
) -> tuple[int, NDArray[np.int32]]:
    """Return how many stripes each block has, and the stripe of each item."""
    groups = max(1, -(-len(degrees) // (turns * most_rows)))
    while True:
        stripe = balanced(degrees, groups * turns)
        if np.bincount(stripe).max(initial=0) <= most_rows:
            return groups, stripe
        groups += 1


def _runs(
    tile: Any, users: Any, num_users: int, tiles: int, xp: Any, seed: int
) -> tuple[Any, Any, Any]:
    """Return the ratings by tile and user, their tiles, and where each user of a tile begins."""
    user_bits, tile_bits = num_users.bit_length(), tiles.bit_length()
    random_bits = min(16, 63 - user_bits - tile_bits)
    if random_bits < 1:
        raise ParameterError(f"{num_users:,} users and {tiles:,} tiles; use fewer stripes")
    group = tile << user_bits | users
    number = xp.arange(len(users), dtype=np.int64)
    mixed = (number + 1 + (seed & 0xFFFF_FFFF)) * 0x9E3779B1 & 0xFFFF_FFFF
    order = xp.argsort(group << random_bits | mixed >> (32 - random_bits), kind="stable")
    group = group[order]
    new = xp.ones(len(group), bool)
    new[1:] = group[1:] != group[:-1]
    return order, group >> user_bits, xp.flatnonzero(new)


def _dealt(
    order: Any, tile: Any, run_starts: Any, workers: int, tiles: int, xp: Any
) -> tuple[Any, Any]:
    """Deal the users of every tile to its workers.

    A tile's users come by falling numbers of ratings, and are cut into as many pieces as there are
    workers, each as long as the longest user at least.

    Returns
    -------
    order : array of int64, shape (n,)
        The ratings by tile and worker.
    counts : array of int64, shape (tiles * workers,)
        Ratings of each worker of each tile.
    """
    n = len(order)
    lengths = xp.diff(xp.append(run_starts, xp.asarray([n])))
    tile_of_run = tile[run_starts]
    by_length = xp.argsort((tile_of_run << 32) - lengths, kind="stable")
    lengths, tile_of_run = lengths[by_length], tile_of_run[by_length]
    before = xp.cumsum(lengths) - lengths
    of_tile = xp.bincount(tile, minlength=tiles)
    tile_starts = xp.cumsum(of_tile) - of_tile
    first = xp.searchsorted(tile_of_run, xp.arange(tiles))
    longest = lengths[xp.minimum(first, len(lengths) - 1)]
    piece = xp.maximum(xp.maximum(longest, -(-of_tile // workers)), 1)
    worker = (before - tile_starts[tile_of_run]) // piece[tile_of_run]
    place = tile_of_run * workers + worker
    counts = xp.bincount(place, weights=lengths, minlength=tiles * workers).astype(np.int64)
    run = _owners(before, n, xp)
    inside = xp.arange(n) - before[run]
    return order[run_starts[by_length][run] + inside], counts


def _owners(starts: Any, n: int, xp: Any) -> Any:
    """Return for each of n places the group it belongs to, given where the groups begin."""
    return xp.searchsorted(starts, xp.arange(n), side="right") - 1


def _sharing(rows: Any, counts: Any, workers: int, xp: Any) -> Any:
    """Return for each rating how many of its tile's round have its item, itself included."""
    n = len(rows)
    starts = xp.cumsum(counts) - counts
    place = _owners(starts, n, xp)
    turn = xp.arange(n) - starts[place]
    row_bits = int(rows.max()).bit_length() + 1
    turn_bits = int(turn.max()).bit_length() + 1
    key = (place // workers << turn_bits | turn) << row_bits | rows
    order = xp.argsort(key, kind="stable")
    key = key[order]
    new = xp.ones(n, bool)
    new[1:] = key[1:] != key[:-1]
    group = xp.cumsum(new) - 1
    sizes = xp.bincount(group)
    found = xp.empty(n, np.int64)
    found[order] = sizes[group]
    return found


__all__ = ["Stripes", "balanced", "schedule"]
