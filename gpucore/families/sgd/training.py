"""Training on the processor: the loop over the sweeps of methods and peers."""

from __future__ import annotations

import time
from collections.abc import Callable
from ctypes import c_int
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpucore.cpu.common import cancel_flag, describe_cpu
from gpucore.families.sgd.factors import first_factors
from gpucore.families.sgd.log import Log
from gpucore.families.sgd.native import Rule, State, entries_of
from gpucore.families.sgd.result import SgdResult
from gpucore.families.sgd.work import Pass
from gpucore.problems.ratings.prepare import for_ratings
from gpucore.problems.ratings.split import split
from gpucore.progress import check
from gpucore.record.threads import ThreadRecorder
from gpucore.rows import row_numbers

if TYPE_CHECKING:
    from gpucore.families.sgd.params import MethodParams
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.record import RawRecord
    from gpucore.runner import Context

#: Parameters that are of kernels only.
_OF_KERNELS = ("variant", "tile_items", "tile_users", "head")

#: Does one sweep by a rule; the flag is what native code polls.
Sweep = Callable[[Rule, c_int], None]


def train(
    name: str,
    graph: Graph,
    params: MethodParams,
    context: Context,
    prepare: Callable[[State, NDArray[np.void]], Sweep],
    *,
    threads: int = 1,
    versions: dict[str, str] | None = None,
) -> SgdResult:
    """Split ratings, sweep over them, and return the result of a method.

    Parameters
    ----------
    name : str
        Name of the method's runner.
    graph : Graph
        The matrix of ratings; the entries of another graph get made-up ratings.
    params, context
        The method's own parameters, and those of the run.
    prepare : callable
        ``prepare(state, entries)`` gets the first vectors, and the training ratings in the order of
        the items; it returns the sweep, which changes the state.
    threads : int
        Threads of a sweep, and of the errors.
    versions : dict, optional
        Versions of libraries.

    Raises
    ------
    ParameterError
        The run diverges.
    Cancelled, DeviceError
    """
    ratings, rules = for_ratings(graph), params.of_kernels()
    check(context.cancel)
    parts = split(ratings, rules.test, rules.split_seed)
    recorder = ThreadRecorder(context.record, threads, context.record_budget)
    state = State(first_factors(parts.train, rules), rules.positive, recorder.pointer)
    entries = in_item_order(parts.train)
    with cancel_flag(context.cancel) as flag:
        start = time.perf_counter()
        sweep = prepare(state, entries)
        prepared = time.perf_counter() - start
        known = _Errors(state, entries, threads, flag)
        test = _Errors(state, entries_of(*parts.test), threads, flag)
        log = Log.of(parts.train)
        log.add(known, test)
        for number in range(rules.sweeps):
            rule = Rule.of(rules, number)
            start = time.perf_counter()
            sweep(rule, flag)
            log.seconds.append(time.perf_counter() - start)
            log.add(known, test)
    settings = {k: v for k, v in rules.as_dict().items() if k not in _OF_KERNELS}
    return SgdResult.of_run(
        ratings,
        parts,
        state.factors(),
        log,
        algorithm=name,
        device=describe_cpu(threads) | (versions or {}),
        params=settings | asdict(params) | {"threads": threads},
        figures={"prepare_seconds": prepared},
        raw=None if recorder.level == "off" else numbered(recorder.collect(), entries),
        passes=[Pass(number, "pass", 0, state.barriers) for number in range(state.sweeps)],
        lanes=32,  # a thread processes one rating at a time, as a warp would
    )


def numbered(raw: RawRecord, entries: NDArray[np.void]) -> RawRecord:
    """Write into each update the number of its rating, in the order of the items."""

    def key(items: np.ndarray, users: np.ndarray) -> np.ndarray:
        return items.astype(np.int64) << 32 | users

    events = raw.events.copy()
    words = events.view(np.int32)
    known = key(entries["item"], entries["user"])
    words[:, 5] = np.searchsorted(known, key(words[:, 4], words[:, 3]))
    return replace(raw, events=events)


@dataclass(frozen=True)
class _Errors:
    """Computes the error of a state over some ratings."""

    state: State
    entries: NDArray[np.void]
    threads: int
    flag: c_int

    def rmse(self) -> float:
        """Return the root of the mean squared error; NaN without ratings."""
        return self.state.rmse(self.entries, threads=self.threads, flag=self.flag)


def in_item_order(train: Ratings) -> NDArray[np.void]:
    """Return ratings in the order of the items."""
    starts, users, values = train.by_item()
    return entries_of(users, row_numbers(starts), values)


def shuffled(entries: NDArray[np.void], order_seed: int) -> NDArray[np.void]:
    """Return ratings in random order, which is that of the variant "el_shuffled"."""
    return entries[np.random.default_rng(order_seed).permutation(len(entries))]
