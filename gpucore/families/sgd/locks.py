"""The locks of users and items, and the passes of the paper's online schedules.

Kernels: ``kernels/sgd_online.cu``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.errors import KernelError
from gpucore.families.sgd.conflicts import contenders
from gpucore.families.sgd.work import Pass, Work


class Locks:
    """The locks of users and items, and the lists of ratings that are left.

    Parameters
    ----------
    work : Work
    """

    def __init__(self, work: Work) -> None:
        self.work, xp = work, work.device.xp
        self.of_users = xp.zeros(work.entries.num_users, np.int32)
        self.of_items = xp.zeros(work.entries.num_items, np.int32)
        self.lists = [xp.empty(work.num_ratings, np.int32) for _ in range(2)]
        self.count = xp.zeros(1, np.int32)

    def edge_locked(self, sweep: int, todo: Any, count: int) -> None:
        """Process ratings edge-locked, pass after pass, until none is left."""
        work = self.work
        turn = 0
        while count:
            self.count.fill(0)
            left = self.lists[turn % 2]
            workers = self._contenders(count)
            work.launch(
                "sgd_online",
                "sgd_edge_locked",
                sweep,
                [todo, count, left, self.count, self.of_users, self.of_items, workers],
                workers=workers,
            )
            before, count = count, int(work.device.to_host(self.count)[0])
            check_progress(sweep, before, count)
            todo = left
            work.passes.append(Pass(sweep, "pass", count))
            turn += 1

    def _contenders(self, count: int) -> int:
        """Return the workers of a pass over this number of ratings: as given, or chosen here."""
        work = self.work
        return work.workers if work.params.threads else contenders(count, work.workers)

    def node_locked(self, sweep: int, items: Any, first: int, marks: Any) -> int:
        """Process the items of a block once, and return how many of their ratings are left."""
        work = self.work
        workers = work.items_at_a_time
        self.count.fill(0)
        work.launch(
            "sgd_online",
            "sgd_node_locked",
            sweep,
            [
                *(items, first, len(items), work.item_starts, marks, self.count),
                *(self.of_users, workers),
            ],
            workers=workers,
            shared=True,
        )
        left = int(work.device.to_host(self.count)[0])
        work.passes.append(Pass(sweep, "pass", left))
        return left


def check_progress(sweep: int, before: int, left: int) -> None:
    """Raise KernelError if a pass has processed no rating.

    At the start of a pass no lock is held. The first worker that asks for the lock of an item, or
    in NL for that of a user, gets it; so each pass processes a rating, and a sweep ends.
    """
    if left == before:
        raise KernelError(
            f"sweep {sweep + 1}: a pass processed none of {left:,} ratings, so a lock was not "
            "given back; this is an error of the kernels, please report it"
        )
