"""The state of a factorisation on the device, and one launch of a kernel on it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.sgd.factors import Factors
from gpucore.families.sgd.offline import Entries
from gpucore.rows import row_numbers

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.sgd.params import SgdParams
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.record import Recorder

THREADS = 256
#: Blocks of a multiprocessor that are resident at a time, also in a cooperative launch.
BLOCKS_PER_MULTIPROCESSOR = 4
#: Workers of the host executor, which runs them one after the other.
HOST_WORKERS = 64


def lanes_of(padded: int) -> int:
    """Return the lanes of a worker, given the stored components of a vector."""
    return min(32, padded // 2)


def resident_workers(device: Device, padded: int) -> int:
    """Return the workers that a device runs at a time."""
    if device.name != "cuda":
        return HOST_WORKERS
    return BLOCKS_PER_MULTIPROCESSOR * device.multiprocessors * THREADS // lanes_of(padded)


def items_at_a_time(device: Device, padded: int) -> int:
    """Return the items that NL gives to workers at a time: one for each thread that a device runs.

    So has the paper (section IV-B), whose workers are threads. No worker of NL waits for another,
    so they need not all be resident; with fewer items there are more launches, and each costs more
    than the updates of its items.
    """
    workers = resident_workers(device, padded)
    return workers * lanes_of(padded) if device.name == "cuda" else workers


@dataclass
class Pass:
    """One launch of a kernel that updates: the sweep it belongs to, and what it did.

    Attributes
    ----------
    sweep : int
    name : str
        What the launch is in its schedule: "pass", "block", "sets", "tiles".
    left : int
        Ratings of the sweep that are left after it.
    barriers : sequence of int
        For each barrier inside the launch, the steps that are before it; not falling.
    """

    sweep: int
    name: str
    left: int
    barriers: Sequence[int] = ()


@dataclass
class Work:
    """A factorisation on a device.

    Attributes
    ----------
    device, recorder, params
        The device, the recorder, the parameters.
    entries : Entries
        The training ratings on the host, in the order of the items.
    users, items, values : array of int32, int32, float32, shape (n,)
        The training ratings on the device.
    item_starts : array of int64, shape (I + 1,)
        Where the ratings of each item begin.
    user_vectors, item_vectors : array of float32, shape (U, padded k), (I, padded k)
    user_bias, item_bias : array of float32, or None
    mean : float
    passes : list of Pass
        All launches so far; the number of one is the iteration of its record.
    settle : callable
        Brings the vectors up to date, if a schedule keeps them elsewhere during its sweeps.
    """

    device: Device
    recorder: Recorder
    params: SgdParams
    entries: Entries
    users: Any
    items: Any
    values: Any
    item_starts: Any
    user_vectors: Any
    item_vectors: Any
    user_bias: Any
    item_bias: Any
    mean: float
    passes: list[Pass] = field(default_factory=list)
    settle: Callable[[], None] = lambda: None

    @classmethod
    def on(
        cls,
        device: Device,
        recorder: Recorder,
        params: SgdParams,
        train: Ratings,
        first: Factors,
    ) -> Work:
        """Copy a problem and its first vectors to a device."""
        starts, users, values = train.by_item()
        items = row_numbers(starts)
        put = device.asarray
        return cls(
            device,
            recorder,
            params,
            Entries(np.array(users), items, train.num_users, train.num_items),
            users=put(np.array(users)),
            items=put(items),
            values=put(np.array(values)),
            item_starts=put(np.array(starts)),
            user_vectors=put(np.array(first.users)),
            item_vectors=put(np.array(first.items)),
            user_bias=None if first.user_bias is None else put(np.array(first.user_bias)),
            item_bias=None if first.item_bias is None else put(np.array(first.item_bias)),
            mean=float(first.mean),
        )

    @property
    def num_ratings(self) -> int:
        """Number of training ratings."""
        return len(self.entries.users)

    @property
    def width(self) -> int:
        """Lanes of a worker."""
        return lanes_of(self.params.padded)

    @property
    def workers(self) -> int:
        """Number of workers."""
        if self.params.threads:
            return min(self.params.threads, self.most_workers)
        return self.most_workers

    @property
    def items_at_a_time(self) -> int:
        """Items of a block of NL."""
        most = items_at_a_time(self.device, self.params.padded)
        return min(self.params.threads or most, most)

    @property
    def most_workers(self) -> int:
        """Workers that the device runs at a time."""
        return resident_workers(self.device, self.params.padded)

    @property
    def grid(self) -> tuple[int, int]:
        """Blocks, and threads of a block, for all workers."""
        return self.grid_of(self.workers)

    def grid_of(self, workers: int) -> tuple[int, int]:
        """Return blocks, and threads of a block, for some workers."""
        lanes = -(-workers * self.width // 32) * 32
        threads = min(THREADS, lanes)
        return -(-lanes // threads), threads

    @property
    def shared_bytes(self) -> int:
        """Shared memory of a block in which each worker has a vector."""
        return self.grid[1] // self.width * self.params.padded * 4

    def rule(self, sweep: int) -> list[Any]:
        """Return the kernels' arguments from the biases to the rule's flags."""
        none = self.device.xp.zeros(0, np.float32)
        rate = np.float32(self.params.rate_of(sweep))
        decay = np.float32(rate * np.float32(self.params.reg))
        biases = [none if bias is None else bias for bias in (self.user_bias, self.item_bias)]
        return [*biases, float(self.mean), float(rate), float(decay), self.params.flags]

    def vectors(self) -> list[Any]:
        """Return the kernels' arguments for the vectors."""
        return [self.user_vectors, self.item_vectors, self.params.padded]

    def launch(
        self,
        source: str,
        name: str,
        sweep: int,
        args: list[Any],
        *,
        workers: int = 0,
        cooperative: bool = False,
        shared: bool = False,
    ) -> None:
        """Launch a kernel that updates, of all workers or of some.

        Its arguments are the ratings, the vectors, the rule of the sweep, `args`, and the number of
        the pass. A worker of a kernel with `shared` memory has one item, so it needs no others.
        """
        ratings = [self.users, *([] if shared else [self.items]), self.values]
        tail = [len(self.passes), *self.recorder.args()]
        self.recorder.kernel(source, name)(
            *self.grid_of(workers or self.workers),
            [*ratings, *self.vectors(), *self.rule(sweep), *args, *tail],
            shared_mem=self.shared_bytes if shared else 0,
            cooperative=cooperative,
        )

    def factors(self) -> Factors:
        """Copy the vectors to the host."""
        arrays = (self.user_vectors, self.item_vectors)
        users, items = (np.array(self.device.to_host(a)) for a in arrays)
        biases = [
            None if bias is None else np.array(self.device.to_host(bias))
            for bias in (self.user_bias, self.item_bias)
        ]
        return Factors(users, items, self.mean, *biases)


class Errors:
    """Computes the error of a factorisation over some ratings, on the device.

    Parameters
    ----------
    work : Work
    users, items, values : array
        The ratings, on the device.
    """

    def __init__(self, work: Work, users: Any, items: Any, values: Any) -> None:
        self._work, self._ratings = work, [users, items, values, len(users)]

    def rmse(self) -> float:
        """Return the root of the mean squared error; NaN without ratings."""
        work, count = self._work, self._ratings[3]
        if not count:
            return float("nan")
        total = work.device.xp.zeros(1, np.float64)
        grid, threads = work.grid
        biases = work.rule(0)[:2]
        work.device.kernel("sgd_rmse", "sgd_rmse")(
            grid,
            threads,
            [
                *self._ratings,
                *work.vectors(),
                *biases,
                float(work.mean),
                work.params.flags,
                work.workers,
                total,
            ],
        )
        return float(np.sqrt(work.device.to_host(total)[0] / count))
