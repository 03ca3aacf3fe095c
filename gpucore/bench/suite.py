"""Declaration of a family's benchmarks: cases, experiments, and their evaluation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from gpucore.errors import ParameterError
from gpucore.family import as_declared, families, get_family
from gpucore.params import settle

if TYPE_CHECKING:
    from gpucore.bench.papers.charts import Chart
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph

#: How an experiment is drawn; see :mod:`gpucore.bench.plots.experiments`.
Plot = Literal[
    "profile",
    "bars",
    "speed-up",
    "stages",
    "grid-quality",
    "grid-speed",
    "speed-up profile",
    "overall speed-up",
    "levels",
    "time-quality",
    "none",
]
#: What a results file holds, see :mod:`gpucore.bench.results`.
Data = dict[str, Any]
#: Time that an experiment compares: the whole, or the time after a common beginning.
Clock = Literal["seconds", "after"]


@dataclass(frozen=True)
class Case:
    """One thing to time on every graph.

    Attributes
    ----------
    label : str
        Name in tables and plots.
    runner : str
        An algorithm or a CPU method, by registry name.
    params : dict
        Arguments of the runner (variant, threads per block, threads, ...).
    where : {"device", "cpu"}
        On the device under test, or always on the processor.
    optional : bool
        A peer: it may be missing (skipped, not an error) and may break ties differently.
    study : bool
        One of many settings of a study: neither certified nor measured for memory.
    keep : tuple of str
        Structured figures (lists of stages, ...) that are kept with the measurement.
    separate : bool
        Run in a separate process, which is stopped if a run takes longer than the session's limit:
        for sequential methods that may take minutes.
    runs : int or None
        Largest number of runs, the warm-up included; None for the session's number. 1 is for cases
        whose times do not matter: no report shows the time of a warm-up.
    line : str
        The curve of a plot "time-quality" to which the case belongs; empty for a point.
    """

    label: str
    runner: str
    params: dict[str, Any] = field(default_factory=dict)
    where: Literal["device", "cpu"] = "device"
    optional: bool = False
    study: bool = False
    keep: tuple[str, ...] = ()
    separate: bool = False
    runs: int | None = None
    line: str = ""

    @property
    def key(self) -> str:
        """Key of the measurement; equal for equal cases of different experiments."""
        params = ",".join(f"{name}={self.params[name]}" for name in sorted(self.params))
        return f"{self.runner}({params})@{self.where}"


@dataclass(frozen=True)
class Experiment:
    """A question with the cases that answer it.

    Attributes
    ----------
    name, title : str
        Identifier and display label.
    source : str
        The paper's figure that it repeats, or the reason for an experiment of ours.
    cases : callable
        ``cases(cores)`` returns the cases; `cores` is the number of the machine's cores.
    plot : {"profile", "bars", "speed-up", "stages", "grid-quality", "grid-speed", ...}
        "profile": a performance profile over the graphs; "bars": times graph by graph; "speed-up":
        times of the baseline divided by times of the others; "stages": time of each stage of the
        first case; "grid-quality" and "grid-speed": mean over the graphs at all values of two
        parameters; "speed-up profile": share of graphs over the speed-up relative to the fastest
        reference; "overall speed-up": mean speed-up over each reference; "levels": levels of every
        phase; "time-quality": quality over time, a point for each case and a curve for each
        :attr:`Case.line`; "none": the family's own tables, charts or plots show it.
    baseline : Case or None
        Reference of "speed-up", and of "grid-quality" where it was measured.
    axes : tuple of str
        The two parameters of a grid: the first along the axis, the second with one line per value.
    all_peers : bool
        Whether other libraries are drawn beside the cases on every device.
    references : tuple of Case
        References of "speed-up profile" and "overall speed-up".
    clock : {"seconds", "after"}
        Which time counts, see :attr:`Suite.before`.
    by_set : bool
        Whether there is one plot for each set of graphs (the fact "sets" of a graph).
    within : str
        The set of graphs it runs on, see :attr:`Suite.sets_of`; empty for all.
    charts : callable
        ``charts(data)``: what is drawn of an experiment whose `plot` is "none", as of a
        :class:`gpucore.bench.papers.declare.PaperFigure`; a single chart gets its title.
    """

    name: str
    title: str
    source: str
    cases: Callable[[int], list[Case]]
    plot: Plot = "profile"
    baseline: Case | None = None
    axes: tuple[str, str] = ("", "")
    all_peers: bool = False
    references: tuple[Case, ...] = ()
    clock: Clock = "seconds"
    by_set: bool = False
    within: str = ""
    charts: Callable[[Data], list[Chart]] = lambda data: []


@dataclass(frozen=True)
class Contest:
    """The comparison in the summary: one of our methods against others.

    Attributes
    ----------
    champion, experiment : str
        Label of our method, and the experiment that measures it.
    rivals : tuple of str
        Experiments whose fastest case on each graph is the rival.
    agree : {"solution", "quality", "nothing"}
        Whether all methods must find the same solution, or solutions of the same quality. With
        "nothing" the summary shows the worst quality of our method's runs.
    rivals_name : str
        Common name of the fastest rivals in a comparison with peers; empty if there is none.
    """

    champion: str
    experiment: str
    rivals: tuple[str, ...]
    agree: Literal["solution", "quality", "nothing"] = "solution"
    rivals_name: str = ""


@dataclass(frozen=True)
class Table:
    """A table of a report, as text: one head, any number of rows, a note below."""

    title: str
    head: tuple[str, ...]
    rows: list[list[str]]
    note: str = ""


def with_rows(*tables: Table) -> list[Table]:
    """Return the tables that are not empty."""
    return [table for table in tables if table.rows]


@dataclass(frozen=True)
class Suite:
    """A family's benchmarks.

    Attributes
    ----------
    family : str
        The family's name.
    graphs, small_graphs : tuple of str
        Default graphs on a GPU, and on the host device.
    experiments : tuple of Experiment
        Experiments in the order of running.
    contest : Contest
        The comparison that the summary makes.
    least_bytes : callable
        ``least_bytes(graph)``: the bytes that any method must move, for the bandwidth floor.
    least_bytes_why : str
        Description of these bytes.
    rated : str
        The figure whose rate per second is in the tables; empty for edges.
    digest : callable
        ``digest(result)``: a short string equal for equal solutions.
    title : str
        Display label; by default the family's.
    prepare : callable
        ``prepare(graph)`` turns any graph into a problem of the family; by default as the family
        declares.
    quality : str
        The figure of merit (``weight``, ...), by default the family's objective; :class:`Contest`
        says whether it must agree.
    quality_format : str
        Format of the quality, with enough digits to distinguish methods.
    recheck : callable or None
        ``recheck(graph, result)``: a faster proof by independent code, for graphs on which a full
        certificate takes too long.
    valid : callable or None
        ``valid(graph, result)``: whether this is a solution. If a certificate has proved the best
        quality, another valid solution of that quality needs no certificate.
    facts : callable
        ``facts(graph)``: further numbers about a graph for the results file. They can replace
        ``max_degree`` and ``fingerprint``. ``bytes_each`` maps a figure of the solution to the
        bytes that any method must move for each unit of it.
    facts_on : callable or None
        ``facts_on(graph, device)``: numbers about a graph that depend on the device too; computed
        once for each graph.
    on_device : callable or None
        ``on_device(device)``: measurements of the device itself, without a graph; made once, and
        stored as ``device_figures``.
    skip : callable
        ``skip(case, facts)``: why a case is not run on a graph with these facts; empty to run it.
        The reason is stored as the case's error.
    load : callable or None
        ``load(name)`` for graphs other than benchmark graphs; None for :func:`gpucore.load`.
    sets_of : callable
        ``sets_of(name)``: the sets of the graph with that name, for experiments on one set.
    before : str
        Figure with the seconds of a beginning that methods share (an initial matching); the clock
        "after" measures the rest. A method without that figure counts with its whole time.
    before_why : str
        Description of that beginning.
    tables : callable
        ``tables(data)``: further tables of the report.
    plots : callable
        ``plots(data)``: SVG files by experiment, of experiments that the harness does not draw
        (plot "none").
    """

    family: str
    graphs: tuple[str, ...]
    small_graphs: tuple[str, ...]
    experiments: tuple[Experiment, ...]
    contest: Contest
    least_bytes: Callable[[Graph], int]
    least_bytes_why: str
    digest: Callable[[Any], str]
    title: str = ""
    prepare: Callable[[Graph], Graph] = as_declared
    quality: str = ""
    quality_format: str = "{:.2f}"
    rated: str = ""
    recheck: Callable[[Graph, Any], bool] | None = None
    valid: Callable[[Graph, Any], bool] | None = None
    facts: Callable[[Graph], dict[str, Any]] = lambda graph: {}
    facts_on: Callable[[Graph, Device], dict[str, Any]] | None = None
    on_device: Callable[[Device], dict[str, Any]] | None = None
    skip: Callable[[Case, dict[str, Any]], str] = lambda case, facts: ""
    load: Callable[[str], Graph] | None = None
    sets_of: Callable[[str], list[str]] = lambda name: []
    before: str = ""
    before_why: str = ""
    tables: Callable[[Data], list[Table]] = lambda data: []
    plots: Callable[[Data], dict[str, str]] = lambda data: {}

    def __post_init__(self) -> None:
        family = get_family(self.family)
        settle(
            self,
            title=self.title or family.title,
            prepare=family.prepared if self.prepare is as_declared else self.prepare,
            quality=self.quality or family.objective[0],
        )


def get_suite(family: str) -> Suite:
    """Return the suite of `family`, or raise ParameterError with the known ones."""
    known = [name for name, declared in families().items() if declared.bench]
    if family not in known:
        raise ParameterError(
            f"there are no benchmarks for {family!r}; there are some for {', '.join(known)}"
        )
    suite: Suite = families()[family].load_suite()
    return suite
