"""One benchmark session: most important cases first, resumable, all measurements saved."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpucore.bench import cache
from gpucore.bench.harness import Deadline, RunLimit, copy_bandwidth, measure
from gpucore.bench.judge import graph_facts, judge
from gpucore.bench.plan import Plan
from gpucore.bench.processes import Job, failure, run_jobs, unfinished
from gpucore.bench.results import FIX, Results
from gpucore.bench.setup import describe_setup, usable_cores
from gpucore.bench.suite import Case, Experiment, Suite
from gpucore.errors import Cancelled, GraphError, ParameterError, RecordError
from gpucore.progress import Cancel, Progress, check
from gpucore.saving import new_folder

if TYPE_CHECKING:
    from gpucore.device import Device


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
    with new_folder(output, RecordError, FIX):
        results = Results.open(output / f"{suite.family}.json", suite.family, setup, protocol)
        results.data["setup"] = setup
        results.data["least_bytes_why"] = suite.least_bytes_why
        for experiment in experiments:
            results.declare(experiment, experiment.cases(cores))
        if results.data["copy"] is None:
            results.data["copy"] = copy_bandwidth(device, cancel=cancel)
        if suite.on_device is not None and "device_figures" not in results.data:
            results.data["device_figures"] = suite.on_device(device)
        results.save()

    session = _Session(suite, plan, device, results, graph_cache, progress, deadline, log)
    try:
        session.measure(experiments, cores)
    except Cancelled:
        if not deadline.expired:
            raise
        log(f"the time limit of {plan.time_limit:g} s ended the session; run it again to go on")
        return results, False
    finally:
        results.save()
    return results, True


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


@dataclass
class _Session:
    """What the steps of a session share; see :func:`run_session`."""

    suite: Suite
    plan: Plan
    device: Device
    results: Results
    graph_cache: Path
    progress: Progress | None
    deadline: Deadline
    log: Callable[[str], None]

    def __post_init__(self) -> None:
        suite = self.suite
        self.prepared = cache.PreparedGraphs(self.graph_cache, suite.load, suite.prepare)

    def measure(self, experiments: Sequence[Experiment], cores: int) -> None:
        """Measure what is missing of all experiments, step by step."""
        steps = _steps(self.suite, experiments, cores)
        lacking = {name for within, step in steps for name in self._lacking(within, step)}
        needed = [name for name in self.plan.graphs if name in lacking]
        cache.generate_missing(
            needed, self.graph_cache, progress=self.progress, cancel=self.deadline
        )
        for within, step in steps:
            if step[0].separate:
                self._measure_apart(self._lacking(within, step))
                continue
            for name, cases in self._lacking(within, step).items():
                check(self.deadline)
                self._measure_graph(name, cases)

    def _lacking(self, within: str, step: list[Case]) -> dict[str, list[Case]]:
        """Return the graphs of a set, or all, with the cases that were not measured on them."""
        suite, limit = self.suite, self.plan.run_limit
        lacking = {
            name: [case for case in step if not self.results.measured(name, case, limit)]
            for name in self.plan.graphs
            if not within or within in suite.sets_of(name)
        }
        return {name: cases for name, cases in lacking.items() if cases}

    def _measure_graph(self, name: str, cases: list[Case]) -> None:
        self._report(f"loading {name}", 0, 0)
        suite, plan, graph = self.suite, self.plan, self.prepared.get(name)
        self.results.describe_graph(name, graph_facts(suite, graph))
        facts = self.results.data["graphs"][name]
        if suite.facts_on is not None and "on_device" not in facts:
            facts["on_device"] = suite.facts_on(graph, self.device)
        for done, case in enumerate(cases):
            check(self.deadline)
            self._report(f"{name}: {case.label}", done, len(cases))
            if reason := suite.skip(case, facts):
                self._note(name, case, {"error": reason})
                continue
            run_limit = RunLimit(plan.run_limit, self.deadline)
            try:
                measurement, found = measure(
                    suite,
                    case,
                    graph,
                    self.device,
                    repeat=plan.repeat,
                    case_limit=plan.case_limit,
                    cancel=run_limit,
                    begin=run_limit.begin,
                )
            except Cancelled:
                check(self.deadline)
                measurement = unfinished(plan.run_limit)
            except Exception as error:  # one broken case must not end the session
                measurement = {"error": failure(error)}
            else:
                judge(suite, case, graph, measurement, found, facts, plan)
            self._note(name, case, measurement)

    def _measure_apart(self, lacking: dict[str, list[Case]]) -> None:
        """Measure cases that run in separate processes, on the largest graphs first."""
        graphs, plan = self.results.data["graphs"], self.plan
        sizes = {name: facts["edges"] for name, facts in graphs.items()}
        jobs = [
            Job(self.suite.family, name, case, self.graph_cache, plan, self._known(name))
            for name in sorted(lacking, key=lambda name: -sizes.get(name, 0))
            for case in lacking[name]
        ]
        outcomes = run_jobs(jobs, plan.processes, plan.run_limit, self.deadline)
        for done, (job, facts, found) in enumerate(outcomes):
            self._report(f"{job.graph}: {job.case.label}", done, len(jobs))
            if not facts and job.graph not in graphs:
                raise GraphError(f"{job.graph}: {found['error']}")
            if facts:
                self.results.describe_graph(job.graph, facts)
            if known := found.pop("known", None):
                self.results.learn(job.graph, known)
            self._note(job.graph, job.case, found | {"beside": plan.processes})

    def _known(self, graph: str) -> dict[str, Any]:
        """Return the known facts about a graph's solutions."""
        kept = self.results.data["graphs"].get(graph, {})
        return {key: kept[key] for key in ("solutions", "proved") if key in kept}

    def _report(self, what: str, done: int, of: int) -> None:
        if self.progress is not None:
            self.progress(what, done, of)

    def _note(self, graph: str, case: Case, measurement: dict[str, Any]) -> None:
        """Store a measurement or a failure and log it, but for a missing peer."""
        self.results.add(graph, case, {"params": case.params, **measurement})
        if "seconds" in measurement:
            self.log(f"{graph}: {case.label}: {measurement['seconds'] * 1e3:.3f} ms")
        elif not case.optional or "limit" in measurement:
            self.log(f"{graph}: {case.label}: {measurement['error']}")
