"""What leaves a page and how it comes back: links, record files, animations, single pages."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpucore.errors import ParameterError, RecordError

from ..links import permalink
from ..links.permalink import Link, Settings
from ..widgets.animation import Animation
from ..widgets.export_bar import TakeAwayBar
from ..widgets.page import player_page

if TYPE_CHECKING:
    from .dashboard import Dashboard, Outcome

_NOT_RUN = "Run an algorithm first: a link opens a run."
_OWN_FILE = "A link cannot hold a file: save the record and pass it on with the graph."


class Away:
    """The bar below the player, and the link that a page was opened with.

    Parameters
    ----------
    page : Dashboard
        Whose replay is taken away.
    open_gallery : callable
        ``open_gallery(name)`` plays a record of the gallery.
    """

    def __init__(self, page: Dashboard, open_gallery: Callable[[str], None]) -> None:
        self._page = page
        self._open_gallery = open_gallery
        self._outcome: Outcome | None = None
        self._settings: Settings | None = None
        self._link: Link | None = None
        self._animation: Animation | None = None
        guard = page.reporter.guard
        self.widget = TakeAwayBar(guard(self._answer))
        self.widget.observe(guard(lambda change: self.open_link(change["new"])), "search")

    # The link that comes in

    def open_link(self, search: str) -> None:
        """Do what the page's address asks for: fill in the form, run, go to the step."""
        link = permalink.read(search)
        if link is None:
            return
        if link.record:
            self._link = link
            self._open_gallery(link.record)
            return
        permalink.fill_in(link.settings, self._page.graphs, self._page.runs)
        self._link = link
        self._page.graphs.announce()

    def idle(self, ready: bool) -> None:
        """Go on with the link once its graph is there."""
        link = self._link
        if link is not None and not link.record and self._outcome is None and ready:
            self._page.run()

    def failed(self) -> None:
        """Forget the link: what it asks for cannot be had."""
        self._link = None

    # What is shown

    def clear(self) -> None:
        """Take nothing away: there is no replay."""
        self._outcome = None
        self.widget.playing = False
        self.widget.query, self.widget.reason = "", _NOT_RUN

    def started(self, own_graph: bool) -> None:
        """Remember what the form says at the start of a run; it may change meanwhile."""
        self._settings = None
        if own_graph:
            self._settings = permalink.settings_of(self._page.graphs, self._page.runs)

    def show(self, outcome: Outcome, gallery: str | None = None) -> None:
        """Offer a result.

        Parameters
        ----------
        outcome : Outcome
        gallery : str, optional
            None for a run, else the record's name in the gallery; empty for a file's.
        """
        self._outcome = outcome
        record = outcome.result.record
        settings = self._settings if gallery is None else None
        query = permalink.write(Link(settings or {}, gallery or ""))
        bar = self.widget
        with bar.hold_sync():
            bar.playing = bool(outcome.message) and record is not None
            bar.query, bar.reason = query, _OWN_FILE
            bar.name = _file_name(outcome)
        link, self._link = self._link, None
        if link is not None and outcome.timeline is not None:
            self._seek(link.step, len(outcome.timeline))

    def _seek(self, step: int, events: int) -> None:
        if step > events:
            raise ParameterError(
                f"the link's step is {step:,}, and this run has {events:,} events; the order of "
                "events on a GPU differs from run to run"
            )
        self._page.player.position = step

    # What the browser asks for

    def _answer(self, kind: str, content: dict[str, Any], buffers: list[bytes]) -> None:
        try:
            if self._outcome is None or self._outcome.result.record is None:
                raise RecordError("there is no replay to take away; run an algorithm first")
            getattr(self, f"_make_{kind}")(self._outcome, content, buffers)
        except Exception:
            self._animation = None
            self.widget.refuse()
            raise

    def _make_record(self, outcome: Outcome, _: dict[str, Any], __: list[bytes]) -> None:
        record = outcome.result.record
        assert record is not None
        with tempfile.TemporaryDirectory(prefix="warpscope-") as folder:
            path = Path(folder) / "record.npz"
            record.save(path)
            content = path.read_bytes()
        self.widget.deliver(f"{self.widget.name}.npz", "application/octet-stream", content)

    def _make_page(self, outcome: Outcome, content: dict[str, Any], _: list[bytes]) -> None:
        position = content.get("position")
        at = position if isinstance(position, int) and position >= 0 else 0
        title = f"{outcome.loaded.label}: {outcome.result.algorithm}, {outcome.result.variant}"
        text = player_page(outcome.message, title=title, position=at)
        self.widget.deliver(f"{self.widget.name}.html", "text/html", text.encode())

    def _make_gif(self, _: Outcome, content: dict[str, Any], __: list[bytes]) -> None:
        count, milliseconds = content.get("count"), content.get("milliseconds")
        self._animation = Animation(count, milliseconds)  # type: ignore[arg-type]

    def _make_frame(self, _: Outcome, __: dict[str, Any], buffers: list[bytes]) -> None:
        animation = self._animation
        if animation is None:
            return  # an error has been shown, and further frames were on their way
        if len(buffers) != 1:
            raise ParameterError("a frame of the animation is no picture")
        animation.add(buffers[0])
        if animation.complete:
            self._animation = None
            self.widget.deliver(f"{self.widget.name}.gif", "image/gif", animation.gif())


def _file_name(outcome: Outcome) -> str:
    """Return the name of the files, safe on every system."""
    result = outcome.result
    variant = "" if result.variant == result.algorithm else result.variant
    words = [outcome.loaded.prepared.name or "graph", result.algorithm, variant]
    text = re.sub(r"[^\w.-]+", "-", "-".join(filter(None, words)), flags=re.ASCII)
    return text.strip("-.")[:100] or "warpscope"
