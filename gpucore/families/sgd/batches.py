"""The sweep of "nl_batched": passes in which warps own items, then users, then items again.

Kernel: ``kernels/sgd_batched.cu``, which says how it works. The few ratings that are left in the
end are processed edge-locked, since a pass of this kernel needs a sort.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpucore.families.sgd.locks import Locks, check_progress
from gpucore.families.sgd.work import Pass, Work

#: Vertices that a warp locks at a time: its lanes.
BATCH = 32
#: The rest, one rating in so many, is processed edge-locked.
REST = 200


@dataclass(frozen=True)
class Groups:
    """Ratings by the vertex that a warp owns, by falling number.

    Attributes
    ----------
    vertices : array of int32, shape (groups,)
    begins, ends : array of int32, shape (groups,)
        Where the ratings of each begin and end in `ratings`.
    ratings : array of int32, shape (n,)
        Numbers of the ratings.
    """

    vertices: Any
    begins: Any
    ends: Any
    ratings: Any

    @classmethod
    def of(cls, ratings: Any, keys: Any, xp: Any) -> Groups:
        """Group ratings by the vertex that each has as its key."""
        order = xp.argsort(keys, kind="stable")
        keys = keys[order]
        new = xp.ones(len(keys), bool)
        new[1:] = keys[1:] != keys[:-1]
        begins = xp.flatnonzero(new)
        ends = xp.append(begins[1:], xp.asarray([len(keys)]))
        by_size = xp.argsort(begins - ends, kind="stable")
        begins, ends = begins[by_size].astype(np.int32), ends[by_size].astype(np.int32)
        return cls(keys[begins], begins, ends, ratings[order])


class Passes:
    """The passes of a sweep.

    The warps that run at the same time are the paper's T; they stay until no group is left.

    Parameters
    ----------
    work : Work
    """

    def __init__(self, work: Work) -> None:
        self.work, xp = work, work.device.xp
        every = xp.arange(work.num_ratings, dtype=np.int32)
        self.first = Groups.of(every, work.items, xp)
        self.locks = Locks(work)
        self.left = xp.empty(work.num_ratings, np.int32)
        self.counts = xp.zeros(2, np.int32)
        self.shared = BATCH * work.params.padded * 4
        self.warps = work.params.threads or work.warps_for(self.shared)

    def sweep(self, number: int) -> None:
        """Process every rating once."""
        work, groups, by_items = self.work, self.first, True
        before = work.num_ratings
        while True:
            left = self._run(number, groups, by_items)
            if not left:
                return
            check_progress(number, before, left)
            before, by_items = left, not by_items
            deferred = self.left[:left].copy()
            if left * REST < work.num_ratings:
                self.locks.edge_locked(number, deferred, left)
                return
            keys = (work.items if by_items else work.users)[deferred]
            groups = Groups.of(deferred, keys, work.device.xp)

    def _run(self, number: int, groups: Groups, by_items: bool) -> int:
        """Do a pass, and return how many ratings are left."""
        work = self.work
        self.counts.fill(0)
        user_vectors, item_vectors, padded = work.vectors()
        user_bias, item_bias, *rule = work.rule(number)
        users = (work.users, user_vectors, user_bias, self.locks.of_users)
        items = (work.items, item_vectors, item_bias, self.locks.of_items)
        own, other = (items, users) if by_items else (users, items)
        args = [
            *(groups.vertices, groups.begins, groups.ends, len(groups.vertices)),
            *(groups.ratings, other[0], work.values, own[1], other[1], padded),
            *(own[2], other[2], *rule, int(by_items)),
            *(self.counts[:1], other[3], self.left, self.counts[1:]),
            *(len(work.passes), *work.recorder.args()),
        ]
        warps = min(self.warps, len(groups.vertices))
        kernel = work.recorder.kernel("sgd_batched", "sgd_node_batched")
        kernel(warps, BATCH, args, shared_mem=self.shared)
        left = int(work.device.to_host(self.counts)[1])
        work.passes.append(Pass(number, "pass", left))
        return left


def in_batches(work: Work) -> Callable[[int], None]:
    """NL in batches: warps own items and lock users, and own users in every second pass."""
    return Passes(work).sweep


__all__ = ["Groups", "Passes", "in_batches"]
