"""Training on the processor: the loop over the sweeps of methods and peers."""

from __future__ import annotations

import time
from collections.abc import Callable
from ctypes import c_int
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.cpu.common import cancel_flag, describe_cpu
from gpucore.families.sgd.factors import first_factors
from gpucore.families.sgd.log import Log
from gpucore.families.sgd.native import Rule, State, entries_of
from gpucore.families.sgd.record import sgd_record
from gpucore.families.sgd.result import SgdResult
from gpucore.families.sgd.work import Pass
from gpucore.problems.ratings.split import split
from gpucore.progress import check
from gpucore.record.threads import ThreadRecorder

if TYPE_CHECKING:
    from gpucore.families.sgd.params import SgdParams
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.record import RawRecord, Record
    from gpucore.runner import Context

#: Parameters that are of kernels only.
_OF_KERNELS = ("variant", "tile_items", "tile_users", "head")

#: Does one sweep by a rule; the flag is what native code polls.
Sweep = Callable[[Rule, c_int], None]


@dataclass(frozen=True)
class Training:
    """A run on the processor.

    Attributes
    ----------
    name : str
        Name of the method.
    ratings : Ratings
    params : SgdParams
    threads : int
    context : Context
    own : dict
        Parameters that only this method has.
    versions : dict
        Versions of libraries.
    """

    name: str
    ratings: Ratings
    params: SgdParams
    threads: int
    context: Context
    own: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)

    def run(self, prepare: Callable[[State, NDArray[np.void]], Sweep]) -> SgdResult:
        """Split the ratings, sweep over them, and return the result.

        Parameters
        ----------
        prepare : callable
            ``prepare(state, entries)`` gets the first vectors, and the training ratings in the
            order of the items; it returns the sweep, which changes the state.

        Raises
        ------
        ParameterError
            The run diverges.
        Cancelled, DeviceError
        """
        params, context = self.params, self.context
        check(context.cancel)
        parts = split(self.ratings, params.test, params.split_seed)
        recorder = ThreadRecorder(context.record, self.threads, context.record_budget)
        first = first_factors(parts.train, params)
        state = State(first, params.positive, recorder.pointer)
        entries = in_item_order(parts.train)
        with cancel_flag(context.cancel) as flag:
            start = time.perf_counter()
            sweep = prepare(state, entries)
            prepared = time.perf_counter() - start
            train = _Errors(state, entries, self.threads, flag)
            test = _Errors(state, entries_of(*parts.test), self.threads, flag)
            log = Log()
            log.add(train, test)
            for number in range(params.sweeps):
                rule = Rule.of(params, number)
                start = time.perf_counter()
                sweep(rule, flag)
                log.seconds.append(time.perf_counter() - start)
                log.add(train, test)
        biases = [b for b in (state.user_bias, state.item_bias) if b is not None]
        settings = {k: v for k, v in params.as_dict().items() if k not in _OF_KERNELS}
        result = SgdResult(
            algorithm=self.name,
            device=describe_cpu(self.threads) | self.versions,
            seconds=sum(log.seconds),
            figures=log.figures(parts, state.mean) | {"prepare_seconds": prepared},
            params=settings | {"threads": self.threads} | self.own,
            users=state.users,
            items=state.items,
            biases=np.concatenate(biases) if biases else np.zeros(0, np.float32),
        )
        if recorder.level == "off":
            return result
        raw = numbered(recorder.collect(), entries)
        return replace(result, record=self._recorded(raw, result, parts.train, state, log))

    def _recorded(
        self, raw: RawRecord, result: SgdResult, train: Ratings, state: State, log: Log
    ) -> Record | None:
        """Return the record of a run; a thread processes one rating at a time, as a warp would."""
        return sgd_record(
            raw,
            self.ratings,
            train,
            algorithm=self.name,
            params=result.params,
            device=result.device,
            passes=[Pass(n, "pass", 0, state.barriers) for n in range(state.sweeps)],
            lanes=32,
            log=log,
            factors=state.factors(),
            updates=(train.degrees * state.sweeps).astype(np.int32),
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
    items = np.repeat(np.arange(train.num_items, dtype=np.int32), np.diff(starts))
    return entries_of(users, items, values)


def shuffled(entries: NDArray[np.void], order_seed: int) -> NDArray[np.void]:
    """Return ratings in random order, which is that of the variant "el_shuffled"."""
    return entries[np.random.default_rng(order_seed).permutation(len(entries))]
