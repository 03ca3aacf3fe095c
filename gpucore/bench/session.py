"""One benchmark session: most important cases first, resumable, every measurement saved."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpucore.bench import cache
from gpucore.bench.harness import Deadline, RunLimit, copy_bandwidth, measure
from gpucore.bench.judge import graph_facts, judge
from gpucore.bench.processes import Job, run_jobs, unfinished
from gpucore.bench.results import Results
from gpucore.bench.setup import describe_setup, usable_cores
from gpucore.bench.suite import Case, Experiment, Suite
from gpucore.errors import Cancelled, GraphError, ParameterError, WarplensError
from gpucore.progress import Cancel, Progress, check

if TYPE_CHECKING:
    from gpucore.device import Device


@dataclass(frozen=True)
class Plan:
    """Plan of a session.

    Attributes
    ----------
    graphs : sequence of str
        Benchmark graphs, or anything that :func:`gpucore.load` takes.
    experiments : sequence of str
        Names of the suite's experiments; empty for all.
    repeat : int
        Repetitions; their median is reported.
    case_limit : float
        Seconds after which a case gets no further run; the warm-up does not count.
    time_limit : float or None
        Seconds after which the session ends; finished measurements are kept.
    cores : int or None
        Cores for the methods on the processor; None for all cores.
    certify_limit : float
        Edges above which a family's quicker proof, if it has one, is enough.
    study_limit : float
        Edges above which solutions that only studies find are not certified.
    every_limit : float
        Edges above which only the last run's solution of a case is certified, not every different
        one.
    run_limit : float
        Seconds after which a run is given up.
    processes : int
        Number of parallel processes, for cases that run in separate ones.
    """

    graphs: Sequence[str]
    experiments: Sequence[str] = ()
    repeat: int = 5
    case_limit: float = 60.0
    time_limit: float | None = None
    cores: int | None = None
    certify_limit: float = 20e6
    study_limit: float = 2e6
    every_limit: float = math.inf
    run_limit: float = 60.0
    processes: int = 1


def run_session(
    suite: Suite,
    plan: Plan,
    device: Device,
    output: Path,
    graph_cache: Path,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    log: Callable[[str], None] = lambda text: None,
) -> tuple[Results, bool]:
    """Measure the cases that are missing in the results file.

    Parameters
    ----------
    output : Path
        Directory of the results file ``FAMILY.json``.
    graph_cache : Path
        Directory of the generated graphs.
    log : callable
        Called with one line for every finished measurement and every failure.

    Returns
    -------
    results : Results
        Everything measured so far, saved.
    complete : bool
        False if the time limit ended the session.

    Raises
    ------
    ParameterError, GraphError, DeviceError, Cancelled
        Earlier measurements are in the file.
    """
    if plan.repeat < 1 or plan.processes < 1:
        raise ParameterError("repeat and the number of processes must be at least 1")
    experiments = choose_experiments(suite, plan.experiments)
    cores = plan.cores or usable_cores()
    deadline = Deadline(plan.time_limit, cancel)
    protocol = {"repeat": plan.repeat, "warm_up": 1, "statistic": "median", "recording": "off"}
    setup = describe_setup(device)
    results = Results.open(output / f"{suite.family}.json", suite.family, setup, protocol)
    results.data["setup"] = setup
    results.data["least_bytes_why"] = suite.least_bytes_why
    for experiment in experiments:
        results.declare(experiment, experiment.cases(cores))
    if results.data["copy"] is None:
        results.data["copy"] = copy_bandwidth(device)
    if suite.on_device is not None and "device_figures" not in results.data:
        results.data["device_figures"] = suite.on_device(device)
    results.save()

    prepared = cache.PreparedGraphs(graph_cache, suite.load, suite.prepare)
    try:
        steps = [
            (_graphs_within(suite, plan, within), step)
            for within, step in _steps(suite, experiments, cores)
        ]
        needed = _lacking(results, plan, steps)
        cache.generate_missing(needed, graph_cache, progress=progress, cancel=deadline)
        for names, step in steps:
            if step[0].separate:
                _measure_apart(
                    suite, plan, results, step, names, graph_cache, progress, deadline, log
                )
                continue
            for name in names:
                lacking = [c for c in step if not results.measured(name, c, plan.run_limit)]
                if lacking:
                    check(deadline)
                    _measure_graph(
                        suite,
                        plan,
                        device,
                        results,
                        prepared,
                        name,
                        lacking,
                        progress,
                        deadline,
                        log,
                    )
    except Cancelled:
        if not deadline.expired:
            raise
        log(f"the time limit of {plan.time_limit:g} s ended the session; run it again to go on")
        return results, False
    finally:
        results.save()
    return results, True


def _graphs_within(suite: Suite, plan: Plan, within: str) -> list[str]:
    """Return the graphs of a set, or all."""
    return [name for name in plan.graphs if not within or within in suite.sets_of(name)]


def _lacking(
    results: Results, plan: Plan, steps: Sequence[tuple[list[str], list[Case]]]
) -> list[str]:
    """Return the graphs on which a case of the steps has not been measured."""
    return [
        name
        for name in plan.graphs
        if any(
            name in names and not results.measured(name, case, plan.run_limit)
            for names, step in steps
            for case in step
        )
    ]


def choose_experiments(suite: Suite, names: Sequence[str]) -> list[Experiment]:
    """Return the experiments called `names`, or all."""
    known = {experiment.name: experiment for experiment in suite.experiments}
    for name in names:
        if name not in known:
            raise ParameterError(
                f"{suite.family} has no experiment {name!r}; it has {', '.join(known)}"
            )
    return [known[name] for name in names] or list(suite.experiments)


def _steps(
    suite: Suite, experiments: Sequence[Experiment], cores: int
) -> list[tuple[str, list[Case]]]:
    """Return the cases in steps, each case once; every step runs on all graphs of a set.

    Cases of the summary come first, then the other experiments one after the other, so that a short
    session measures the most important cases on all graphs. Cases in separate processes are the
    last step of both parts, since several of them run at a time.
    """
    steps: list[tuple[str, list[Case]]] = []
    seen: set[tuple[str, str]] = set()
    for first in (True, False):
        separate: dict[str, list[Case]] = {}
        for experiment in experiments:
            if (experiment.name == suite.contest.experiment) is not first:
                continue
            new: list[Case] = []
            for case in experiment.cases(cores):
                if not {(case.key, ""), (case.key, experiment.within)} & seen:
                    seen.add((case.key, experiment.within))
                    new.append(case)
            steps.append((experiment.within, [case for case in new if not case.separate]))
            separate.setdefault(experiment.within, []).extend(case for case in new if case.separate)
        steps += separate.items()
    return [step for step in steps if step[1]]


def _measure_graph(
    suite: Suite,
    plan: Plan,
    device: Device,
    results: Results,
    prepared: cache.PreparedGraphs,
    name: str,
    cases: list[Case],
    progress: Progress | None,
    deadline: Deadline,
    log: Callable[[str], None],
) -> None:
    if progress is not None:
        progress(f"loading {name}", 0, 0)
    graph = prepared.get(name)
    results.describe_graph(name, graph_facts(suite, graph))
    facts = results.data["graphs"][name]
    if suite.facts_on is not None and "on_device" not in facts:
        facts["on_device"] = suite.facts_on(graph, device)
    for done, case in enumerate(cases):
        check(deadline)
        if progress is not None:
            progress(f"{name}: {case.label}", done, len(cases))
        if reason := suite.skip(case, facts):
            _note(results, name, case, {"error": reason}, log)
            continue
        run_limit = RunLimit(plan.run_limit, deadline)
        try:
            measurement, found = measure(
                suite,
                case,
                graph,
                device,
                repeat=plan.repeat,
                case_limit=plan.case_limit,
                cancel=run_limit,
                begin=run_limit.begin,
            )
        except Cancelled:
            check(deadline)
            _note(results, name, case, unfinished(plan.run_limit), log)
            continue
        except Exception as error:  # one broken case must not end the session
            known = isinstance(error, WarplensError)
            reason = str(error) if known else f"{type(error).__name__}: {error}"
            _note(results, name, case, {"error": reason}, log)
            continue
        limits = (plan.certify_limit, plan.study_limit, plan.every_limit)
        judge(suite, case, graph, measurement, found, facts, *limits)
        _note(results, name, case, measurement, log)


def _measure_apart(
    suite: Suite,
    plan: Plan,
    results: Results,
    cases: Sequence[Case],
    names: Sequence[str],
    graph_cache: Path,
    progress: Progress | None,
    deadline: Deadline,
    log: Callable[[str], None],
) -> None:
    """Measure the cases that run in separate processes, on these graphs, the largest first."""
    sizes = {name: facts["edges"] for name, facts in results.data["graphs"].items()}
    jobs = [
        Job(
            suite.family,
            name,
            case,
            graph_cache,
            plan.repeat,
            plan.case_limit,
            plan.certify_limit,
            plan.every_limit,
            plan.study_limit,
            _known(results, name),
        )
        for name in sorted(names, key=lambda name: -sizes.get(name, 0))
        for case in cases
        if not results.measured(name, case, plan.run_limit)
    ]
    for done, (job, facts, found) in enumerate(
        run_jobs(jobs, plan.processes, plan.run_limit, deadline)
    ):
        if progress is not None:
            progress(f"{job.graph}: {job.case.label}", done, len(jobs))
        if not facts and job.graph not in results.data["graphs"]:
            raise GraphError(f"{job.graph}: {found['error']}")
        if facts:
            results.describe_graph(job.graph, facts)
        if known := found.pop("known", None):
            results.learn(job.graph, known)
        _note(results, job.graph, job.case, found | {"beside": plan.processes}, log)


def _known(results: Results, graph: str) -> dict[str, Any]:
    """Return the known facts about a graph's solutions."""
    kept = results.data["graphs"].get(graph, {})
    return {key: kept[key] for key in ("solutions", "proved") if key in kept}


def _note(
    results: Results,
    graph: str,
    case: Case,
    measurement: dict[str, Any],
    log: Callable[[str], None],
) -> None:
    """Store a measurement or a failure and report it; a missing peer is not reported."""
    results.add(graph, case, {"params": case.params, **measurement})
    if "seconds" in measurement:
        log(f"{graph}: {case.label}: {measurement['seconds'] * 1e3:.3f} ms")
    elif not case.optional or "limit" in measurement:
        log(f"{graph}: {case.label}: {measurement['error']}")
