"""The schedule of "fast": stripes of users and items, tiles, workers and rounds.

Sources: Gemulla, Nijkamp, Haas, Sismanis, "Large-scale matrix factorization with distributed
stochastic gradient descent", KDD 2011; kernels: ``kernels/sgd_stripes.cu``, ``sgd_deal.cu``. All
arrays are computed on the device of the run; both devices give the same schedule.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.sgd.offline import Entries

#: Vertices of each stripe that are placed one by one, those of the highest degrees first.
PLACED_ONE_BY_ONE = 64
#: Items of a stripe, at most: a rating's word has 15 bits for the row.
MOST_ROWS = 1 << 15
#: Ratings of a user in a tile that stay together: so many quarters of a worker's share, and so many
#: at least.
LONGEST_PART, SHORTEST_PART = 5, 4
_THREADS = 256


@dataclass(frozen=True)
class Stripes:
    """The schedule of a sweep.

    Attributes
    ----------
    entries : array of int32, shape (n, 4)
        Ratings tile after tile, in a tile worker after worker: the user, the word that the kernel
        describes, the bits of the value, and the number of the rating.
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
    splits : array of int32, shape (tiles + 1,)
        Where the split users of each tile begin in the next two arrays.
    split_users, split_parts : array of int32, shape (split users,)
        The user, and the number of parts.
    blocks, turns, groups, workers : int
        Blocks; stripes of users; stripes of items of a block; workers of a block.
    most_rows, most_splits, most_ratings : int
        The most items of a stripe; the most split users and the most ratings of a tile.
    """

    entries: Any
    starts: Any
    rounds: Any
    steps: Any
    columns: Any
    begins: Any
    splits: Any
    split_users: Any
    split_parts: Any
    blocks: int
    turns: int
    groups: int
    workers: int
    most_rows: int
    most_splits: int
    most_ratings: int


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
    entries: Entries,
    values: Any,
    device: Device,
    *,
    blocks: int,
    turns: int,
    workers: int,
    most_rows: int,
    seed: int,
) -> Stripes:
    """Make the schedule of a sweep.

    Parameters
    ----------
    entries : Entries
        The training ratings, in the order of the items.
    values : array of float32, shape (n,)
        Their values, on the device.
    device : Device
        Where the schedule is computed.
    blocks : int
        Blocks, which have a stripe of items at a time.
    turns : int
        Stripes of users, at least as many: a block has that of the next one after a turn.
    workers : int
        Workers of a block, at most 128.
    most_rows : int
        Items whose vectors fit into the shared memory of a block.
    seed : int
        Seed of the order of a user's ratings.

    Raises
    ------
    ParameterError
        The numbers of users and tiles are too large for one sort.
    """
    xp = device.xp
    groups, stripe_of_item = _stripes_of_items(entries.degrees(), blocks, min(most_rows, MOST_ROWS))
    stripes = groups * blocks
    columns = np.argsort(stripe_of_item, kind="stable").astype(np.int32)
    sizes = np.bincount(stripe_of_item, minlength=stripes)
    begins = np.zeros(stripes + 1, np.int32)
    np.cumsum(sizes, out=begins[1:])
    row = np.empty(entries.num_items, np.int64)
    row[columns] = np.arange(entries.num_items) - np.repeat(begins[:-1], sizes)
    of_users = balanced(np.bincount(entries.users, minlength=entries.num_users), turns)

    # One type for all: a GPU compiles every operation once for each pair of types.
    users, items = (xp.asarray(a).astype(np.int64) for a in (entries.users, entries.items))
    stripe = xp.asarray(stripe_of_item.astype(np.int64))[items]
    turn = (xp.asarray(of_users.astype(np.int64))[users] - stripe % blocks) % turns
    tiles = _Tiles(stripe * turns + turn, stripes * turns, workers, device)
    runs = tiles.runs(users, entries.num_users, seed)
    parts = tiles.split(runs)
    dealt = tiles.deal(runs, parts)
    rounds = dealt.counts.reshape(-1, workers).max(axis=1)
    longest = rounds.reshape(groups, blocks, turns).max(axis=1).ravel()
    rows = xp.asarray(row)[items][dealt.order]
    words = rows | dealt.first << 15 | tiles.sharing(rows, dealt) << 16 | dealt.slot << 24
    starts = xp.zeros(len(dealt.counts) + 1, np.int32)
    starts[1:] = xp.cumsum(dealt.counts)
    packed = xp.empty((len(words), 4), np.int32)
    packed[:, 0], packed[:, 1], packed[:, 3] = users[dealt.order], words, dealt.order
    packed[:, 2] = values.view(np.int32)[dealt.order]
    of_tile = dealt.counts.reshape(-1, workers).sum(axis=1)
    return Stripes(
        packed,
        starts,
        rounds.astype(np.int32),
        (xp.cumsum(longest) - longest).astype(np.int32),
        xp.asarray(columns),
        xp.asarray(begins),
        parts.splits.astype(np.int32),
        users[runs.order[runs.starts[parts.split_runs]]].astype(np.int32),
        parts.count[parts.split_runs].astype(np.int32),
        blocks,
        turns,
        groups,
        workers,
        int(sizes.max(initial=0)),
        int(xp.diff(parts.splits).max()),
        int(of_tile.max()),
    )


def _stripes_of_items(
    degrees: NDArray[np.integer], blocks: int, most_rows: int
) -> tuple[int, NDArray[np.int32]]:
    """Return how many stripes each block has, and the stripe of each item."""
    groups = max(1, -(-len(degrees) // (blocks * most_rows)))
    while True:
        stripe = balanced(degrees, groups * blocks)
        if np.bincount(stripe).max(initial=0) <= most_rows:
            return groups, stripe
        groups += 1


@dataclass(frozen=True)
class _Runs:
    """The ratings by tile and user: their order, their tiles, where each user's begin."""

    order: Any
    tile: Any
    starts: Any


