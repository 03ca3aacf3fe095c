"""The view of a family: the declarations of parameters, measures and texts of its pages.

A view holds no widgets. Dashboard and charts are the same for all families; they read the view.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from gpucore.declarations import resolve
from gpucore.family import algorithms, as_declared, get_family, methods
from gpucore.params import settle
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Progress

from .charts.spec import ChartSet
from .limits import PageLimits
from .measures import Measure
from .sources.graphs import Sources

if TYPE_CHECKING:
    import ipywidgets as w

    from gpucore.record import Record, Timeline
    from gpucore.result import Result

    from .code.book import CodeBook
    from .errors import Guard
    from .jobs import Jobs, Work


#: Additional data of a message to the browser: entries of its header, and arrays.
Extras = tuple[dict[str, Any], dict[str, np.ndarray]]
#: A value of a parameter.
Value = str | int | float | bool


@dataclass(frozen=True)
class Choice:
    """One parameter of the algorithms that a visitor may set.

    Attributes
    ----------
    name : str
        The parameter; its field is shown where the chosen algorithm has it.
    label : str
        Display label.
    options : tuple of (str, value)
        The choices, the default first.
    first : value, optional
        What a page chooses at first, if not the default.
    variants : tuple of str
        The variants that it applies to; empty for all.
    slider : bool
        Whether the options are places of a slider, in their order; the default is then `first`.
    methods : bool
        Whether the family's CPU methods have this parameter, too.
    """

    name: str
    label: str
    options: tuple[tuple[str, Value], ...]
    variants: tuple[str, ...] = ()
    first: Value | None = None
    slider: bool = False
    methods: bool = False

    @property
    def initial(self) -> Value:
        """The value that a page chooses at first."""
        return self.options[0][1] if self.first is None else self.first


@dataclass(frozen=True)
class OfferedComparison:
    """A comparison that the compare page offers: runs on one graph.

    Attributes
    ----------
    title, note : str
        Display text.
    runs : tuple of mapping
        The choices for each run, see :meth:`app.comparison.contenders.ContenderChooser.choose`.
    schedules : int
        If not 0, the one run is repeated under this many seeds of the schedule.
    graph : str
        Name of the graph to load, as in links; empty for the graph on the page.
    """

    title: str
    note: str
    runs: tuple[Mapping[str, Value], ...]
    schedules: int = 0
    graph: str = ""


@dataclass(frozen=True)
class Services:
    """The services of a page for a family's own cards.

    Attributes
    ----------
    limits : PageLimits
    jobs : Jobs
        Runs work in the background.
    busy : callable
        Shows its progress.
    begin : callable
        Called without arguments before work starts.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    themed : callable
        ``themed(call)`` makes the page call ``call(dark)`` whenever it becomes dark or light.
    """

    limits: PageLimits
    jobs: Jobs
    busy: Progress
    begin: Callable[[], None]
    guard: Guard
    themed: Callable[[Callable[[bool], None]], None] = lambda call: None

    def start(self, work: Work, done: Callable[[Any], None], seconds: float | None = None) -> None:
        """Do `work` in the background, then call `done` with what it returned."""
        most = self.limits.run_seconds if seconds is None else seconds
        self.jobs.start(work, done, begin=self.begin, progress=self.busy, seconds=most)


class Panel(Protocol):
    """A family's own card, behind a tab below the player; `title` is the tab's text."""

    title: str
    widget: w.Widget

    def clear(self) -> None:
        """Show nothing: there is no run."""

    def show(self, graph: Graph, result: Result) -> None:
        """Show a run on a graph."""


@dataclass(frozen=True)
class View:
    """The view of a family.

    Attributes
    ----------
    family : str
        The family's name in the registry.
    algorithm, variant : str
        The first choice.
    graph : str
        Name of the first graph.
    sources : Sources
        The graphs that can be chosen, and their readers.
    prepare : callable
        Returns a graph in the form that the family needs; by default as the family declares.
    choices : tuple of Choice
        Parameters that a visitor can set.
    state : callable
        ``state(n)`` returns the family's initial state of `n` vertices.
    result : callable
        ``result(record, graph)`` returns the result at the end of an opened record.
    measures : callable
        ``measures(result, graph)`` returns the lines of the results card.
    objective : callable
        ``objective(timeline)`` returns the family's objective after 0, 1, ... events, in
        float64, for the curve.
    objective_label, objective_note : str
        Display text about the objective.
    turn : str
        What the record numbers as iterations, in the singular: "iteration", "launch", "round"; the
        columns of the warp map.
    warp_measures : tuple of Measure
        Measures of the warp map, the default first.
    no_events_reason : callable
        ``no_events_reason(graph)`` returns why runs on a graph have no events; empty if they have
        events.
    charts : ChartSet
        The charts besides the objective, see :mod:`app.charts.spec`.
    solution : str
        Noun for the result of a run.
    difference_note : str
        Sentence for certified runs that end in different solutions.
    compared : tuple of str
        State fields in which two runs are compared, vertex by vertex; empty for all.
    comparisons : tuple of OfferedComparison
        Comparisons that are offered, the default first, where their runners are installed.
    guests : mapping of str to callable
        CPU methods of other families whose results can be compared; ``guests[name](result)``
        returns such a result as one of this family.
    alike : callable or None
        ``alike(result, first)`` returns lines that compare a result with that of the first run.
    apart : callable or None
        ``apart(results)`` says in a sentence how far results of real numbers are from each other,
        of which hardly a vertex is equal; None where equal vertices are counted.
    picture : callable or None
        ``picture(result)`` returns the final state of a result without a record, so that it can be
        shown beside others.
    extras : callable or None
        ``extras(graph, header)`` returns additional data about a graph and a run for the picture,
        besides vertices, edges and events: entries of the message's header, and arrays.
    columns : tuple of str
        Columns of the events that the picture needs, besides those that every picture has.
    panels : tuple of str
        ``"module:NAME"`` of what makes each of the family's own cards (:class:`Panel`) from
        :class:`Services`; it is imported with the page.
    code : CodeBook or None
        Pseudo-code and kernel source, see :mod:`app.code.book`.
    """

    family: str
    algorithm: str
    variant: str
    graph: str
    choices: tuple[Choice, ...]
    state: Callable[[int], dict[str, np.ndarray]]
    result: Callable[[Record, Graph], Result]
    measures: Callable[[Result, Graph], list[tuple[str, str]]]
    objective: Callable[[Timeline], np.ndarray]
    objective_label: str
    objective_note: str
    warp_measures: tuple[Measure, ...]
    sources: Sources = field(default_factory=Sources)
    prepare: Callable[[Graph], Graph] = as_declared
    charts: ChartSet = field(default_factory=ChartSet)
    no_events_reason: Callable[[Graph], str] = lambda graph: ""
    solution: str = "result"
    difference_note: str = ""
    turn: str = "iteration"
    compared: tuple[str, ...] = ()
    comparisons: tuple[OfferedComparison, ...] = ()
    guests: Mapping[str, Callable[[Result], Result]] = field(default_factory=dict)
    alike: Callable[[Result, Result], list[tuple[str, str]]] | None = None
    apart: Callable[[Sequence[Result]], str] | None = None
    picture: Callable[[Result], dict[str, np.ndarray]] | None = None
    extras: Callable[[Graph, Mapping[str, Any]], Extras] | None = None
    columns: tuple[str, ...] = ()
    panels: tuple[str, ...] = ()
    code: CodeBook | None = None

    def __post_init__(self) -> None:
        if self.prepare is as_declared:
            settle(self, prepare=get_family(self.family).prepared)

    def installed_comparisons(self) -> list[OfferedComparison]:
        """Load all families; return the comparisons whose runners can run here.

        Notes say which of them are not played.
        """
        known = {**algorithms(), **methods()}
        found = []
        for offered in self.comparisons:
            runners = [known[run["name"]] for run in offered.runs if run["name"] in known]
            if any(runner.available() for runner in runners):
                continue
            silent = [r.title for r in runners if not (r.records and r.family == self.family)]
            more = f" is not played: its figures and its {self.solution} are compared."
            notes = [f"{title}{more}" for title in silent if more not in offered.note]
            found.append(dataclasses.replace(offered, note=" ".join([offered.note, *notes])))
        return found

    def load_panels(self) -> list[Callable[[Services], Panel]]:
        """Import what makes the family's own cards."""
        return [resolve(name, f"{__package__}.families.{self.family}") for name in self.panels]


def filled(fields: Mapping[str, float]) -> Callable[[int], dict[str, np.ndarray]]:
    """Return a function that makes the state of `n` vertices: each field has one value, int32."""
    return lambda n: {name: np.full(n, value, np.int32) for name, value in fields.items()}


def as_recorded(record: Record) -> dict[str, Any]:
    """Return the fields of a result that every record has; the time is not one of them."""
    header = record.header
    return {
        "algorithm": header["algorithm"],
        "device": header["device"],
        "seconds": math.nan,
        "params": {"variant": header["variant"], **header["params"]},
        "record": record,
    }
