"""Microbenchmarks of a device: atomics, barriers, locks, launches and updates, one at a time.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, section V and figure 9. The paper measures atomics only; barriers
and updates are those of our kernels. Kernels: ``kernels/sgd_probe.cu``, ``kernels/sgd_online.cu``.
"""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.families.sgd.cost import Costs
from gpucore.families.sgd.factors import first_factors
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.sweeps import SCHEDULES, Locks
from gpucore.families.sgd.work import THREADS, Work
from gpucore.problems.ratings.ratings import Ratings
from gpucore.record import Recorder

if TYPE_CHECKING:
    from gpucore.device import Device

#: Atomics by the numbers that the kernel knows.
ATOMICS = ("add u32", "CAS u32", "exchange u32", "add f32")
#: Where the threads' atomics go: the words between neighbouring threads, one line of the cache.
PLACES = {"one address": 0, "distinct addresses": 32}
#: Repetitions after a first one; the median is reported.
REPEAT = 5


@dataclass(frozen=True)
class Size:
    """How much a microbenchmark does.

    Attributes
    ----------
    threads : tuple of int
        Threads of figure 9.
    atomics : int
        Atomics of all threads together, about.
    barriers : int
        Barriers of a launch.
    one, all_users, all_items, all_ratings : int
        Ratings that one worker processes, and size of the matrix of all workers.
    """

    threads: tuple[int, ...]
    atomics: int
    barriers: int
    one: int
    all_users: int
    all_items: int
    all_ratings: int


ON_CARD = Size(
    tuple(1 << i for i in range(0, 19, 2)), 1 << 20, 200, 20_000, 400_000, 20_000, 1 << 21
)
ON_HOST = Size((1, 8, 64, 256), 1 << 10, 4, 200, 200, 100, 1_000)


@dataclass(frozen=True)
class Probe:
    """What was measured.

    Attributes
    ----------
    costs : Costs
        For :func:`gpucore.families.sgd.cost.predict`.
    k, workers : int
        Components of a vector, and workers that run at a time.
    atomics : dict
        Atomics a second, ``atomics[kind][place][threads]``: figure 9.
    barriers : dict
        Seconds of a barrier by the number of blocks.
    updates : dict
        Updates a second: "one worker", "one worker, locked", "all workers".
    """

    costs: Costs
    k: int
    workers: int
    atomics: dict[str, dict[str, dict[int, float]]]
    barriers: dict[int, float]
    updates: dict[str, float]

    def as_dict(self) -> dict[str, Any]:
        """Return the measurements, JSON-able once the keys are text."""
        return dataclasses.asdict(self)


def measure_costs(device: Device, *, k: int = 16, size: Size | None = None) -> Probe:
    """Measure what updates, locks, barriers and launches cost on a device.

    Parameters
    ----------
    device : Device
    k : int
        Components of a vector.
    size : Size, optional
        How much to do; by default a second or two.

    Notes
    -----
    p is the time of an update of one worker without locks. l is what the locks of both ends add to
    it, or the two atomics of a lock at the rate of one address with most threads, whichever is
    more. b is a barrier of all resident blocks.
    """
    size = size or (ON_CARD if device.name == "cuda" else ON_HOST)
    atomics = {
        kind: {
            place: {n: _atomics(device, number, spread, n, size) for n in size.threads}
            for place, spread in PLACES.items()
        }
        for number, kind in enumerate(ATOMICS)
    }
    alone = _work(device, _random_ratings(size.one, size.one, size.one), k, workers=1)
    free, locked = _sweep_seconds(alone, "hogwild"), _sweep_seconds(alone, "el_shuffled")
    together = _work(
        device, _random_ratings(size.all_users, size.all_items, size.all_ratings), k, workers=0
    )
    stream = _sweep_seconds(together, "hogwild")
    barriers = _barriers(device, together.grid[0], size)
    most = size.threads[-1]
    rates = {place: _lock_rate(atomics, place, most) for place in PLACES}
    update = free / alone.num_ratings
    costs = Costs(
        update=update,
        lock=max(locked / alone.num_ratings - update, 1 / rates["one address"]),
        barrier=barriers[together.grid[0]],
        launch=_launch_seconds(alone),
        # The rate is of pairs of atomics.
        atomic=0.5 / rates["distinct addresses"],
        stream=stream / together.num_ratings,
        scan=_scan_seconds(device, size, k),
    )
    return Probe(
        costs,
        k,
        together.workers,
        atomics,
        barriers,
        {
            "one worker": 1 / update,
            "one worker, locked": alone.num_ratings / locked,
            "all workers": together.num_ratings / stream,
        },
    )