@dataclass(frozen=True)
class _Parts:
    """The runs in parts: where each begins, its run, the place of its user among the split ones.

    The place is counted from 1; 0 stands for a user that is not split. `count` is the number of
    parts of each run, `split_runs` are the runs of several parts, and `splits` says where those of
    each tile begin.
    """

    starts: Any
    slot: Any
    count: Any
    split_runs: Any
    splits: Any


@dataclass(frozen=True)
class _Dealt:
    """The ratings by tile and worker.

    `first` says which begin a part, `slot` is that of the part, and `counts` has the number of
    ratings of each worker of each tile.
    """

    order: Any
    first: Any
    slot: Any
    counts: Any


class _Tiles:
    """The ratings of the tiles, which are put in order step by step."""

    def __init__(self, tile: Any, count: int, workers: int, device: Device) -> None:
        self.tile, self.count, self.workers, self.device = tile, count, workers, device
        self.xp = device.xp

    def runs(self, users: Any, num_users: int, seed: int) -> _Runs:
        """Put the ratings of a user in a tile together, in random order."""
        xp = self.xp
        user_bits, tile_bits = num_users.bit_length(), self.count.bit_length()
        random_bits = min(16, 63 - user_bits - tile_bits)
        if random_bits < 1:
            raise ParameterError(f"{num_users:,} users, {self.count:,} tiles; use fewer stripes")
        group = self.tile << user_bits | users
        number = xp.arange(len(users), dtype=np.int64)
        mixed = (number + 1 + (seed & 0xFFFF_FFFF)) * 0x9E3779B1 & 0xFFFF_FFFF
        order = _order(group << random_bits | mixed >> (32 - random_bits), xp)
        group = group[order]
        return _Runs(order, group >> user_bits, xp.flatnonzero(_changes(group, xp)))

    def split(self, runs: _Runs) -> _Parts:
        """Cut the runs that are much longer than a worker's share of the tile."""
        xp, n = self.xp, len(runs.order)
        lengths = xp.diff(xp.append(runs.starts, xp.asarray([n])))
        tile = runs.tile[runs.starts]
        quarters = 4 * self.workers
        longest = xp.bincount(runs.tile, minlength=self.count) * LONGEST_PART
        most = xp.maximum((longest + (quarters - 1)) // quarters, SHORTEST_PART)[tile]
        count = (lengths + most - 1) // most
        first = xp.cumsum(count) - count
        run = _owners(first, int(count.sum()), xp)
        number = xp.arange(len(run)) - first[run]
        starts = runs.starts[run] + lengths[run] * number // count[run]
        split_runs = xp.flatnonzero(count > 1)
        splits = xp.searchsorted(tile[split_runs], xp.arange(self.count + 1))
        slot = xp.zeros(len(count), np.int64)
        slot[split_runs] = xp.arange(len(split_runs)) - splits[tile[split_runs]] + 1
        return _Parts(starts, slot[run], count, split_runs, splits)

    def deal(self, runs: _Runs, parts: _Parts) -> _Dealt:
        """Distribute the parts of every tile over its workers."""
        xp, n = self.xp, len(runs.order)
        lengths = xp.diff(xp.append(parts.starts, xp.asarray([n])))
        tile = runs.tile[parts.starts]
        by_length = _order((tile << 32) - lengths, xp)
        worker = xp.zeros(len(lengths), np.int32)
        begins = xp.searchsorted(tile, xp.arange(self.count + 1))
        self.device.kernel("sgd_deal", "sgd_deal")(
            max(1, min(1024, -(-self.count * 32 // _THREADS))),
            _THREADS,
            [lengths[by_length].astype(np.int32), begins, self.count, self.workers, worker],
        )
        place = tile * self.workers + worker.astype(np.int64)
        by_place = _order(place, xp)
        part, place = by_length[by_place], place[by_place]
        lengths = lengths[part]
        counts = xp.bincount(place, weights=lengths, minlength=self.count * self.workers)
        before = xp.cumsum(lengths) - lengths
        which = _owners(before, n, xp)
        inside = xp.arange(n) - before[which]
        order = runs.order[parts.starts[part][which] + inside]
        first = (inside == 0).astype(np.int64)
        return _Dealt(order, first, parts.slot[part][which], counts.astype(np.int64))

    def sharing(self, rows: Any, dealt: _Dealt) -> Any:
        """Return for each rating how many of its tile's round have its item, itself included."""
        xp, n = self.xp, len(rows)
        starts = xp.cumsum(dealt.counts) - dealt.counts
        place = _owners(starts, n, xp)
        turn = xp.arange(n) - starts[place]
        row_bits = int(rows.max()).bit_length()
        turn_bits = int(turn.max()).bit_length()
        key = (place // self.workers << turn_bits | turn) << row_bits | rows
        order = _order(key, xp)
        group = xp.cumsum(_changes(key[order], xp)) - 1
        found = xp.empty(n, np.int64)
        found[order] = xp.bincount(group)[group]
        return found


def _order(keys: Any, xp: Any) -> Any:
    return xp.argsort(keys, kind="stable")


def _changes(keys: Any, xp: Any) -> Any:
    """Return which elements of a sorted array begin a group of equal ones."""
    new = xp.ones(len(keys), bool)
    new[1:] = keys[1:] != keys[:-1]
    return new


def _owners(starts: Any, n: int, xp: Any) -> Any:
    """Return for each of n places the group it belongs to, given where the groups begin."""
    return xp.searchsorted(starts, xp.arange(n), side="right") - 1
