"""What a family declares of its benchmarks: cases, experiments, and how they are judged."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from gpucore.errors import ParameterError
from gpucore.family import families

if TYPE_CHECKING:
    from gpucore.bench.summary import Data
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
    "none",
]
#: Which time of a case an experiment compares: the whole, or what follows a common beginning.
Clock = Literal["seconds", "after"]


@dataclass(frozen=True)
class Case:
    """One thing to time on every graph.

    Attributes
    ----------
    label : str
        Its name in tables and plots.
    runner : str
        An algorithm or a CPU method, by registry name.
    params : dict
        What the runner is called with (variant, threads per block, threads, ...).
    where : {"device", "cpu"}
        On the device under test, or on the processor beside it whatever the device.
    optional : bool
        A peer: it may be missing (skipped, not an error) and may break ties its own way.
    study : bool
        One of many settings whose solutions are not worth the time of a certificate, nor its
        memory a look.
    keep : tuple of str
        Figures with parts (lists of stages, ...) that are kept with the measurement.
    apart : bool
        Run in a process of its own, which is stopped if a run takes longer than the session
        allows: for sequential methods that may take minutes.
    runs : int or None
        Most runs, the first included, where figures other than times are wanted; None for as many
        as the session makes.
    """

    label: str
    runner: str
    params: dict[str, Any] = field(default_factory=dict)
    where: Literal["device", "cpu"] = "device"
    optional: bool = False
    study: bool = False
    keep: tuple[str, ...] = ()
    apart: bool = False
    runs: int | None = None

    @property
    def key(self) -> str:
        """What makes two cases the same measurement, whichever experiment asks for it."""
        params = ",".join(f"{name}={self.params[name]}" for name in sorted(self.params))
        return f"{self.runner}({params})@{self.where}"


@dataclass(frozen=True)
class Experiment:
    """A question, and the cases that answer it.

    Attributes
    ----------
    name, title : str
        For files and for people.
    source : str
        The figure of the paper that it repeats, or why it is ours.
    cases : callable
        ``cases(cores)`` returns the cases; `cores` is the number of the machine's cores.
    plot : {"profile", "bars", "speed-up", "stages", "grid-quality", "grid-speed", ...}
        A performance profile over the graphs; times graph by graph; times of the baseline by
        times of the others; time of each stage of the first case; quality, or speed, of the mean
        graph at all values of two parameters; "speed-up profile": how often the others are how
        many times faster than the fastest reference; "overall speed-up": their mean over each
        reference; "levels": levels of every phase; "none": the
        family's own tables or pictures tell of it.
    baseline : Case or None
        What "speed-up" compares with, and "grid-quality" where it was measured.
    axes : tuple of str
        The two parameters of a grid: along the axis, and one line for each value.
    all_peers : bool
        Whether other libraries are drawn beside the cases wherever they ran.
    references : tuple of Case
        What "speed-up profile" and "overall speed-up" compare with.
    clock : {"seconds", "after"}
        Which time counts, see :attr:`Suite.before`.
    by_set : bool
        Whether each set of graphs (the fact "sets" of a graph) has a picture of its own.
    within : str
        The set of graphs on which it is made, see :attr:`Suite.sets_of`; empty for all.
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


@dataclass(frozen=True)
class Contest:
    """Which of our methods the summary sets against which others.

    Attributes
    ----------
    champion, experiment : str
        Label of our method, and the experiment that measures it.
    rivals : tuple of str
        Experiments whose fastest case, graph by graph, is the rival.
    agree : {"solution", "quality", "nothing"}
        Whether all methods must find the same solution, or solutions of the same quality. Where
        they need not, the summary shows the worst quality of our method's runs.
    rivals_name : str
        What the fastest rivals are called together where they are compared with peers; empty if
        they are not.
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


@dataclass(frozen=True)
class Suite:
    """A family's benchmarks.

    Attributes
    ----------
    family, title : str
        The family's name, and one for people.
    graphs, small_graphs : tuple of str
        What is measured on a GPU, and on the host device, when no graphs are named.
    prepare : callable
        ``prepare(graph)`` makes any graph a problem of the family.
    experiments : tuple of Experiment
        In the order in which they are run.
    contest : Contest
        The comparison that the summary makes.
    least_bytes : callable
        ``least_bytes(graph)``: the bytes that any method must move, for the bandwidth floor.
    least_bytes_why : str
        What these bytes are, in words.
    quality : str
        The figure of merit (``weight``, ...); see :class:`Contest` for whether it must agree.
    rated : str
        The figure of which the tables tell how many a second there are; empty for edges.
    digest : callable
        ``digest(result)``: a short string equal for equal solutions.
    quality_format : str
        How many digits of the quality tell methods apart.
    recheck : callable or None
        ``recheck(graph, result)``: a quicker proof, by independent code too, for graphs on which
        a whole certificate takes too long.
    valid : callable or None
        ``valid(graph, result)``: whether this is a solution at all. Where the best quality is
        known, because a certificate has proved it, a valid solution of that quality needs no
        certificate of its own.
    facts : callable
        ``facts(graph)``: further numbers about a graph that belong beside its times. They can
        take the place of its own ``max_degree`` and ``fingerprint``. Bytes that any method must
        move for a figure of the solution are told by that figure in ``bytes_each``.
    load : callable or None
        ``load(name)`` for graphs that are no benchmark graphs; None for :func:`gpucore.load`.
    sets_of : callable
        ``sets_of(name)``: the sets to which the graph of that name belongs, for experiments that
        are made on one of them.
    before : str
        Figure with the seconds of a beginning that methods share (an initial matching); what
        follows is the clock "after". The whole time counts for a method without that figure.
    before_why : str
        What that beginning is, in words.
    tables : callable
        ``tables(data)``: further tables of the report, each with a title, a head and rows.
    pictures : callable
        ``pictures(data)``: SVG files by experiment, of experiments that the harness does not draw
        (plot "none").
    """

    family: str
    title: str
    graphs: tuple[str, ...]
    small_graphs: tuple[str, ...]
    prepare: Callable[[Graph], Graph]
    experiments: tuple[Experiment, ...]
    contest: Contest
    least_bytes: Callable[[Graph], int]
    least_bytes_why: str
    quality: str
    digest: Callable[[Any], str]
    quality_format: str = "{:.2f}"
    rated: str = ""
    recheck: Callable[[Graph, Any], bool] | None = None
    valid: Callable[[Graph, Any], bool] | None = None
    facts: Callable[[Graph], dict[str, Any]] = lambda graph: {}
    load: Callable[[str], Graph] | None = None
    sets_of: Callable[[str], list[str]] = lambda name: []
    before: str = ""
    before_why: str = ""
    tables: Callable[[Data], list[Table]] = lambda data: []
    pictures: Callable[[Data], dict[str, str]] = lambda data: {}


def suites() -> dict[str, Suite]:
    """Return all suites by family."""
    return {name: family.load_suite() for name, family in families().items() if family.bench}


def get_suite(family: str) -> Suite:
    """Return the suite of `family`, or raise ParameterError with the known ones."""
    known = [name for name, declared in families().items() if declared.bench]
    if family not in known:
        raise ParameterError(
            f"there are no benchmarks for {family!r}; there are some for {', '.join(known)}"
        )
    return families()[family].load_suite()