def _seconds(device: Device, launch: Callable[[], object]) -> float:
    """Return the median time of a launch, after a first one."""
    launch()
    times = []
    for _ in range(REPEAT):
        with device.timer() as timer:
            launch()
        times.append(timer.seconds)
    return max(statistics.median(times), 1e-9)


def _atomics(device: Device, kind: int, spread: int, threads: int, size: Size) -> float:
    """Return the atomics a second of this number of threads."""
    xp = device.xp
    repeats = max(4, min(256, size.atomics // threads))
    words = xp.zeros(1 + (threads - 1) * spread, np.uint32)
    numbers = xp.zeros(words.size, np.float32)
    last = xp.zeros(threads, np.uint32)
    block = min(THREADS, threads)
    launch = device.kernel("sgd_probe", "sgd_atomics").prepare(
        -(-threads // block), block, [words, numbers, kind, spread, repeats, threads, last]
    )
    return threads * repeats / _seconds(device, launch)


def _lock_rate(atomics: dict[str, dict[str, dict[int, float]]], place: str, threads: int) -> float:
    """Return locks and unlocks a second: a CAS and an exchange each."""
    cas, exchange = (atomics[kind][place][threads] for kind in ("CAS u32", "exchange u32"))
    return 1 / (1 / cas + 1 / exchange)


def _barriers(device: Device, most: int, size: Size) -> dict[int, float]:
    """Return seconds of a barrier for 1, 4, 16, ... blocks and for all that are resident."""
    found = {}
    for blocks in sorted({4**i for i in range(10) if 4**i < most} | {most}):
        state, passed = (device.xp.zeros(n, np.uint32) for n in (2, 1))
        launch = device.kernel("sgd_probe", "sgd_barriers").prepare(
            blocks, min(THREADS, 32 if device.name == "host" else THREADS),
            [state, size.barriers, passed], cooperative=True,
        )  # fmt: skip
        found[blocks] = _seconds(device, launch) / size.barriers
    return found


def _random_ratings(users: int, items: int, count: int) -> Ratings:
    """Return about `count` ratings of random pairs, so that workers seldom meet."""
    rng = np.random.default_rng(0)
    pairs = rng.integers(0, users, count), rng.integers(0, items, count)
    values = rng.uniform(1, 5, count).astype(np.float32)
    return Ratings.from_entries(*pairs, values, (users, items), duplicates="last")


def _work(device: Device, ratings: Ratings, k: int, workers: int) -> Work:
    params = SgdParams(k=k, threads=workers)
    recorder = Recorder(device, "off", warps=1)
    return Work.on(device, recorder, params, ratings, first_factors(ratings, params))


def _sweep_seconds(work: Work, variant: str) -> float:
    sweep = SCHEDULES[variant].prepare(work)
    return _seconds(work.device, lambda: sweep(0))


def _launch_seconds(work: Work) -> float:
    """Return the time of a pass over one rating: a launch, and reading how many are left."""
    locks, todo = Locks(work), work.device.asarray(np.zeros(1, np.int32))
    return _seconds(work.device, lambda: locks.edge_locked(0, todo, 1))


def _scan_seconds(device: Device, size: Size, k: int) -> float:
    """Return the time that one worker takes to look at the mark of a rating that is done."""
    users: NDArray[np.int64] = np.arange(size.one)
    ratings = Ratings.from_entries(users, np.zeros_like(users), np.ones(size.one))
    work = _work(device, ratings, k, workers=1)
    locks, marks = Locks(work), device.xp.ones(size.one, np.uint8)
    items = device.asarray(np.zeros(1, np.int32))
    whole = _seconds(device, partial(locks.node_locked, 0, items, 0, marks))
    nothing = device.xp.zeros(0, np.int32)
    empty = _seconds(device, partial(locks.node_locked, 0, nothing, 0, marks))
    return max(whole - empty, 0.0) / size.one
