"""Running the contenders of a comparison, and the cards that compare their results."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from gpucore.errors import Cancelled, WarplensError
from gpucore.format import counted, human_bytes, human_time
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Cancel, Progress, check
from gpucore.record import Record, Timeline
from gpucore.record.replay import timeline_of
from gpucore.result import Result

from .. import cards
from ..cards.solution_card import solution_card
from ..clock import Track, about_time
from ..errors import plain
from ..limits import PageLimits
from ..outcomes import replay
from ..widgets.side_by_side import side_by_side_payload
from .contenders import Contender

if TYPE_CHECKING:
    from ..view import View

#: Display names of the devices of contenders.
_WHERE = {"cuda": "GPU", "gallery": "GPU, recorded", "host": "Host executor", "cpu": "CPU"}


@dataclass(frozen=True)
class Side:
    """One contender with its result.

    Attributes
    ----------
    contender : Contender
    result : Result or None
        None if it failed.
    error : str
        Why it failed.
    timeline : Timeline or None
        Its state changes, if events were recorded.
    """

    contender: Contender
    result: Result | None
    error: str = ""
    timeline: Timeline | None = None


def run_all(
    contenders: Sequence[Contender],
    graph: Graph,
    view: View,
    limits: PageLimits,
    progress: Progress,
    cancel: Cancel,
) -> list[Side]:
    """Run contenders one after the other; if one fails, its error is kept and the others still run.

    Raises
    ------
    Cancelled
    """
    record = "counters" if replay.no_events_reason(view, graph, limits) else "events"
    sides = []
    for done, contender in enumerate(contenders):
        check(cancel)
        level = "off" if contender.name in view.guests else record  # a guest has other events
        progress(f"run {done + 1} of {len(contenders)}: {contender.label}", done, len(contenders))
        start = partial(
            contender.run, graph, record=level, record_budget=limits.record_bytes, cancel=cancel
        )
        sides.append(_side(contender, start, view))
    progress("preparing the players", len(contenders), len(contenders))
    return sides


def _side(contender: Contender, start: Callable[[], Result], view: View) -> Side:
    try:
        result = start()
        if contender.name in view.guests:
            result = view.guests[contender.name](result)
    except Cancelled:
        raise
    except WarplensError as error:
        return Side(contender, None, plain(str(error)))
    if result.record is None or not result.record.num_events:
        return Side(contender, result)
    return Side(contender, result, "", timeline_of(result.record))


def players(
    sides: Sequence[Side],
    graph: Graph,
    positions: np.ndarray | None,
    view: View,
    limits: PageLimits,
) -> tuple[bytes, str]:
    """Return the message for :class:`app.widgets.side_by_side.SideBySide`.

    Returns
    -------
    message : bytes
        Empty if nothing can be played.
    remark : str
        Which runs are not played, and why.
    """
    messages, titles, tracks = [], [], []
    for side in sides:
        if side.result is not None and pictured(side, view):
            state = view.picture(side.result) if view.picture is not None else None
            messages.append(replay.still(graph, positions, view, side.contender.label, state))
            titles.append(side.contender.label)
            tracks.append(_no_track(sides))
            continue
        if side.result is None or side.result.record is None or side.timeline is None:
            continue
        record, title = side.result.record, side.contender.label
        message, refusal = replay.replay(
            view, graph, positions, record, side.timeline, title=title, limits=limits
        )
        if refusal:
            return b"", refusal
        messages.append(message)
        titles.append(title)
        tracks.append(Track.of(record))
    titles = apart(titles)
    if not any(len(track.iteration) for track in tracks):
        return b"", _no_replay_reason(sides, graph, view, limits)
    together = side_by_side_payload(
        messages,
        titles,
        tracks,
        vertices=graph.num_vertices,
        compared=view.compared or tuple(view.state(1)),
        turn=view.turn,
    )
    if len(together) > limits.payload_bytes:
        return b"", (
            f"The records take {human_bytes(len(together))} in the browser, more than the "
            f"{human_bytes(limits.payload_bytes)} that are played here; take a smaller graph to "
            "play them."
        )
    return together, " ".join(
        filter(None, [_unrecorded_remark(sides, view), about_time(tracks, titles)])
    )


def apart(labels: Sequence[str]) -> list[str]:
    """Return titles of more than two runs that say in what these differ, and not what all share.

    Examples
    --------
    >>> apart(["Suitor: NoSync, random schedule 1", "Suitor: NoSync, random schedule 2"] * 2)[:2]
    ['random schedule 1', 'random schedule 2']
    """
    parts = [label.split(", ") for label in labels]
    if len(parts) <= 2 or len({len(own) for own in parts}) > 1:
        return list(labels)
    differ = [len(set(column)) > 1 for column in zip(*parts, strict=True)]
    if not any(differ):
        return list(labels)
    return [", ".join(part for part, own in zip(row, differ, strict=True) if own) for row in parts]


def pictured(side: Side, view: View) -> bool:
    """Return whether a side is shown by its final state, since it has no record."""
    return view.picture is not None and side.result is not None and _unrecorded(side)


def with_warps(sides: Sequence[Side]) -> list[tuple[str, Record]]:
    """Return the labels and records of the sides whose warps were recorded."""
    return [
        (side.contender.label, side.result.record)
        for side in sides
        if side.result is not None
        and side.result.record is not None
        and len(side.result.record.warps["iteration"])
    ]


def _unrecorded(side: Side) -> bool:
    """Return whether a side is a run of a CPU method that was not recorded."""
    if side.contender.device != "cpu" or side.result is None:
        return False
    return side.result.record is None


def _no_track(sides: Sequence[Side]) -> Track:
    """Return the track of a run without events; it fits every clock."""
    clocks = [s.result.record.clock for s in sides if s.result is not None and s.result.record]
    nothing = np.empty(0, np.int32)
    clock = clocks[0] if clocks else None
    return Track(nothing, np.empty(0, np.int64), clock, nothing)


def _unrecorded_remark(sides: Sequence[Side], view: View) -> str:
    """Return a remark on methods that are compared by their measures only."""
    names = [s.contender.label for s in sides if _unrecorded(s)]
    if not names:
        return ""
    if view.picture is not None:
        return (
            f"{' and '.join(names)}: a CPU method without a record; its picture shows its result."
        )
    return (
        f"{' and '.join(names)}: a CPU method without a record. It cannot be "
        "watched; its result and measures are in the table."
    )


def _no_replay_reason(sides: Sequence[Side], graph: Graph, view: View, limits: PageLimits) -> str:
    if all(side.result is None for side in sides):
        return ""
    if why := replay.no_events_reason(view, graph, limits):
        return f"{why} The table below compares the results."
    if all(_unrecorded(side) for side in sides if side.result is not None):
        return (
            "These methods keep no record, so there is nothing to play; the table "
            "compares their results and measures. Choose a kernel as one of the runs to watch it."
        )
    return "These runs have no events to play; the table compares their results."


def equal_vertices(results: Sequence[Result]) -> tuple[int, int]:
    """Return the number of vertices that all solutions agree on, and the number of vertices.

    Where labels are arbitrary, each solution is relabelled to match the first.
    """
    first = results[0].by_vertex()
    equal = np.ones(len(next(iter(first.values()))), bool)
    for other in results[1:]:
        for name, values in other.like(results[0]).by_vertex().items():
            equal &= values == first[name]
    return int(np.count_nonzero(equal)), len(equal)


def verdict_card(sides: Sequence[Side], view: View) -> str:
    """Return the sentence whether all runs end in the same solution."""
    results = [side.result for side in sides if side.result is not None]
    failed = len(sides) - len(results)
    lost = f" {failed} of {len(sides)} runs failed; the table says why." if failed else ""
    if len(results) < 2:
        return f'<p class="sbs-verdict bad">There are no two results to compare.{escape(lost)}</p>'
    equal, n = equal_vertices(results)
    certified = all(result.certificate is None or result.certificate.ok for result in results)
    who = "Both runs" if len(results) == 2 else f"All {len(results)} runs"
    same = f"{equal:,} of {counted(n, 'vertex')} equal."
    if equal == n:
        text = f"{who} end in the same {view.solution}: {same}"
    else:
        far = same if view.apart is None else view.apart(results)
        text = f"The runs end in different {view.solution}s: {far}"
        text += f" {view.difference_note}" * (certified and bool(view.difference_note))
    # Two certified results may differ: an exact method and a heuristic find different solutions.
    style = "bad" if not certified else "good" if equal == n else "other"
    return f'<p class="sbs-verdict {style}">{escape(text + lost)}</p>'


def solutions_of(sides: Sequence[Side], graph: Graph, view: View) -> str:
    """Return links to the solutions of all runs that did not fail."""
    found = [(side.contender.label, side.result) for side in sides if side.result is not None]
    return solution_card(graph, found, view.family, graph.name or "graph")


def table_card(sides: Sequence[Side], graph: Graph, view: View) -> str:
    """Return the table of all runs: measures, device, time, certificate, and what differs."""
    first = next((side.result for side in sides if side.result is not None), None)
    measures = [_measures(side.result, first, graph, view) for side in sides]
    columns = list(dict.fromkeys(name for row in measures for name in row))
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    # Of real numbers hardly any are equal; the column would have the number of vertices throughout.
    counted = view.apart is None
    rows = "".join(
        _row(side, row, columns, first, counted) for side, row in zip(sides, measures, strict=True)
    )
    unlike = "<th>Vertices unlike the first</th>" * counted
    return (
        '<h3>Measures</h3><div class="sbs-table" tabindex="0" role="group" '
        'aria-label="measures of the runs"><table><thead><tr><th>Run</th>'
        f'<th class="left">Device</th>{head}<th>Events</th><th>Time</th><th>Certificate</th>'
        f"{unlike}</tr></thead><tbody>{rows}</tbody></table></div>"
        + cards.note(_about_times(sides))
    )


def _measures(
    result: Result | None, first: Result | None, graph: Graph, view: View
) -> dict[str, str]:
    """Return the measures of a run, and its similarity to the first one."""
    if result is None or first is None:
        return {}
    alike = view.alike(result, first) if view.alike is not None and result is not first else []
    return dict([*view.measures(result, graph), *alike])


def _row(
    side: Side, measures: dict[str, str], columns: list[str], first: Result | None, counted: bool
) -> str:
    """Return the row of a run; `counted` says whether the vertices unlike the first are counted."""
    name = f"<td>{escape(side.contender.label)}</td>"
    result = side.result
    if result is None:
        width = len(columns) + 4 + counted
        return f'<tr>{name}<td class="failed left" colspan="{width}">{escape(side.error)}</td></tr>'
    cells = [measures.get(column, "–") for column in columns]
    cells.append(f"{len(side.timeline):,}" if side.timeline is not None else "–")
    cells.append(_time(result))
    values = "".join(f"<td>{escape(cell)}</td>" for cell in cells)
    model = str(result.device.get("model") or result.device.get("name") or "")
    where = _WHERE[side.contender.device]
    differs = "<td>–</td>" * counted
    if counted and first is not None and first is not result:
        equal, n = equal_vertices([first, result])
        differs = f"<td>{n - equal:,}</td>"
    return (
        f'<tr>{name}<td class="left">{where}{", " if model else ""}{escape(model)}</td>{values}'
        f"<td>{_certificate(result)}</td>{differs}</tr>"
    )


def _time(result: Result) -> str:
    """Return how long a run took; of an opened record its span by the GPU's clock."""
    seconds, record = result.seconds, result.record
    if math.isnan(seconds) and record is not None and record.clock == "ns" and record.num_events:
        seconds = 1e-9 * float(record.events["time"][-1])
    return "–" if math.isnan(seconds) else human_time(seconds)


def _certificate(result: Result) -> str:
    if result.certificate is None:
        return "–"
    text, style = ("Certified", "good") if result.certificate.ok else ("Not certified", "bad")
    return f'<span class="ws-verdict {style}">{text}</span>'


def _about_times(sides: Sequence[Side]) -> str:
    if not any(side.contender.device == "host" and side.result is not None for side in sides):
        opened = any(side.result is not None and math.isnan(side.result.seconds) for side in sides)
        return (
            "Each run once; the time is that of the algorithm alone, and writing the record is "
            "part of it."
        ) + " That of a recorded run is from its first event to its last." * opened
    return (
        "Each run once. The host executor simulates every lane of every warp on the processor, and "
        "records: its times say nothing about a GPU's, nor about a CPU method's."
    )
