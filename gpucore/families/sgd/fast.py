"""The sweep of "fast": the schedule of stripes on the device, and its launches.

Kernel: ``kernels/sgd_stripes.cu``, which says how it works; schedule: ``stripes.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gpucore.compiles import Special
from gpucore.errors import ParameterError
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.stripes import Stripes, schedule
from gpucore.families.sgd.work import HOST_WORKERS, Pass, Work

#: Length of half vectors that have eight components a lane, and shares: those of the kernel.
WIDE, SHARES = 128, 256
#: Shared memory of a rating: two lists of 16 bytes.
RATING_BYTES = 32
#: The most threads and the most workers of a block.
MOST_THREADS, MOST_WORKERS = 1024, 128
#: Ratings of a tile for each worker, at least, when the stripes are chosen here.
RATINGS_A_WORKER = 6
#: Blocks of the host executor.
HOST_BLOCKS = 4
#: A component may become as large as this multiple of the largest first one.
ROOM = 2048


class Plan:
    """Everything that a sweep needs besides the vectors.

    Parameters
    ----------
    work : Work

    Raises
    ------
    ParameterError
        A block cannot have this many workers, or the device this many blocks.
    """

    def __init__(self, work: Work) -> None:
        self.work, device, params = work, work.device, work.params
        self.lanes = lanes_of(params)
        self.workers = self._workers()
        self.stripes = self._schedule()
        self.shared_bytes = self._shared_bytes(self.stripes)
        self.barrier = device.xp.zeros(2, np.uint32)
        self.progress = device.xp.zeros(self.stripes.blocks, np.int32)
        # The race detector follows barriers, not words by which a block waits for another one.
        self.hands_over = not getattr(device, "instrumented", False)
        # Blocks that hand users over to each other have no barriers.
        steps = device.to_host(self.stripes.steps)[1:]
        self.barriers: list[int] = [] if self.hands_over else steps.tolist()
        self.fixed = self._fixed()
        self.users = work.user_vectors
        if params.half:
            self.users = device.xp.ascontiguousarray(self.users.astype(np.float16)).view(np.uint16)

    def _schedule(self) -> Stripes:
        """Return a schedule whose tiles fit into the shared memory of a block."""
        work, room = self.work, self.work.device.shared_memory_per_block
        blocks = self._blocks()
        turns = max(blocks, -(-work.num_ratings // (blocks * (room // (4 * RATING_BYTES)))))
        while True:
            found = schedule(
                work.entries,
                work.values,
                work.device,
                blocks=blocks,
                turns=turns,
                workers=self.workers,
                most_rows=max(1, room // 2 // self._row_bytes),
                seed=work.params.order_seed,
            )
            if self._shared_bytes(found) <= room:
                return found
            turns *= 2

    @property
    def _row_bytes(self) -> int:
        return 4 * (self.work.params.padded + self.lanes)

    def _shared_bytes(self, found: Stripes) -> int:
        rows = found.most_rows + found.most_splits
        numbers = 3 * (found.workers + 4)
        words = SHARES + numbers + rows * (self.work.params.padded + self.lanes)
        return 4 * words + RATING_BYTES * found.most_ratings

    def _workers(self) -> int:
        """Return the workers of a block; together they have whole warps."""
        params, wanted = self.work.params, self.work.params.threads
        most = most_workers(params)
        if wanted > most:
            raise ParameterError(
                f'{wanted} workers do not fit into a block of "fast", {most} do with k = '
                f"{params.k}; leave threads out"
            )
        if wanted or self.work.device.name == "cuda":
            return workers_on_card(params)
        return max(32 // self.lanes, min(most, HOST_WORKERS // HOST_BLOCKS), 1)

    def _blocks(self) -> int:
        """Return the number of blocks."""
        work = self.work
        most = HOST_BLOCKS if work.device.name != "cuda" else work.device.multiprocessors
        if work.params.stripes:
            if work.device.name == "cuda" and work.params.stripes > most:
                raise ParameterError(
                    f"{work.params.stripes} stripes need as many multiprocessors, the device has "
                    f"{most}; use at most {most}, or 0"
                )
            return work.params.stripes
        tiles = work.num_ratings / (RATINGS_A_WORKER * self.workers)
        return max(1, min(most, math.isqrt(int(tiles))))

    def _fixed(self) -> list[float]:
        """Return scale and unit of the items' fixed point, powers of 2."""
        items = self.work.item_vectors
        largest = max(float(abs(items).max()) if items.size else 0.0, 2.0**-10)
        bits = math.ceil(math.log2(largest * ROOM))
        return [2.0 ** (31 - bits), 2.0 ** (bits - 31)]

    def sweep(self, number: int) -> None:
        """Process every rating once."""
        work, plan = self.work, self.stripes
        self.progress.fill(0)
        launch_args = [
            *(self.users, work.item_vectors, work.params.padded),
            *work.rule(number),
            *self.fixed,
            *(plan.entries, plan.starts, plan.rounds),
            *(plan.steps, plan.columns, plan.begins),
            *(plan.splits, plan.split_users, plan.split_parts),
            *(plan.groups * plan.blocks, plan.turns, plan.workers),
            *(plan.most_rows, plan.most_splits, plan.most_ratings),
            *(int(self.hands_over), self.progress, self.barrier),
            *(len(work.passes), *work.recorder.args()),
        ]
        special = kernel_of(work.params)
        # The host has one kernel for everything.
        constants = dict(special.constants) if work.device.name == "cuda" else {}
        kernel = work.recorder.kernel(special.source, special.kernel, **constants)
        threads = self.workers * self.lanes
        kernel(plan.blocks, threads, launch_args, shared_mem=self.shared_bytes, cooperative=True)
        work.passes.append(Pass(number, "sets", 0, self.barriers))

    def settle(self) -> None:
        """Write the vectors of half precision to where the errors are computed from."""
        if self.work.params.half:
            self.work.user_vectors[:] = self.users.view(np.float16)


def lanes_of(params: SgdParams) -> int:
    """Return the lanes of a worker."""
    return params.padded // (8 if params.half and params.padded >= WIDE else 4)


def most_workers(params: SgdParams) -> int:
    """Return the workers that fit into a block."""
    return min(MOST_THREADS // lanes_of(params), MOST_WORKERS)


def workers_on_card(params: SgdParams) -> int:
    """Return the workers of a GPU's block: as many as wanted or as fit, in whole warps."""
    least = max(1, 32 // lanes_of(params))
    return -(-params.threads // least) * least if params.threads else most_workers(params)


def kernel_of(params: SgdParams) -> Special:
    """Return the kernel that a GPU compiles for a run."""
    threads = max(workers_on_card(params) * lanes_of(params), 32)
    constants = (("LENGTH", params.padded), ("FLAGS", params.flags), ("THREADS", threads))
    return Special("sgd_stripes", "sgd_stripes_half" if params.half else "sgd_stripes", constants)


def in_stripes(work: Work) -> Callable[[int], Any]:
    """Return the sweep of "fast"; afterwards `work.settle` brings its vectors up to date."""
    plan = Plan(work)
    work.settle = plan.settle
    return plan.sweep
