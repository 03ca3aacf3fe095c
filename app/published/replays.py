"""What a static page shows of a record, computed once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from gpucore.errors import ParameterError, RecordError
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record

from .. import cards
from ..cards.solution_card import solution_card
from ..code.playable import playable
from ..comparison.contenders import Contender
from ..comparison.results import Side, players, solutions_of, table_card, verdict_card, with_warps
from ..limits import PageLimits
from ..outcomes.loading import Loaded, laid_out
from ..outcomes.outcome import Outcome, recorded_outcome, where
from ..outcomes.record_files import can_rebuild, check_record, graph_of, is_of, wanted
from ..pages import get_view
from ..stories.format import Story
from ..stories.shown import shown_story
from ..view import View

if TYPE_CHECKING:
    from .charts import Chart

#: Runs that play side by side on one page.
MOST_TOGETHER = 4


@dataclass(frozen=True)
class Replay:
    """What a page shows.

    Attributes
    ----------
    title : str
        Heading.
    families : tuple of str
        Families whose pictures it needs.
    message : bytes
        For the player, or for the players side by side.
    look : str
        What to look at.
    together : bool
        Whether several runs play on one clock.
    events : int
        Length of the replay; of the longest run where there are several.
    made_on : str
        Display name of the device.
    results : list of str
        Cards below the player, as HTML.
    listing, sources : dict and list
        Pseudo-code and kernels, see :class:`app.widgets.code.CodePanes`.
    kernels : callable
        Returns those that the playground opens, see :func:`app.code.playable.playable`.
    charts : callable
        Returns them; the import of Bokeh waits for the call.
    first : int
        The event at which the page opens.
    story : dict
        The story that the page plays, see :func:`app.stories.shown.shown_story`; empty for none.
    """

    title: str
    families: tuple[str, ...]
    message: bytes
    look: str = ""
    together: bool = False
    events: int = 0
    made_on: str = ""
    results: list[str] = field(default_factory=list)
    listing: dict[str, Any] = field(default_factory=dict)
    sources: list[dict[str, Any]] = field(default_factory=list)
    kernels: Callable[[], list[dict[str, str]]] = list
    charts: Callable[[], list[Chart]] = list
    first: int = 0
    story: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class _Played(Contender):
    """A record as one side of a comparison; its title is its label."""

    title: str = ""

    @property
    def label(self) -> str:
        """Label of the run on the page."""
        return self.title


def replay_of(
    record: Record,
    limits: PageLimits,
    *,
    title: str = "",
    look: str = "",
    graph: Graph | None = None,
    story: Story | None = None,
) -> Replay:
    """Return what a page shows of one record.

    Parameters
    ----------
    record : Record
    limits : PageLimits
        Bounds the graph and the message to the browser.
    title, look : str
        Heading, by default the graph and the algorithm; and what to look at.
    graph : Graph, optional
        The record's graph if it came from a file.
    story : Story, optional
        A story about this record.

    Raises
    ------
    RecordError
        The record is damaged, is not of this graph, has no events, or is too large.
    ParameterError
        The story claims what the record does not hold.
    """
    outcome = _outcome(record, _view_of(record), limits, graph)
    replay = replay_of_outcome(outcome, title=title, look=look)
    if story is None:
        return replay
    drawn, played = outcome.loaded.prepared, outcome.result.record
    assert played is not None
    return replace(replay, story=shown_story(story, played, drawn.num_vertices, drawn.names))


def comparison_of(
    records: Sequence[Record],
    limits: PageLimits,
    *,
    titles: Sequence[str] = (),
    graph: Graph | None = None,
) -> Replay:
    """Return what a page shows of several records of one graph, which play on one clock.

    Raises
    ------
    ParameterError
        There are fewer than two records, or more than a page shows.
    RecordError
        As for one record; or the records are of different families or graphs.
    """
    if not 2 <= len(records) <= MOST_TOGETHER:
        raise ParameterError(
            f"a page compares 2 to {MOST_TOGETHER} records, not {len(records)}; write more pages"
        )
    view, first = _view_of(records[0]), records[0].header
    for record in records[1:]:
        if record.header["family"] != first["family"]:
            raise RecordError(
                f"the records are of the families {first['family']!r} and "
                f"{record.header['family']!r}; compare records of one family"
            )
        if record.header["graph"]["fingerprint"] != first["graph"]["fingerprint"]:
            raise RecordError(
                f"the records are of different graphs, {_graph_name(records[0])} and "
                f"{_graph_name(record)}; compare runs of one graph"
            )
    loaded = _load(records[0], view, limits, graph)
    outcomes = [recorded_outcome(record, loaded, view, limits) for record in records]
    return _together(outcomes, view, limits, titles)


def _view_of(record: Record) -> View:
    return get_view(str(record.header["family"]))


def _graph_name(record: Record) -> str:
    return str(record.header["graph"]["name"] or "without a name")


def _load(record: Record, view: View, limits: PageLimits, graph: Graph | None) -> Loaded:
    """Make the graph of a record again, or check the given one, and lay it out."""
    check_record(record, view)
    if graph is not None:
        prepared = view.prepare(graph)
        if not is_of(record, prepared):
            raise RecordError(f"this is not the graph of the record: {wanted(record)}")
    elif can_rebuild(record):
        prepared = graph_of(record, limits)
    else:
        raise RecordError(
            f"the record was made on a graph of your own, {_graph_name(record)}, and a record "
            "does not hold its graph; write the graph to a file if it is in none, "
            "and name the file with --graph"
        )
    return laid_out(prepared.name or "graph", prepared, prepared, limits)


def _outcome(record: Record, view: View, limits: PageLimits, graph: Graph | None) -> Outcome:
    outcome = recorded_outcome(record, _load(record, view, limits, graph), view, limits)
    if not outcome.message:
        raise RecordError(f"there is nothing to play: {outcome.refusal}")
    return outcome


def replay_of_outcome(
    outcome: Outcome, *, title: str = "", look: str = "", first: int = 0
) -> Replay:
    """Return what a page shows of a run that can be played."""
    result, record, timeline = outcome.result, outcome.result.record, outcome.timeline
    assert record is not None
    assert timeline is not None
    view = _view_of(record)
    graph = outcome.loaded.prepared
    measures = cards.measures_card(view.measures(result, graph), result.seconds, where(result))
    known = view.code is not None and (result.algorithm, result.variant) in view.code.files
    book = view.code if known else None
    return Replay(
        title=title or outcome.title,
        families=(view.family,),
        message=outcome.message,
        look=look,
        events=record.num_events,
        made_on=where(result),
        results=[
            measures,
            cards.certificate_card(result.certificate),
            solution_card(graph, [("", result)], view.family, graph.name or "graph"),
        ],
        listing=book.listing(result.algorithm, result.variant) if book else {},
        sources=book.sources(result.algorithm, result.variant) if book else [],
        kernels=partial(playable, graph, result) if book else list,
        charts=cache(partial(_charts, view, record, timeline, graph.names)),
        first=first,
    )


def _charts(*given: Any) -> list[Chart]:
    from .charts import charts_of

    return charts_of(*given)


def _load_charts(*given: Any) -> list[Chart]:
    from .charts import load_charts

    return load_charts(*given)


def _together(
    outcomes: Sequence[Outcome], view: View, limits: PageLimits, titles: Sequence[str]
) -> Replay:
    names = list(titles) or [f"{one.result.algorithm}, {one.result.variant}" for one in outcomes]
    sides = [
        Side(_side(outcome, name), outcome.result, "", outcome.timeline)
        for outcome, name in zip(outcomes, names, strict=True)
    ]
    loaded = outcomes[0].loaded
    message, remark = players(sides, loaded.prepared, loaded.positions, view, limits)
    if not message:
        raise RecordError(f"there is nothing to play: {remark}")
    records = [outcome.result.record for outcome in outcomes]
    return Replay(
        title=f"{loaded.label}: {' and '.join(names)}",
        families=(view.family,),
        message=message,
        look=remark,
        together=True,
        events=max(record.num_events for record in records if record is not None),
        results=[
            verdict_card(sides, view),
            table_card(sides, loaded.prepared, view),
            solutions_of(sides, loaded.prepared, view),
        ],
        charts=cache(partial(_load_charts, view, with_warps(sides))),
    )


def _side(outcome: Outcome, title: str) -> _Played:
    """Return a record as a contender: what ran on a GPU counts as recorded there."""
    name = str(outcome.result.device.get("name"))
    device = "gallery" if name == "cuda" else name
    return _Played(outcome.result.algorithm, device, title=title)
