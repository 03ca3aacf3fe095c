"""The warps of a record: a map of all of them, measures of imbalance, and one warp's lanes."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets as w
import numpy as np

from gpucore.family import get_runner
from gpucore.format import plural
from gpucore.record import Record
from gpucore.record.balance import balance, idle_share, num_warps, per_warp

from .. import cards
from ..errors import Guard
from ..view import Measure, View
from ..widgets.lanes import Lanes
from .box import card, put, tabs
from .lanes import LANES, lane_message
from .theme import Colours
from .warp_map import WarpMap

#: Number of iterations whose imbalance is listed.
_WRITTEN = 8

_CHOOSE = (
    "Click a warp in the map to see its 32 lanes over time: what each one did, and which waited."
)


class WarpPanel:
    """Warp map, measures and lanes.

    Parameters
    ----------
    view : View
        Defines the measures.
    cursor : str
        Name of the map's cursor.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.

    Attributes
    ----------
    map, lanes : widget
        The two cards.
    """

    def __init__(self, view: View, cursor: str, guard: Guard) -> None:
        self._view, self._cursor = view, cursor
        self._record: Record | None = None
        self._names: Sequence[str] | None = None
        self._chart: WarpMap | None = None
        self._measure = tabs([(m.label, i) for i, m in enumerate(view.warp_measures)], "colour")
        self._measure.observe(guard(lambda _: self._remeasure()), "value")
        self._box, self._text = w.VBox(), w.HTML()
        self.map = card("Warps", [self._measure], self._box, self._text)
        self._lanes = Lanes((view.family,), placeholder=_CHOOSE)
        self._lanes.observe(guard(lambda change: self._answer(change["new"])), "asked")
        self.lanes = w.VBox([self._lanes]).add_class("ws-card")

    def show(self, record: Record, names: Sequence[str] | None = None) -> None:
        """Show a record; `names` are those of the vertices."""
        self._record, self._names = record, names
        self._lanes.payload = b""
        self._lanes.asked = []

    def draw(self, colours: Colours, tools: bool) -> None:
        """Draw the map in these colours."""
        if self._record is None:
            return
        self._chart = WarpMap(
            self._record.warps,
            self._now,
            colours,
            self._cursor,
            tools=tools,
            hatched=self._hatched(self._record),
            turn=self._view.turn,
        )
        put(self._box, self._chart.figure)
        if len(self._lanes.asked) == 2:
            self._chart.choose(self._lanes.asked[0])
        self._say()

    def _hatched(self, record: Record) -> np.ndarray:
        """Return the iterations that the map hatches."""
        hatched = self._view.charts.hatched
        return np.empty(0, np.int64) if hatched is None else np.flatnonzero(hatched.which(record))

    @property
    def _now(self) -> Measure:
        return self._view.warp_measures[self._measure.value]

    def _remeasure(self) -> None:
        if self._chart is not None:
            self._chart.show(self._now)
            self._say()

    def _say(self) -> None:
        assert self._record is not None
        assert self._chart is not None
        record = self._record
        turn = self._view.turn
        notes = [f"One row per warp, one column per {turn}; empty where the warp had no work."]
        if self._chart.group > 1:
            notes.append(
                f"There are more warps than pixels: {self._chart.group} of them share a row, "
                "which shows the largest."
            )
        hatched = self._view.charts.hatched
        if hatched is not None and len(self._hatched(record)):
            notes.append(hatched.text)
        lost = record.header["lost"]["rows"]
        if lost:
            notes.append(f"The last column sums {lost:,} further {plural(turn)}.")
        hint = look_for(record)
        self._text.value = (
            measures_html(record, self._now, turn) + cards.note(hint) + cards.note(" ".join(notes))
        )

    def _answer(self, asked: list[int]) -> None:
        """Show the requested warp; of a shared row, that with the largest value."""
        if self._record is None or self._chart is None or len(asked) != 2:
            return
        warp = warp_at(self._record, self._now, self._chart.group, *asked)
        self._chart.choose(warp)
        self._lanes.payload = lane_message(self._record, warp, self._names, self._view.turn)


def look_for(record: Record) -> str:
    """Return what to look for in the runs of a record's variant; empty on ranks."""
    runner = get_runner(record.header["algorithm"])
    found = [v.look_for for v in runner.variants if v.name == record.header["variant"]]
    return found[0] if found else ""


def warp_at(record: Record, measure: Measure, group: int, warp: int, iteration: int) -> int:
    """Return the warp that a cell of the map stands for.

    A row that several warps share shows the largest value, so the warp with that value is returned;
    an iteration of -1 means that the visitor gave the warp's number.
    """
    warp = min(max(warp, 0), max(num_warps(record.warps) - 1, 0))
    if group == 1 or iteration < 0:
        return warp
    own = (record.warps["warp"] // group == warp // group) & (
        record.warps["iteration"] == iteration
    )
    rows = np.flatnonzero(own)
    if not len(rows):
        return warp
    values = np.asarray(measure.values(record.warps))[rows]
    return int(record.warps["warp"][rows[np.argmax(values)]])


def measures_html(record: Record, measure: Measure, turn: str = "iteration") -> str:
    """Return total and imbalance of a measure over the warps; shares have no total."""
    return balance_html(record, measure) + cards.note(_by_iteration(record, measure, turn))


def balance_html(record: Record, measure: Measure) -> str:
    """Return total and imbalance of a measure over the warps of the whole run."""
    warps = record.warps
    lines: list[tuple[str, str]] = []
    if not measure.unit:
        whole = balance(per_warp(warps, np.asarray(measure.values(warps))))
        lines = [
            (f"{measure.label}, in all", f"{whole.total:,.6g}"),
            ("Busiest over mean", f"{whole.ratio:.2f}"),
            ("Gini coefficient", f"{whole.gini:.2f}"),
        ]
    if "lane_slots" in warps and "edges" in warps:
        busy = LANES * (1 - idle_share(warps["edges"], warps["lane_slots"]))
        lines.append(("Lanes at work while scanning", f"{busy:.1f} of {LANES}"))
    return cards.facts_list(lines)


def _by_iteration(record: Record, measure: Measure, turn: str) -> str:
    """Return a sentence on the imbalance of the first iterations; empty for shares."""
    if measure.unit:
        return ""
    values = np.asarray(measure.values(record.warps))
    steps = range(min(record.num_steps, _WRITTEN))
    each = [balance(per_warp(record.warps, values, i)) for i in steps]
    more = " …" if record.num_steps > _WRITTEN else ""
    return (
        f"{turn.capitalize()} by {turn}, the busiest warp has "
        + ", ".join(f"{one.ratio:.2f}" for one in each)
        + f"{more} times the mean (1 is even), and the Gini coefficient is "
        + ", ".join(f"{one.gini:.2f}" for one in each)
        + f"{more} (0 is even, near 1 one warp has it all)."
    )
