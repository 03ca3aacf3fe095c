"""Time one case on one graph, and measure the device's memory bandwidth in the same session.

The protocol: one run to warm up (kernels compiled, caches and clocks settled), then the median
of k. Times are the results' own ``seconds``, whose scope is the same in all families; see
:class:`gpucore.result.Result`. A run in which a kernel was compiled or loaded is a warm-up, however
many there are, and never counts. A first run of seconds in which none was compiled is not made
again to warm up: it counts.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from gpucore.bench.suite import Case, Suite
from gpucore.device.resident import release
from gpucore.errors import Cancelled
from gpucore.progress import Cancel, check

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph
    from gpucore.result import Result

#: Seconds of a run that needs no warm-up, if it also reached the case limit and compiled nothing.
LONG = 2.0


class Deadline:
    """A :class:`~gpucore.progress.Cancel` that is also set when its time is over."""

    def __init__(self, seconds: float | None, cancel: Cancel | None = None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds
        self._cancel = cancel

    @property
    def expired(self) -> bool:
        """Whether the time is over."""
        return self._end is not None and time.monotonic() >= self._end

    def is_set(self) -> bool:
        """Return True if the work should stop, for any reason."""
        return self.expired or (self._cancel is not None and self._cancel.is_set())


class RunLimit:
    """A :class:`~gpucore.progress.Cancel` that is also set when a run has taken too long."""

    def __init__(self, seconds: float, cancel: Cancel) -> None:
        self._seconds, self._cancel = seconds, cancel
        self.begin()

    def begin(self) -> None:
        """Note that a run begins."""
        self._end = time.monotonic() + self._seconds

    def is_set(self) -> bool:
        """Return True if the run should stop, for any reason."""
        return time.monotonic() >= self._end or self._cancel.is_set()


def run_case(case: Case, graph: Graph, device: Device, cancel: Cancel | None) -> Result:
    """Run a case once, without recording and without a certificate."""
    from gpucore import run
    from gpucore.family import get_runner

    where = device if get_runner(case.runner).where == "device" else "auto"
    return run(case.runner, graph, device=where, certify=False, cancel=cancel, **case.params)


def certified(case: Case, graph: Graph, result: Result) -> bool:
    """Return True if independent code accepts the result."""
    from gpucore.family import get_runner

    return bool(get_runner(case.runner).certify(graph, result).ok)


def measure(
    suite: Suite,
    case: Case,
    graph: Graph,
    device: Device,
    *,
    repeat: int,
    case_limit: float,
    cancel: Cancel | None = None,
    begin: Callable[[], None] = lambda: None,
) -> tuple[dict[str, Any], list[Result]]:
    """Time one case.

    Parameters
    ----------
    repeat : int
        Repetitions after the warm-up run.
    case_limit : float
        Seconds after which no further run is started: slow methods get fewer repetitions, but
        always one. The clock starts after the warm-up. A first run that takes as long, at least
        `LONG` seconds, and compiles nothing is the only one.
    begin : callable
        Called before every run.

    Returns
    -------
    measurement : dict
        JSON-able: ``seconds`` (the median), ``after`` (the same without the common beginning, if
        the family has one), ``runs`` (all times in order), ``warm`` (False for a case whose times
        do not matter: only its first run was made, and no report shows its time),
        ``qualities`` and ``solutions`` (the figure of merit of these runs, and the number of
        different solutions), ``device_bytes`` (the most memory that the first run held on a GPU,
        this problem included; None elsewhere and in a study), ``params``, ``figures``, ``kept``
        figures with parts, ``digest`` of the last solution, ``digests`` of all different ones,
        ``peer``.
    results : list of Result
        A result for each different solution of these runs, in the order of ``digests``: the last
        run's is the last.
    """
    with MemoryWatch(None if case.study else device) as memory:
        result, cold = _warm_up(case, graph, device, cancel, begin)
    first = _run_facts(suite, result)
    most = repeat if case.runs is None else min(repeat, case.runs - 1)
    runs: list[_Run] = []
    if most and not cold and first.seconds >= max(case_limit, LONG):
        runs, most = [first], 1
    different = {first.digest: result}
    start = time.monotonic()
    while len(runs) < most and (not runs or time.monotonic() - start < case_limit):
        begin()
        loaded = device.kernels_loaded
        result = run_case(case, graph, device, cancel)
        if device.kernels_loaded == loaded:
            if not runs:
                different.clear()  # the warm-up does not count
            runs.append(_run_facts(suite, result))
            different.pop(runs[-1].digest, None)
            different[runs[-1].digest] = result
    counted = runs or [first]
    result = list(different.values())[-1]
    figures = {
        key: value for key, value in result.figures.items() if isinstance(value, int | float | str)
    }
    return {
        "seconds": statistics.median(run.seconds for run in counted),
        **_after(suite, counted),
        "runs": [run.seconds for run in counted],
        "warm": bool(runs),
        "qualities": [run.quality for run in counted],
        "solutions": len(different),
        "device_bytes": memory.most,
        "params": case.params,
        "figures": figures,
        "kept": {key: result.figures[key] for key in case.keep if key in result.figures},
        "digest": counted[-1].digest,
        "digests": list(different),
        "peer": case.optional,
    }, list(different.values())


def _warm_up(
    case: Case, graph: Graph, device: Device, cancel: Cancel | None, begin: Callable[[], None]
) -> tuple[Result, bool]:
    """Run a case for the first time; if compiling took all of a run's time, run it again.

    The second value is whether a kernel was compiled or loaded in the run that is returned.
    """
    begin()
    loaded = device.kernels_loaded
    try:
        result = run_case(case, graph, device, cancel)
    except Cancelled:
        if device.kernels_loaded == loaded:
            raise
        begin()  # now the kernels are compiled
        loaded = device.kernels_loaded
        result = run_case(case, graph, device, cancel)
    device.finish_compiling()
    return result, device.kernels_loaded != loaded


class _Run(NamedTuple):
    """Facts that are kept of a run."""

    seconds: float
    before: float
    quality: float | None
    digest: str


def _run_facts(suite: Suite, result: Result) -> _Run:
    before = float(result.figures.get(suite.before) or 0.0)
    return _Run(result.seconds, before, result.figures.get(suite.quality), suite.digest(result))


def _after(suite: Suite, runs: Sequence[_Run]) -> dict[str, float]:
    """Return the median time without the common beginning, where the family has one."""
    if not suite.before:
        return {}
    return {"after": statistics.median(max(run.seconds - run.before, 0.0) for run in runs)}


class MemoryWatch:
    """Peak memory of a run on a GPU, its problem included, in ``most``; None without a GPU.

    Problems of earlier runs are released first. CuPy's pool gives no memory back by itself, so its
    size since it was emptied is the peak, with the pool's rounding and gaps.
    """

    def __init__(self, device: Device | None) -> None:
        self.most: int | None = None
        self._device = device
        pool = None if device is None else getattr(device.xp, "get_default_memory_pool", None)
        self._pool: Any = None if pool is None else pool()

    def __enter__(self) -> MemoryWatch:
        if self._pool is not None and self._device is not None:
            release(self._device)
            gc.collect()
            self._pool.free_all_blocks()
        return self

    def __exit__(self, *error: object) -> None:
        if self._pool is not None:
            self.most = int(self._pool.total_bytes())


def copy_bandwidth(
    device: Device, *, largest: int = 1 << 30, repeat: int = 7, cancel: Cancel | None = None
) -> dict[str, Any]:
    """Measure how fast the device copies memory to memory.

    Parameters
    ----------
    largest : int
        Bytes of the buffer; smaller if memory is short.
    cancel : Cancel, optional
        See :mod:`gpucore.progress`; looked at before each copy.

    Returns
    -------
    dict
        ``bytes`` moved by one copy (read and written), ``seconds`` (median), ``bandwidth`` in
        bytes a second.
    """
    xp = device.xp
    size = max(1 << 20, min(largest, device.free_memory() // 8)) // 8
    source = xp.zeros(size, dtype=xp.float64)
    target = xp.ones(size, dtype=xp.float64)  # written once, so that its pages exist
    times = []
    for _ in range(repeat + 1):
        check(cancel)
        with device.timer() as timer:
            xp.copyto(target, source)
        times.append(timer.seconds)
    seconds = statistics.median(times[1:])
    moved = 2 * source.nbytes
    return {"bytes": int(moved), "seconds": seconds, "bandwidth": moved / seconds}
