"""What the cost of a schedule depends on in a matrix of ratings, counted once a matrix.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, sections III to V. The paper has the degree of the busiest vertex,
which bounds every schedule; the numbers of each schedule are our refinement.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import ParameterError
from gpucore.families.sgd.conflicts import Conflicts, in_a_row, shuffled, side_by_side

if TYPE_CHECKING:
    from gpucore.problems.ratings.ratings import Ratings

Degrees = NDArray[np.int64]

#: Atomics of an update by our kernels, which lock and unlock both ends, or one. (The paper: at
#: least two and one.) Failed tries are made while another worker updates, so they cost no time of
#: their own.
EDGE_ATOMICS, NODE_ATOMICS = 4, 2


@dataclass(frozen=True)
class Load:
    """What a sweep of a schedule does, one thing after the other.

    Attributes
    ----------
    updates, locks, scans : float
        Updates, tries of a lock, and looks at a mark of the worker that ends last.
    barriers, launches : float
        Barriers inside a kernel, and launches of kernels.
    atomics : float
        Atomic operations of all workers together.
    """

    updates: float
    locks: float = 0.0
    scans: float = 0.0
    barriers: float = 0.0
    launches: float = 1.0
    atomics: float = 0.0


@dataclass(frozen=True)
class Structure:
    """A matrix of ratings, as the cost model sees it.

    Attributes
    ----------
    num_users, num_items, num_ratings : int
        The paper's |U|, |M| and |E|.
    workers : int
        Workers that run at a time; the paper's threads.
    degree : int
        The paper's d: the largest number of ratings of a user or an item.
    fraction : float
        The paper's f, estimated for shuffled ratings: the reciprocal of the passes until the last
        rating of the busiest vertex is done.
    deferred : float
        Tries that find a lock taken, for each rating of a sweep of "el_shuffled"; an estimate.
    loads : dict
        What a sweep of each schedule does.
    """

    num_users: int
    num_items: int
    num_ratings: int
    workers: int
    degree: int
    fraction: float
    deferred: float
    loads: Mapping[str, Load]

    @classmethod
    def of(
        cls,
        ratings: Ratings,
        workers: int,
        *,
        tile_items: int = 32,
        tile_users: int = 32,
        head: float = 0.1,
        items_at_a_time: int = 0,
    ) -> Structure:
        """Count what the model needs; O(n log n) for n ratings.

        Parameters
        ----------
        ratings : Ratings
        workers : int
            Workers that run at a time.
        tile_items, tile_users : int
            Items and users of a tile of "blkdiag".
        head : float
            Share of the items that "el_sgm" processes edge-locked.
        items_at_a_time : int
            Items of a block of "nl"; 0: as many as there are workers.

        Raises
        ------
        ParameterError
            There is no worker.

        Examples
        --------
        >>> from gpucore.problems.ratings.load import load_ratings
        >>> sample = Structure.of(load_ratings("sample_ratings"), workers=2)
        >>> sample.degree, sample.loads["diag"].barriers
        (5, 8)
        """
        if workers < 1:
            raise ParameterError(f"workers is {workers}; use at least 1")
        starts, users, _ = ratings.by_item()
        of_items = np.diff(starts)
        of_users = np.bincount(users, minlength=ratings.num_users)
        items = np.repeat(np.arange(len(of_items)), of_items)
        matrix = _Matrix(users, items, of_users, of_items, workers)
        el = shuffled(of_users, of_items, workers)
        return cls(
            ratings.num_users,
            ratings.num_items,
            ratings.num_ratings,
            workers,
            matrix.degree,
            1.0 / el.passes,
            el.deferred / ratings.num_ratings,
            {
                "el_shuffled": matrix.edge_locked(el),
                "el": matrix.edge_locked(in_a_row(of_users, of_items, workers)),
                **matrix.node_locked(el, items_at_a_time or workers),
                "el_sgm": matrix.head_locked(head),
                "agm_e": matrix.matchings(),
                "agm_n": matrix.columns(sorted_first=False),
                "sgm": matrix.columns(sorted_first=True),
                "diag": matrix.diagonals(),
                "blkdiag": matrix.tiles(tile_items, tile_users),
            },
        )


@dataclass(frozen=True)
class _Matrix:
    """Ratings in the order of the items, and the loads of the schedules."""

    users: NDArray[np.int32]
    items: NDArray[np.integer]
    of_users: Degrees
    of_items: Degrees
    workers: int

    @property
    def degree(self) -> int:
        return int(max(self.of_users.max(), self.of_items.max()))

    @property
    def count(self) -> int:
        return len(self.users)

    def edge_locked(self, found: Conflicts) -> Load:
        """EL: the busiest vertex one update at a time; a lock a turn, and a launch a pass."""
        path = max(self.degree, self.count / self.workers)
        return Load(
            updates=path,
            locks=max(path, found.turns),
            launches=found.passes,
            atomics=EDGE_ATOMICS * self.count,
        )

    def node_locked(self, el: Conflicts, items_at_a_time: int) -> dict[str, Load]:
        """NL, and NL for the first pass and then EL: a block ends with its busiest item."""
        firsts = np.arange(0, len(self.of_items), items_at_a_time)
        serial = float(np.maximum.reduceat(self.of_items, firsts).sum())
        blocks = len(firsts)
        share = side_by_side(self.of_users, self.count / serial)
        passes = 1.0
        if share > 0:
            passes += math.ceil(math.log(max(2.0 * self.count / blocks, 1.0)) / -math.log(share))
        retried = 1.0 / (1.0 - share)
        first = Load(
            updates=serial,
            locks=serial,
            launches=blocks,
            atomics=NODE_ATOMICS * self.count,
        )
        alone = Load(
            updates=serial,
            locks=serial * retried,
            scans=serial * (passes - 1),
            launches=blocks * passes,
            atomics=NODE_ATOMICS * self.count,
        )
        rest = self.edge_locked(el)
        both = Load(
            updates=first.updates + share * rest.updates,
            locks=first.locks + share * rest.locks,
            launches=first.launches + (rest.launches if share * self.count >= 1 else 0.0),
            atomics=first.atomics + share * rest.atomics,
        )
        return {"nl": alone, "nl_el": both}

    def head_locked(self, head: float) -> Load:
        """EL for the items of the highest degrees, then SGM for the rest."""
        chosen = np.zeros(len(self.of_items), bool)
        by_degree = np.argsort(-self.of_items, kind="stable")
        chosen[by_degree[: round(head * len(chosen))]] = True
        first, rest = (self._part(mask) for mask in (chosen[self.items], ~chosen[self.items]))
        locked = first.edge_locked(shuffled(first.of_users, first.of_items, self.workers))
        blocks = rest.columns(sorted_first=True)
        blocks_used = -(-int(np.count_nonzero(rest.of_items)) // self.workers)
        return Load(
            updates=locked.updates + blocks.updates,
            locks=locked.locks,
            barriers=blocks.barriers,
            launches=locked.launches + blocks_used,
            atomics=locked.atomics,
        )

    def _part(self, mask: NDArray[np.bool_]) -> _Matrix:
        users, items = self.users[mask], self.items[mask]
        of_users = np.bincount(users, minlength=len(self.of_users))
        of_items = np.bincount(items, minlength=len(self.of_items))
        return _Matrix(users, items, of_users, of_items, self.workers)

    def matchings(self) -> Load:
        """AGM-E: at least as many matchings as the largest degree, each in whole steps."""
        return Load(updates=self.degree + self.count // self.workers, barriers=self.degree)

    def columns(self, *, sorted_first: bool) -> Load:
        """AGM-N and SGM: blocks of as many items as workers, a barrier after each matching."""
        place = np.arange(len(self.of_items))
        if sorted_first:
            place[np.argsort(-self.of_items, kind="stable")] = np.arange(len(self.of_items))
        block = place[self.items] // self.workers
        blocks = -(-len(self.of_items) // self.workers)
        of_users = self.of_users[self.users]
        if sorted_first:
            _, which, counts = np.unique(
                block * len(self.of_users) + self.users, return_inverse=True, return_counts=True
            )
            of_users = counts[which]
        sets = np.zeros(blocks, np.int64)
        np.maximum.at(sets, block, np.maximum(of_users, self.of_items[self.items]))
        return Load(updates=int(sets.sum()), barriers=int(sets.sum()), launches=blocks)

    def diagonals(self) -> Load:
        """Diag: a barrier a diagonal that has ratings, each of them in whole steps."""
        sizes = np.bincount(self.users - self.items + len(self.of_items) - 1)
        return Load(
            updates=int((-(-sizes // self.workers)).sum()),
            barriers=int(np.count_nonzero(sizes)),
        )

    def tiles(self, tile_items: int, tile_users: int) -> Load:
        """BlkDiag: a barrier a diagonal that has tiles with ratings; a worker's tile is serial."""
        columns = -(-len(self.of_items) // tile_items)
        rows = -(-len(self.of_users) // tile_users)
        column, row = self.items // tile_items, self.users // tile_users
        tile, sizes = np.unique(
            (row - column + columns - 1).astype(np.int64) * columns + column, return_counts=True
        )
        longest = np.zeros(rows + columns - 1, np.int64)
        np.maximum.at(longest, tile // columns, sizes)
        total = np.bincount(tile // columns, weights=sizes, minlength=len(longest))
        return Load(
            updates=float(np.maximum(longest, total / self.workers).sum()),
            barriers=int(np.count_nonzero(longest)),
        )
