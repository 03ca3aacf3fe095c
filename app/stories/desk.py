"""The stories of one page: opens them, shows them on its player, answers with questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from gpucore.errors import ParameterError
from gpucore.record import Record

from .bar import StoryBar
from .format import Story, parse_story
from .library import questions_of, shipped, stories
from .questions import any_question
from .shown import shown_story

if TYPE_CHECKING:
    from ..errors import Guard
    from ..outcomes.outcome import Outcome


class StoryDesk:
    """Opens and shows the stories of a page.

    Parameters
    ----------
    family : str
        The page's family.
    play : callable
        ``play(story)`` starts the run or opens the record that a story is about; the page then
        calls :meth:`show`.
    hide : callable
        ``hide(hidden)`` hides what gives the end away, or shows it.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.

    Attributes
    ----------
    widget : StoryBar
    """

    def __init__(
        self,
        family: str,
        play: Callable[[Story], None],
        hide: Callable[[bool], None],
        guard: Guard,
    ) -> None:
        self._family, self._play, self._hide = family, play, hide
        self._makers = questions_of(family)
        #: The story that waits for its run.
        self._wanted: Story | None = None
        self._outcome: Outcome | None = None
        offered = [
            {"name": one.name, "title": one.story.title, "minutes": one.story.minutes}
            for one in stories().values()
            if one.family == family
        ]
        self.widget = StoryBar(guard(self._receive), offered=offered)
        self.widget.observe(guard(lambda _: self._hide_end()), "stop")

    def want(self, name: str) -> None:
        """Show a story by name once its run is shown.

        Raises
        ------
        ParameterError
            There is no such story, or it belongs to another page.
        """
        found = shipped(name)
        if found.family != self._family:
            raise ParameterError(
                f"the story {name!r} is one of the family {found.family!r}, and this page plays "
                f"{self._family!r}; open it from the landing page"
            )
        self._wanted = found.story

    def failed(self) -> None:
        """Drop the story that waits: its run cannot be shown."""
        self._wanted = None

    def clear(self) -> None:
        """Show no story: there is no run."""
        self._outcome = None
        self._leave()
        self.widget.origin = {}

    def show(self, outcome: Outcome, query: str) -> None:
        """Show the story that waited for this run; without one, offer to record.

        Parameters
        ----------
        outcome : Outcome
        query : str
            The link to the run; empty if there is none.
        """
        story, self._wanted = self._wanted, None
        self._outcome = outcome
        self._leave()
        self.widget.origin = _origin(query) if self._record is not None else {}
        if story is None:
            return
        record = self._record
        if record is None:
            raise ParameterError("the story is about a run whose events cannot be played here")
        graph = outcome.loaded.prepared
        shown = shown_story(story, record, graph.num_vertices, graph.names)
        bar = self.widget
        with bar.hold_sync():
            bar.stop, bar.asks, bar.story = 0, True, shown
        self._hide_end()

    @property
    def _record(self) -> Record | None:
        """The record on the page, if it plays."""
        outcome = self._outcome
        return outcome.result.record if outcome is not None and outcome.message else None

    @property
    def _names(self) -> Sequence[str] | None:
        return self._outcome.loaded.prepared.names if self._outcome is not None else None

    def _hide_end(self) -> None:
        """Hide the result until the last stop of a story."""
        stops = self.widget.story.get("stops", ())
        self._hide(self.widget.stop < len(stops) - 1)

    def _leave(self) -> None:
        bar = self.widget
        with bar.hold_sync():
            bar.story, bar.question, bar.stop = {}, {}, 0
            if not self._wanted:
                bar.asks = False
        self._hide(False)

    # Requests of the browser

    def _receive(self, kind: str, content: Mapping[str, Any]) -> None:
        if kind == "choose":
            self.want(content["name"])
            self._start()
        elif kind == "open":
            self._wanted = parse_story(content["text"], content["name"])
            self._start()
        elif kind == "ask":
            self._ask(content["step"])
        else:
            self._leave()

    def _start(self) -> None:
        """Play what the wanted story is about."""
        story = self._wanted
        assert story is not None
        try:
            self._play(story)
        except Exception:
            self._wanted = None
            raise

    def _ask(self, step: int) -> None:
        """Ask a question about the run at a step, outside of stories."""
        record = self._record
        if record is None:
            return
        question = any_question(self._makers, record, min(step, record.num_events), self._names)
        # The step makes two equal questions differ, so that the browser gets the second one, too.
        self.widget.question = {} if question is None else {**asdict(question), "step": step}


def _origin(query: str) -> dict[str, Any]:
    """Return what a story recorded on this run says about it."""
    words = dict(parse_qsl(query))
    if "record" in words:
        return {"record": words["record"]}
    return {"run": words} if words else {}
