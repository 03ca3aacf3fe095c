"""How a family is shown, as data: what its pages ask, count, draw and write.

A view holds no widgets. Dashboard and charts know no family; they read its view.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from .charts.spec import ChartSet
from .sources.graphs import Sources

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Progress
    from gpucore.record import Record, Timeline
    from gpucore.result import Result

    from .code.book import CodeBook
    from .limits import Limits
    from .page.jobs import Jobs


#: What else the browser gets: entries of the message's header, and arrays.
Extras = tuple[dict[str, Any], dict[str, np.ndarray]]


@dataclass(frozen=True)
class Choice:
    """One parameter of the algorithms that a visitor may set.

    Attributes
    ----------
    name : str
        The parameter; it is asked for where the chosen algorithm has it.
    label : str
        For people.
    options : tuple of (str, value)
        What can be chosen, the default first.
    variants : tuple of str
        The variants it matters for; empty for all.
    """

    name: str
    label: str
    options: tuple[tuple[str, Any], ...]
    variants: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measure:
    """A quantity of a warp in an iteration, for the warp map.

    Attributes
    ----------
    label : str
        For people.
    values : callable
        Takes the record's warp columns, returns one number a row.
    unit : str
        Follows the number.
    """

    label: str
    values: Callable[[Mapping[str, np.ndarray]], np.ndarray]
    unit: str = ""


@dataclass(frozen=True)
class Contest:
    """Runs of one graph that are worth being seen side by side.

    Attributes
    ----------
    title, note : str
        For people.
    runs : tuple of mapping
        What is chosen for each run, see :meth:`app.comparison.contenders.ContenderChooser.choose`.
    schedules : int
        If not 0, the one run is repeated under this many seeds of the schedule.
    graph : str
        On which it is best seen, as a link names it; if empty, that which is on the page.
    """

    title: str
    note: str
    runs: tuple[Mapping[str, Any], ...]
    schedules: int = 0
    graph: str = ""


@dataclass(frozen=True)
class Services:
    """What a page offers to a family's own cards.

    Attributes
    ----------
    limits : Limits
    jobs : Jobs
        Runs work in the background.
    busy : callable
        Takes its progress.
    begin : callable
        Called without arguments before work is begun.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.
    """

    limits: Limits
    jobs: Jobs
    busy: Progress
    begin: Callable[[], None]
    guard: Callable[[Callable[..., Any]], Callable[..., Any]]


class Panel(Protocol):
    """A card of a family's own, below the code."""

    widget: Any

    def clear(self) -> None:
        """Show nothing: there is no run."""

    def show(self, graph: Graph, result: Result) -> None:
        """Show what there is of a run on a graph."""


@dataclass(frozen=True)
class View:
    """How a family is shown.

    Attributes
    ----------
    family, title : str
        The family's name in the registry, and for people.
    algorithm, variant : str
        What is chosen at first.
    graph : str
        Graph that is loaded at first.
    sources : Sources
        What else can be chosen, and how it is read.
    variants : mapping of str to str
        A short explanation of each variant.
    choices : tuple of Choice
        Parameters that are asked for.
    prepare : callable
        Makes any graph fit for the family.
    state : callable
        ``state(n)`` returns the family's state of `n` vertices before anything happened.
    result : callable
        ``result(record, graph)`` returns what the final state of an opened record says.
    figures : callable
        ``figures(result, graph)`` returns the lines of the results card.
    objective : callable
        ``objective(timeline)`` returns the family's objective after 0, 1, ... events, in
        float64, for the curve.
    objective_label, objective_note : str
        What that is.
    measures : tuple of Measure
        Of the warp map, the default first.
    eventless : callable
        ``eventless(graph)`` says why runs on a graph have no events; empty if they have some.
    charts : ChartSet
        What else is drawn, see :mod:`app.charts.spec`.
    solution : str
        Noun for the result of a run.
    unlike : str
        What can be said where certified runs end in different ones.
    compared : tuple of str
        State fields in which two runs are compared, vertex by vertex; empty for all.
    contests : tuple of Contest
        Comparisons that are offered, the default first.
    alike : callable or None
        ``alike(result, first)`` returns lines that compare a result with that of the first run.
    picture : callable or None
        ``picture(result)`` returns the state that a result without a record ended in, so that it
        can be seen beside others.
    extras : callable or None
        ``extras(graph, header)`` returns what else the picture has to know of a graph and of a
        run, beyond vertices, edges and events: entries of the message's header, and arrays.
    panels : tuple of callable
        Make the family's own cards from :class:`Services`.
    code : CodeBook or None
        Pseudo-code and kernel source, see :mod:`app.code.book`.
    """

    family: str
    title: str
    algorithm: str
    variant: str
    graph: str
    variants: Mapping[str, str]
    choices: tuple[Choice, ...]
    prepare: Callable[[Graph], Graph]
    state: Callable[[int], dict[str, np.ndarray]]
    result: Callable[[Record, Graph], Result]
    figures: Callable[[Result, Graph], list[tuple[str, str]]]
    objective: Callable[[Timeline], np.ndarray]
    objective_label: str
    objective_note: str
    measures: tuple[Measure, ...]
    sources: Sources = field(default_factory=Sources)
    charts: ChartSet = field(default_factory=ChartSet)
    eventless: Callable[[Graph], str] = lambda graph: ""
    solution: str = "result"
    unlike: str = ""
    compared: tuple[str, ...] = ()
    contests: tuple[Contest, ...] = ()
    alike: Callable[[Result, Result], list[tuple[str, str]]] | None = None
    picture: Callable[[Result], dict[str, np.ndarray]] | None = None
    extras: Callable[[Graph, Mapping[str, Any]], Extras] | None = None
    panels: tuple[Callable[[Services], Panel], ...] = ()
    code: CodeBook | None = None


def as_recorded(record: Record) -> dict[str, Any]:
    """Return the fields of a result that every record knows; how long it took is none of them."""
    header = record.header
    return {
        "algorithm": header["algorithm"],
        "device": header["device"],
        "seconds": math.nan,
        "params": {"variant": header["variant"], **header["params"]},
        "record": record,
    }
