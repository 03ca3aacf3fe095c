"""A player with questions, for notebooks: asked about the step at which the player stands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import ipywidgets as w

from gpucore.record import Record

from ..widgets.player import Player
from .bar import StoryBar
from .library import questions_of
from .questions import any_question


def with_questions(player: Player, record: Record, names: Sequence[str] | None = None) -> w.Box:
    """Return a player below its questions, which are on from the start.

    Parameters
    ----------
    player : Player
        Plays the record.
    record : Record
    names : sequence of str, optional
        The graph's names.
    """
    makers = questions_of(record.header["family"])

    def receive(kind: str, content: dict[str, Any]) -> None:
        if kind == "ask":
            step = min(content["step"], record.num_events)
            question = any_question(makers, record, step, names)
            bar.question = {} if question is None else {**asdict(question), "step": step}

    bar = StoryBar(receive, asks=True, recording=False)
    first = any_question(makers, record, 0, names)
    bar.question = {} if first is None else asdict(first)
    return w.VBox([bar, player]).add_class("ws-stage")
