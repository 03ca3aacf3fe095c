"""The export bar below the player: links, record files, animations, HTML pages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from gpucore.errors import ParameterError, RecordError

from ..limits import may_teach
from ..widgets.classroom import Classroom
from ..widgets.export_bar import ExportBar
from ..widgets.export_bar.animation import Animation

if TYPE_CHECKING:
    from ..errors import Guard
    from ..outcomes.outcome import Outcome

_NOT_RUN = "Run an algorithm first: a link opens a run."
_OWN_FILE = "A link cannot hold a file: save the record and pass it on with the graph."


class Export:
    """Saves the replay on a page in the formats that a visitor chooses.

    Parameters
    ----------
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.

    Attributes
    ----------
    widget : ExportBar
    classroom : Classroom or None
        Leads a live class, where the server allows it.
    """

    def __init__(self, guard: Guard) -> None:
        self._outcome: Outcome | None = None
        self._runs = 0
        self._animation: Animation | None = None
        self.widget = ExportBar(guard(self._answer))
        self.classroom = Classroom(guard(self._teach)) if may_teach() else None

    def clear(self) -> None:
        """Offer nothing: there is no replay."""
        self._outcome = None
        self.widget.playing = False
        if self.classroom is not None:
            self.classroom.run = 0
        self.widget.query, self.widget.reason = "", _NOT_RUN

    def show(self, outcome: Outcome, query: str) -> None:
        """Offer a result; `query` is the link to it, empty if there is none."""
        self._outcome = outcome
        bar = self.widget
        with bar.hold_sync():
            bar.playing = bool(outcome.message) and outcome.result.record is not None
            bar.query, bar.reason = query, _OWN_FILE
            bar.name = _file_name(outcome)
        if self.classroom is not None:
            self._runs += 1
            self.classroom.run = self._runs if bar.playing else 0

    def _teach(self) -> None:
        """Give the run to a live class as a static page."""
        if self.classroom is not None and self._outcome is not None:
            self.classroom.deliver(_page(self._outcome, 0))

    # Requests of the browser

    def _answer(self, kind: str, content: dict[str, Any], buffers: list[bytes]) -> None:
        try:
            if self._outcome is None or self._outcome.result.record is None:
                raise RecordError("there is no replay to save; run an algorithm first")
            getattr(self, f"_make_{kind}")(self._outcome, content, buffers)
        except Exception:
            self._animation = None
            self.widget.refuse()
            raise

    def _make_record(self, outcome: Outcome, _: dict[str, Any], __: list[bytes]) -> None:
        record = outcome.result.record
        assert record is not None
        # Imported on call: Bokeh takes longer to import than a page takes to open.
        from ..published.drop import with_page
        from ..published.replays import replay_of_outcome

        content = with_page(record.to_bytes(), replay_of_outcome(outcome, first=0))
        self.widget.deliver(f"{self.widget.name}.npz", "application/octet-stream", content)

    def _make_page(self, outcome: Outcome, content: dict[str, Any], _: list[bytes]) -> None:
        position = content.get("position")
        at = position if isinstance(position, int) and position >= 0 else 0
        self.widget.deliver(f"{self.widget.name}.html", "text/html", _page(outcome, at))

    def _make_gif(self, _: Outcome, content: dict[str, Any], __: list[bytes]) -> None:
        count, milliseconds = content.get("count"), content.get("milliseconds")
        self._animation = Animation(count, milliseconds)  # type: ignore[arg-type]

    def _make_frame(self, _: Outcome, __: dict[str, Any], buffers: list[bytes]) -> None:
        animation = self._animation
        if animation is None:
            return  # the error is already shown; these frames were sent before it
        if len(buffers) != 1:
            raise ParameterError("a frame of the animation is not a picture")
        animation.add(buffers[0])
        if animation.complete:
            self._animation = None
            self.widget.deliver(f"{self.widget.name}.gif", "image/gif", animation.gif())


def _page(outcome: Outcome, first: int) -> bytes:
    """Return a run as a page in one file."""
    # Imported on call: Bokeh takes longer to import than a page takes to open.
    from ..published.page import page_of
    from ..published.replays import replay_of_outcome

    return page_of(replay_of_outcome(outcome, first=first)).encode()


def _file_name(outcome: Outcome) -> str:
    """Return the name of the files, safe on every system."""
    result = outcome.result
    variant = "" if result.variant == result.algorithm else result.variant
    words = [outcome.loaded.prepared.name or "graph", result.algorithm, variant]
    text = re.sub(r"[^\w.-]+", "-", "-".join(filter(None, words)), flags=re.ASCII)
    return text.strip("-.")[:100] or "warplens"
