"""A story as the browser shows it: its stops, each with the question that is asked there."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from gpucore.record import Record

from ..gallery import entry
from ..glossary import terms_in
from ..widgets.player.axis import axis_message
from .check import check_story
from .format import OwnQuestion, Stop, Story, stop_table
from .library import questions_of
from .questions import Makers, Question, make_question


def shown_story(
    story: Story, record: Record, vertices: int, names: Sequence[str] | None
) -> dict[str, Any]:
    """Return what :class:`app.stories.bar.StoryBar` shows of a story.

    Parameters
    ----------
    story : Story
    record : Record
        The run that it is about.
    vertices : int
        Number of vertices of the run's graph.
    names : sequence of str, optional
        Names of the vertices.

    Raises
    ------
    ParameterError
        A stop claims what the record does not hold.
    """
    check_story(story, record, vertices)
    makers = questions_of(str(record.header["family"]))
    stops = [_stop(stop, record, makers, names) for stop in story.stops]
    known: set[str] = set()
    for shown, stop in zip(stops, story.stops, strict=True):
        words = [term for term in terms_in(stop.caption) if term.term not in known]
        known |= {term.term for term in words}
        shown["words"] = [[term.term, term.meaning] for term in words]
    return {"title": story.title, "minutes": story.minutes, "stops": stops}


def _stop(
    stop: Stop, record: Record, makers: Makers, names: Sequence[str] | None
) -> dict[str, Any]:
    """Return a stop: its table, and the question that is asked there."""
    question = stop.question
    asked: Question | None = None
    if isinstance(question, OwnQuestion):
        asked = Question(question.ask, question.choices, question.answer, question.because)
    elif question is not None:
        asked = make_question(makers, question, record, stop.step, names)
    shown = {"table": stop_table(stop), "question": asdict(asked) if asked else None}
    if stop.beside:
        other = entry(stop.beside["record"])
        message = axis_message(other.record())
        shown["beside"] = {"title": other.title, "message": b64encode(message).decode()}
    return shown
