"""The sweeps of every schedule: the loops on the host, written once for both devices.

Kernels: ``kernels/sgd_offline.cu``, ``kernels/sgd_online.cu``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.families.sgd import offline
from gpucore.families.sgd.batches import node_locked_in_batches
from gpucore.families.sgd.fast import in_stripes, lanes_of
from gpucore.families.sgd.locks import Locks, check_progress
from gpucore.families.sgd.offline import Entries
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.work import Pass, Work

#: Does sweep number `t`.
Sweep = Callable[[int], None]


def _in_item_order(work: Work) -> NDArray[np.int32]:
    return np.arange(work.num_ratings, dtype=np.int32)


def _shuffled(work: Work) -> NDArray[np.int32]:
    rng = np.random.default_rng(work.params.order_seed)
    return rng.permutation(work.num_ratings).astype(np.int32)


def edge_locked(work: Work, order: NDArray[np.int32]) -> Sweep:
    """EL: ratings in a given order, deferred ones in the next pass (section IV-A)."""
    locks, todo = Locks(work), work.device.asarray(order)
    return lambda sweep: locks.edge_locked(sweep, todo, len(order))


def node_locked(work: Work, *, once: bool = False) -> Sweep:
    """NL: a worker for each item of a block, until the block is done (section IV-B).

    With `once`, there is one pass over each block, then EL for what is left (section V-B).
    """
    locks, xp = Locks(work), work.device.xp
    items = work.device.asarray(np.arange(work.entries.num_items, dtype=np.int32))

    def sweep(number: int) -> None:
        marks = xp.zeros(work.num_ratings, np.uint8)
        for first in range(0, len(items), work.items_at_a_time):
            left = locks.node_locked(number, items, first, marks)
            while left and not once:
                before, left = left, locks.node_locked(number, items, first, marks)
                check_progress(number, before, left)
        if once:
            rest = xp.flatnonzero(marks == 0).astype(np.int32)
            locks.edge_locked(number, rest, len(rest))

    return sweep


def free(work: Work) -> Sweep:
    """Hogwild: ratings in random order, no locks."""
    order = work.device.asarray(_shuffled(work))

    def sweep(number: int) -> None:
        work.launch("sgd_online", "sgd_free", number, [order, len(order), work.workers])
        work.passes.append(Pass(number, "pass", 0))

    return sweep


def _in_one_launch(
    work: Work, kernel: str, name: str, arrays: tuple[Any, ...], count: int, steps: Any
) -> Sweep:
    """Process `count` groups of ratings in one launch, a barrier after the steps of each."""
    put = [work.device.asarray(a) for a in arrays]
    barriers = np.cumsum(work.device.to_host(steps)).tolist()
    barrier = work.device.xp.zeros(2, np.uint32)

    def sweep(number: int) -> None:
        args = [*put, 0, count, work.workers, barrier]
        work.launch("sgd_offline", kernel, number, args, cooperative=True)
        work.passes.append(Pass(number, name, 0, barriers))

    return sweep


def in_sets(work: Work, sets: offline.Sets) -> Sweep:
    """AGM-E and Diag: the workers process a set, then the next one."""
    steps = -(-(sets.starts[1:] - sets.starts[:-1]) // work.workers)
    return _in_one_launch(
        work, "sgd_matchings", "sets", (sets.order, sets.starts), len(sets), steps
    )


def in_blocks(work: Work, matching: NDArray[np.int32] | None) -> Sweep:
    """AGM-N and SGM: blocks of items, whose vectors are in shared memory."""
    entries, seed = work.entries, work.params.order_seed
    return _of_blocks(work, offline.blocks(entries, work.workers, matching, work.device, seed))


def _of_blocks(work: Work, found: Any) -> Sweep:
    put = work.device.asarray
    blocks = [
        ([put(b.columns), put(b.order), put(b.sets), put(b.starts)], b.num_sets) for b in found
    ]
    barrier = work.device.xp.zeros(2, np.uint32)

    def sweep(number: int) -> None:
        for arrays, num_sets in blocks:
            work.launch(
                "sgd_offline",
                "sgd_columns",
                number,
                [*arrays, num_sets, work.workers, barrier],
                cooperative=True,
                shared=True,
            )
            work.passes.append(Pass(number, "block", 0, range(1, num_sets + 1)))

    return sweep


def _there(work: Work) -> Entries:
    """Return the ratings on the device, where diagonals are found."""
    return replace(work.entries, users=work.users, items=work.items)


def in_tiles(work: Work) -> Sweep:
    """BlkDiag: a worker for each tile of a diagonal."""
    params, host = work.params, work.device.to_host
    tiles = offline.tiles(_there(work), params.tile_items, params.tile_users, work.device.xp)
    arrays = (tiles.order, tiles.starts, tiles.diagonals)
    steps = offline.longest(np.diff(host(tiles.starts)), host(tiles.diagonals), work.workers)
    return _in_one_launch(work, "sgd_tiles", "tiles", arrays, len(tiles.diagonals) - 1, steps)


def edge_locked_head(work: Work) -> Sweep:
    """EL for the items of the highest degrees, then SGM for the rest (section V-B)."""
    entries = work.entries
    by_degree = np.argsort(-entries.degrees(), kind="stable")
    head = np.zeros(entries.num_items, bool)
    head[by_degree[: round(work.params.head * entries.num_items)]] = True
    rng = np.random.default_rng(work.params.order_seed)
    locked = np.flatnonzero(head[entries.items]).astype(np.int32)
    todo = work.device.asarray(rng.permutation(locked))
    rest = np.flatnonzero(~head[entries.items]).astype(np.int32)
    part = Entries(entries.users[rest], entries.items[rest], entries.num_users, entries.num_items)
    found = offline.blocks(part, work.workers, None, work.device, work.params.order_seed)
    in_rest = _of_blocks(work, (_renumbered(block, rest) for block in found if len(block.order)))
    locks = Locks(work)

    def sweep(number: int) -> None:
        locks.edge_locked(number, todo, len(todo))
        in_rest(number)

    return sweep


def _renumbered(block: offline.Block, numbers: NDArray[np.int32]) -> offline.Block:
    """Return a block of some of the ratings with their numbers among all."""
    return offline.Block(
        block.columns, numbers[block.order], block.sets, block.starts, block.num_sets
    )


def matchings(work: Work) -> NDArray[np.int32]:
    """Return the maximal matching of each rating."""
    return offline.maximal_matchings(work.entries, work.device, work.params.order_seed)


@dataclass(frozen=True)
class Schedule:
    """One variant.

    Attributes
    ----------
    prepare : callable
        ``prepare(work)`` does the preprocessing and returns what does a sweep.
    lanes : callable
        ``lanes(params)`` returns the neighbouring lanes that process a rating together: a row of
        the schedule's picture.
    rating_bytes : int
        Bytes on the device for each training rating, preprocessing included: the rating, orders,
        marks, lists of those left; of "fast" mostly the sorts.
    """

    prepare: Callable[[Work], Sweep]
    lanes: Callable[[SgdParams], int] = lambda params: min(32, params.padded // 2)
    rating_bytes: int = 33


SCHEDULES: dict[str, Schedule] = {
    "el": Schedule(lambda work: edge_locked(work, _in_item_order(work))),
    "el_shuffled": Schedule(lambda work: edge_locked(work, _shuffled(work))),
    "nl": Schedule(node_locked),
    # A lane chooses a rating, and the warp processes those of its lanes one after the other.
    "nl_batched": Schedule(node_locked_in_batches, lanes=lambda params: 1),
    "nl_el": Schedule(partial(node_locked, once=True)),
    "el_sgm": Schedule(edge_locked_head),
    "agm_e": Schedule(lambda work: in_sets(work, offline.sets_of(matchings(work)))),
    "agm_n": Schedule(lambda work: in_blocks(work, matchings(work))),
    "sgm": Schedule(lambda work: in_blocks(work, None)),
    "diag": Schedule(lambda work: in_sets(work, offline.diagonals(_there(work), work.device.xp))),
    "blkdiag": Schedule(in_tiles),
    "hogwild": Schedule(free),
    "fast": Schedule(in_stripes, lanes=lanes_of, rating_bytes=230),
}
