"""Run cases in separate processes: several at a time, stopped when a run takes too long.

A sequential method may take minutes, and a library's method may not react to cancelling; its
process is killed then. The solution is certified in the same process, so only the measurement is
sent back.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from gpucore.bench.cache import load_graph
from gpucore.bench.harness import measure
from gpucore.bench.judge import graph_facts, judge
from gpucore.bench.plan import Plan
from gpucore.bench.suite import Case, get_suite
from gpucore.errors import WarplensError
from gpucore.interrupts import held_back
from gpucore.progress import Cancel, check


@dataclass(frozen=True)
class Job:
    """One case on one graph, for a separate process.

    Attributes
    ----------
    family, graph : str
        The suite, and the graph's name.
    case : Case
        The case, on the processor.
    directory : Path
        Directory of the generated graphs.
    plan : Plan
        The session's.
    known : dict
        Known facts about the graph's solutions; see :func:`gpucore.bench.judge.judge`.
    """

    family: str
    graph: str
    case: Case
    directory: Path
    plan: Plan
    known: dict[str, Any] = field(default_factory=dict)


#: Seconds between asking a process to stop and killing it.
PATIENCE = 5.0

#: A job with its outcome: facts about its graph, and its measurement or "error".
Outcome = tuple[Job, dict[str, Any], dict[str, Any]]


def run_jobs(
    jobs: Sequence[Job], processes: int, run_limit: float, cancel: Cancel | None
) -> Iterator[Outcome]:
    """Run the jobs, `processes` at a time; yield their outcomes in the order of finishing.

    Parameters
    ----------
    run_limit : float
        Seconds after which a run is stopped; its measurement has "limit" and an "error" then.

    Raises
    ------
    Cancelled
        After all processes were killed.
    """
    with ThreadPoolExecutor(processes) as pool:
        waiting = [pool.submit(_watch, job, run_limit, cancel) for job in jobs]
        try:
            for future in as_completed(waiting):
                yield future.result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def _watch(job: Job, run_limit: float, cancel: Cancel | None) -> Outcome:
    """Start a process for the job and wait until it is done or a run takes too long."""
    check(cancel)
    # "spawn" because a forked child must not inherit a CUDA context.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_work, args=(job, theirs), daemon=True)
    with held_back():  # this process ends it
        process.start()
    theirs.close()
    begun: float | None = None
    facts: dict[str, Any] = {}
    try:
        while True:
            check(cancel)
            if ours.poll(0.1):
                kind, value = ours.recv()
                begun = time.monotonic() if kind == "run" else None
                if kind == "facts":
                    facts = value
                if kind in ("done", "error"):
                    return job, facts, value if kind == "done" else {"error": value}
            elif begun is not None and time.monotonic() - begun > run_limit:
                return job, facts, unfinished(run_limit)
    except EOFError:
        process.join()
        return job, facts, {"error": f"its process ended with code {process.exitcode}"}
    finally:
        _end(process, ours)


def unfinished(run_limit: float) -> dict[str, Any]:
    """Return the measurement of a case that was stopped because a run took too long."""
    return {"error": f"not finished after {run_limit:g} s", "limit": run_limit}


def failure(error: Exception) -> str:
    """Return why a case has no measurement."""
    return str(error) if isinstance(error, WarplensError) else f"{type(error).__name__}: {error}"


def _end(process: BaseProcess, connection: Connection) -> None:
    """Ask a process to stop, and kill it if it does not."""
    with contextlib.suppress(OSError):  # it may have ended by itself
        connection.send("stop")
    process.join(PATIENCE)
    process.kill()
    process.join()
    connection.close()


class _PipeCancel:
    """A :class:`~gpucore.progress.Cancel` that is set when a pipe's other end sends anything."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def is_set(self) -> bool:
        return self._connection.poll()


def _work(job: Job, listener: Connection) -> None:
    """Measure and judge a case in this process; send a message when a run begins."""
    from gpucore.device import get_device

    try:
        suite = get_suite(job.family)
        graph = suite.prepare(load_graph(job.graph, job.directory, suite.load))
        facts = graph_facts(suite, graph)
        listener.send(("facts", facts))
        measurement, results = measure(
            suite,
            job.case,
            graph,
            get_device("host"),
            repeat=job.plan.repeat,
            case_limit=job.plan.case_limit,
            cancel=_PipeCancel(listener),
            begin=lambda: listener.send(("run", None)),
        )
        listener.send(("judging", None))
        known = {"solutions": {}, **job.known}
        judge(suite, job.case, graph, measurement, results, known, job.plan)
        listener.send(("done", measurement | {"known": known}))
    except BrokenPipeError:  # the parent process has closed the pipe
        return
    except Exception as error:  # any error: the session continues without this case
        listener.send(("error", failure(error)))
