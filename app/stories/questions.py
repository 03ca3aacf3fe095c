"""Questions about a record: what happens next, who is last, how much is left.

A question is made from the record at a step, so that its answer is true of this run. A family
declares its questions as ``QUESTIONS``, a mapping of names to makers, and composes them of the
makers here. No widgets are imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpucore.errors import ParameterError
from gpucore.record import Record
from gpucore.record.words import describe, vertex_label

#: Number of answers offered, if the record has so many.
OFFERED = 4


@dataclass(frozen=True)
class Question:
    """A question about a run, with its answer.

    Attributes
    ----------
    ask : str
        The question.
    choices : tuple of str
        The answers offered, as buttons.
    answer : int
        Index of the right one.
    because : str
        What happened; it follows any answer.
    vertices : tuple of int
        The vertex of each choice, where choices are vertices: then a click on the picture answers.
    """

    ask: str
    choices: tuple[str, ...]
    answer: int
    because: str
    vertices: tuple[int, ...] = ()


#: ``maker(record, step, names)`` returns a question at a step, or None if there is nothing to ask.
Maker = Callable[[Record, int, Sequence[str] | None], Question | None]
Makers = Mapping[str, Maker]


def next_vertex(kinds: Sequence[int], ask: str, *, subject: str = "a", answer: str = "b") -> Maker:
    """Return the maker of a question for a vertex of the next event of some kinds.

    Parameters
    ----------
    kinds : sequence of int
        Codes of the events.
    ask : str
        The question, with ``{}`` for the event's subject.
    subject, answer : str
        Columns with the vertex that acts, and with the one that is asked for.
    """

    def make(record: Record, step: int, names: Sequence[str] | None) -> Question | None:
        events = record.events
        which = np.flatnonzero(np.isin(events["kind"], kinds) & (events[answer] >= 0))
        later = which[which >= step]
        if not len(later):
            return None
        event = int(later[0])
        actor, right = int(events[subject][event]), int(events[answer][event])
        # Wrong answers are right ones of other events, the nearest first.
        near = which[np.argsort(np.abs(which - event), kind="stable")]
        others = [int(v) for v in events[answer][near] if v not in (right, actor)]
        offered = sorted([right, *list(dict.fromkeys(others))[: OFFERED - 1]])
        if len(offered) < 2:
            return None
        return Question(
            ask=ask.format(_label(record, actor, names)),
            choices=tuple(_label(record, vertex, names) for vertex in offered),
            answer=offered.index(right),
            because=f"Step {event + 1}: {describe(record, event, names)}.",
            vertices=tuple(offered),
        )

    return make


def how_many_more(kinds: Sequence[int], ask: str, noun: str) -> Maker:
    """Return the maker of a question for the number of events of some kinds that are left.

    Parameters
    ----------
    kinds : sequence of int
        Codes of the events.
    ask, noun : str
        The question, and what is counted, in the plural.
    """

    def make(record: Record, step: int, names: Sequence[str] | None) -> Question | None:
        which = np.flatnonzero(np.isin(record.events["kind"], kinds))
        left = int(np.count_nonzero(which >= step))
        if step >= record.num_events:
            return None
        last = f", the last at step {which[-1] + 1:,}" if left else ""
        return _number(ask, left, f"Number of {noun} after step {step:,}: {left:,}{last}.")

    return make


def iterations_left(ask: str, noun: str) -> Maker:
    """Return the maker of a question for the iterations that begin after a step."""

    def make(record: Record, step: int, names: Sequence[str] | None) -> Question | None:
        iterations = record.events["iteration"]
        if step >= len(iterations):
            return None
        reached = int(iterations[:step].max()) if step else -1
        left = len(np.unique(iterations[iterations > reached]))
        return _number(ask, left, f"Number of {noun} after step {step:,}: {left:,}.")

    return make


def last_warp(record: Record, step: int, names: Sequence[str] | None) -> Question | None:
    """Ask which warp finishes last: whose event is the last one of the record."""
    warps = record.events["warp"]
    at_work = np.unique(warps)
    if len(at_work) < 2 or step >= len(warps):
        return None
    ends = {int(warp): int(np.flatnonzero(warps == warp)[-1]) for warp in at_work}
    order = sorted(ends, key=lambda warp: -ends[warp])
    # The first, the middle and the last of the others, so that the choice is not among equals.
    others = order[1:]
    picked = {others[i] for i in (0, len(others) // 2, len(others) - 1)}
    offered = sorted([order[0], *picked])
    events = int(np.count_nonzero(warps == order[0]))
    return Question(
        ask="Which warp finishes last?",
        choices=tuple(f"warp {warp}" for warp in offered),
        answer=offered.index(order[0]),
        because=f"Warp {order[0]} makes the last event, step {ends[order[0]] + 1:,}; it has "
        f"{events:,} of the {len(warps):,} events. Warp {order[1]} is done at step "
        f"{ends[order[1]] + 1:,}.",
    )


#: The questions that any record with several warps can answer.
COMMON: Makers = {"last warp": last_warp}


def make_question(
    makers: Makers, name: str, record: Record, step: int, names: Sequence[str] | None = None
) -> Question:
    """Return the question of a name at a step.

    Raises
    ------
    ParameterError
        There is no such question, or nothing to ask at this step.
    """
    if name not in makers:
        raise ParameterError(f"there is no question {name[:40]!r}; there are {', '.join(makers)}")
    question = makers[name](record, step, names)
    if question is None:
        raise ParameterError(f"the question {name!r} has no answer at step {step:,} of this run")
    return question


def any_question(
    makers: Makers, record: Record, step: int, names: Sequence[str] | None = None
) -> Question | None:
    """Return a question at a step, another kind from step to step; None if there is none."""
    order = list(makers)
    for turn in range(len(order)):
        question = makers[order[(step + turn) % len(order)]](record, step, names)
        if question is not None:
            return question
    return None


def _number(ask: str, right: int, because: str) -> Question:
    """Return a question for a number, with wrong ones above and below it."""
    apart = max(1, right // 3)
    lower = [right - apart, right - 2 * apart]
    below = [number for number in lower if number >= 0][: right % 3]
    above = [right + apart * k for k in range(1, OFFERED - len(below))]
    offered = sorted([right, *below, *above])
    return Question(ask, tuple(f"{one:,}" for one in offered), offered.index(right), because)


def _label(record: Record, vertex: int, names: Sequence[str] | None) -> str:
    return vertex_label(record, vertex, names) or str(vertex)
