"""A story as the browser shows it: its stops, each with the question that is asked there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from .check import check_story
from .format import OwnQuestion, Stop, Story, stop_table
from .library import questions_of
from .questions import Makers, Question, make_question

if TYPE_CHECKING:
    from gpucore.record import Record


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
    return {
        "title": story.title,
        "minutes": story.minutes,
        "stops": [_stop(stop, record, makers, names) for stop in story.stops],
    }


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
    return {"table": stop_table(stop), "question": asdict(asked) if asked else None}
