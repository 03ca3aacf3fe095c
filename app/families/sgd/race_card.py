"""The card of the race: which schedules and methods run, and their errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ipywidgets as w
import numpy as np

from gpucore.device import get_device
from gpucore.format import human_time
from gpucore.progress import Progress

from ... import cards
from ...cards.run_card import RunCard
from ...fields import show
from ...jobs import Stop
from .race import SWEEPS, Track, race, runners, settings

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.result import Result

    from ...view import Services

#: Who runs if a visitor does not choose.
FIRST = ("el_shuffled", "nl", "blkdiag", "hogwild", "fast", "sgd_serial")
_ABOUT = (
    f"Training error (dashed) and error of the ratings that were held back (solid), before the "
    f"first and after each of {SWEEPS} sweeps, with the parameters of the run above and as many "
    "threads as run. By sweep the schedules hardly differ: they change the order of the updates. "
    "By second they do."
)
_HOST = (
    "Seconds of schedules are those of the host executor, which imitates a GPU on this processor: "
    "compare them with each other, but not with methods for processors."
)


class RacePanel(RunCard[tuple["Graph", "Result"]]):
    """The race of one page.

    Parameters
    ----------
    services : Services
        Services of the page, see :mod:`app.view`.

    Attributes
    ----------
    tracks : list of Track
        The latest race; empty before the first one.
    """

    def __init__(self, services: Services) -> None:
        guard = services.guard
        self._dark = False
        self.tracks: list[Track] = []
        self.chosen = {
            name: w.Checkbox(value=name in FIRST, description=label, indent=False).add_class(
                "ws-check"
            )
            for name, label in runners().items()
        }
        self.button = w.Button(description="Start the race").add_class("ws-plain")
        start = guard(self._start)
        self.button.on_click(lambda _: services.jobs.when_idle(start))
        self.axis = w.ToggleButtons(
            options=[("By sweep", "sweep"), ("By second", "second")],
            tooltips=["meaning of the axis"] * 2,
        ).add_class("ws-tabs")
        self.axis.observe(guard(lambda _: self._draw()), "value")
        self._plot, self._table, self._remark = w.VBox(), w.HTML(), w.HTML()
        grid = "repeat(auto-fill, minmax(min(100%, 190px), 1fr))"
        boxes = w.GridBox(
            list(self.chosen.values()), layout=w.Layout(grid_template_columns=grid, width="100%")
        )
        content = [boxes, w.HBox([self.button]), self._plot, self._table, self._remark]
        super().__init__(services, "RMSE race", _ABOUT, content, self.axis)
        services.themed(self._recolour)
        self.clear()

    def clear(self) -> None:
        """Hide the card: there is no run."""
        self.tracks = []
        self._empty()
        super().clear()

    def show(self, graph: Graph, result: Result) -> None:
        """Offer a race over the ratings of a run."""
        if self._subject is None or self._subject[0] is not graph:
            self.tracks = []
            self._empty()
        self._appear((graph, result))

    def _empty(self) -> None:
        if self._plot.children:
            from ...charts.box import put

            put(self._plot, "Other ratings: start the race again.")
        self._table.value = self._remark.value = ""
        show(self.axis, False)

    def _start(self) -> None:
        names = [name for name, box in self.chosen.items() if box.value]
        if self._subject is None or not names:
            return
        graph, result = self._subject
        common = settings(result.params)
        place = "cuda" if result.device.get("name") == "cuda" else "host"
        self.button.disabled = True

        def work(progress: Progress, stop: Stop) -> list[Track]:
            try:
                return race(graph, names, common, get_device(place), progress, stop)
            finally:
                self.button.disabled = False

        def done(tracks: list[Track]) -> None:
            self.tracks = tracks
            self._remark.value = cards.note(_HOST) if place == "host" else ""
            self._draw()

        self._services.start(work, done)

    def _draw(self) -> None:
        if not self.tracks:
            return
        # Bokeh is imported only now: the page is there before.
        from ...charts.box import put
        from ...charts.theme import DARK, LIGHT
        from .race_plot import plot_race

        show(self.axis, True)
        put(self._plot, plot_race(self.tracks, self.axis.value, DARK if self._dark else LIGHT))
        self._table.value = table(self.tracks)

    def _recolour(self, dark: bool) -> None:
        self._dark = dark
        self._draw()


def table(tracks: list[Track]) -> str:
    """Return the results of a race, HTML: errors at the end, and the time of a sweep."""
    rows: list[tuple[str, ...]] = []
    for track in sorted(tracks, key=_rank):
        if track.failure:
            rows.append((track.name, track.failure))
        else:
            each = human_time(float(track.seconds[-1]) / (len(track.rmse) - 1))
            rows.append((track.name, _last(track.test_rmse), _last(track.rmse), each))
    head = ("", "test RMSE", "training RMSE", "a sweep")
    return cards.table("runs of the race", head, rows)


def _last(values: np.ndarray) -> str:
    return f"{values[-1]:.4f}" if len(values) else "–"


def _rank(track: Track) -> float:
    errors = track.test_rmse if len(track.test_rmse) else track.rmse
    return float(errors[-1]) if len(errors) else float("inf")
