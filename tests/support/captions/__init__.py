"""What the sentences of a record claim, held against the replayed state, family by family.

Independent of the code that makes sentences: a checker reads the finished sentence, finds the
pattern that it follows, and looks its claims up in the state before and after the event, in the
graph and in the rest of the record.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module

import numpy as np

from gpucore.record.replay import timeline_of
from gpucore.record.timeline import Player
from gpucore.record.words import describe, short

#: A claim returns whether it holds; it gets the moment, and the numbers in its pattern by name.
Claim = Callable[..., bool]


@dataclass
class Moment:
    """One event, with the states around it.

    Attributes
    ----------
    record, graph
    event : int
        Its number.
    before, after : dict of str to ndarray
        Fields of the timeline.
    """

    record: object
    graph: object
    event: int
    before: Mapping[str, np.ndarray]
    after: Mapping[str, np.ndarray]

    @property
    def columns(self):
        """Columns of the record's events up to this one, itself left out."""
        return {name: column[: self.event] for name, column in self.record.events.items()}

    def weights(self, vertex):
        """Return the neighbours of a vertex and the weights of its edges."""
        neighbours, weights = self.graph.neighbours(vertex)
        return dict(zip(neighbours.tolist(), weights.tolist(), strict=True))


def wrong_sentences(record, graph) -> Iterator[str]:
    """Yield every sentence of a record that does not hold, with the reason."""
    family = record.header["family"]
    timeline = timeline_of(record)
    if timeline.doubt:
        yield f"the record is inexact: {timeline.doubt}"
    rules = _rules(family)
    now, then = Player(timeline), Player(timeline)
    number = _numbering(record)
    for event in range(record.num_events):
        text = describe(record, event)
        moment = Moment(record, graph, event, now.seek(event), then.seek(event + 1))
        for pattern, names, claim in rules:
            found = pattern.fullmatch(text)
            if found:
                said = {name: number(kind, found[name]) for name, kind in names.items()}
                if not claim(moment, **said):
                    yield f"step {event + 1}: {text!r} ({claim.__name__})"
                break
        else:
            yield f"step {event + 1}: no pattern for {text!r}"


def said(value: float, number: str) -> bool:
    """Return whether a sentence's number is this value, shortened."""
    return short(float(value)) == number


@cache
def _rules(family):
    """Return the compiled patterns of a family: pattern, kinds of its blanks, claim."""
    rules = import_module(f"{__name__}.{family}").RULES
    return [(*_compiled(text), claim) for text, claim in rules.items()]


_NUMBER = r"[^ ;:,)]+(?: × 10[⁻⁰-⁹¹²³]+)?"
_VERTEX = "(?:man |woman )?[a-z]?[0-9]+"


def _compiled(text):
    """Compile a pattern: {a} is a vertex, {x:number} a number as it stands; [..] is literal."""
    names = {}

    def blank(found):
        name, _, kind = found[1].partition(":")
        if name in names:
            return f"(?P={name})"
        names[name] = kind
        return rf"(?:vertex |person )?(?P<{name}>{_NUMBER if kind else _VERTEX})"

    parts = re.split(r"\{([^}]*)\}", text)
    body = "".join(
        re.escape(part) if i % 2 == 0 else blank([None, part]) for i, part in enumerate(parts)
    )
    return re.compile(body), names


def _numbering(record):
    """Return a function from a vertex in a sentence to its number."""
    parts, begins = record.header.get("parts", ()), {}
    size = 0
    for part in parts:
        begins[part["prefix"].strip()] = size
        size += part["size"]

    def number(kind, text):
        if kind:
            return text
        side, digits = re.fullmatch(r"([a-z]*) ?(\d+)", text).groups()
        return begins.get(side, 0) + int(digits)

    return number
