"""The format of stories, and its checks.

A story is a TOML or JSON file::

    title = "A chain of displacements"
    record = "GRAPH-ALGORITHM-VARIANT"          # of the gallery; or a table [run]: words of a link

    [[stops]]
    step = 20                                   # number of events that have happened
    caption = "Vertex 1 pushes 8 out."
    notes = "Ask where 8 goes."                 # speaker notes
    look = { vertices = [1, 2, 8], edges = [[1, 2]], warps = [0] }
    expect = { kind = "DISPLACE", a = 1, b = 2, c = 8 }   # the event at this step
    counts = { DISPLACE = 1 }                   # events of a kind so far
    tail = { warp = 179, percent = 46 }         # it works alone at the end of the run
    beside = { record = "NAME", microseconds = [31.1, 24.6], iterations = [8, 9] }
    question = "next"                           # one of the family, or a table

``lanes = 179`` in ``look`` draws the lanes of a warp, ``time = [40, 60]`` zooms the time axis to
what happened between two steps. ``beside`` puts the time axis of another
record of the graph below that of the run. ``expect``, ``counts``, ``tail`` and the numbers of
``beside`` (of the run, then of the other) are what the caption claims:
:func:`app.stories.check.check_story` holds them against the records. A question of one's own is a
table with ask, choices, answer and because.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from gpucore.errors import ParameterError

#: Limits of a file, which may come from a visitor.
MOST_BYTES = 200_000
MOST_STOPS = 60
MOST_TEXT = 2000
MOST_LOOKED_AT = 64

#: Columns of an event that ``expect`` may name, besides its kind.
EXPECTED = ("a", "b", "c", "warp", "iteration", "lane")

#: What ``beside`` may claim of two runs.
BESIDE = ("microseconds", "iterations")

#: The entries of a stop.
STOP = ("step", "caption", "notes", "look", "expect", "counts", "tail", "beside", "question")


@dataclass(frozen=True)
class OwnQuestion:
    """A question that the author of a story wrote.

    Attributes
    ----------
    ask, because : str
        The question, and the explanation that follows any answer.
    choices : tuple of str
        The answers to choose from.
    answer : int
        Index of the right one.
    """

    ask: str
    choices: tuple[str, ...]
    answer: int
    because: str


@dataclass(frozen=True)
class Stop:
    """One stop of a story; see the module."""

    step: int
    caption: str
    notes: str = ""
    vertices: tuple[int, ...] = ()
    warps: tuple[int, ...] = ()
    edges: tuple[tuple[int, int], ...] = ()
    lanes: int | None = None
    time: tuple[int, ...] = ()
    expect: Mapping[str, Any] = field(default_factory=dict)
    counts: Mapping[str, int] = field(default_factory=dict)
    tail: Mapping[str, int] = field(default_factory=dict)
    beside: Mapping[str, Any] = field(default_factory=dict)
    question: str | OwnQuestion | None = None


@dataclass(frozen=True)
class Story:
    """A story.

    Attributes
    ----------
    title, summary : str
        Display text.
    stops : tuple of Stop
        At least one, in the order in which they are shown.
    record : str
        The record of the gallery that it is about, or empty.
    run : mapping of str to str
        Else the run, in the words of a link (:mod:`app.links.permalink`).
    minutes : int
        How long it takes; 0 if unknown.
    first : bool
        Whether the landing page begins with it.
    """

    title: str
    stops: tuple[Stop, ...]
    record: str = ""
    run: Mapping[str, str] = field(default_factory=dict)
    summary: str = ""
    minutes: int = 0
    first: bool = False


def parse_story(text: str, name: str) -> Story:
    """Read a story.

    Parameters
    ----------
    text : str
        Content of the file; untrusted.
    name : str
        Name of the file; ``.json`` is read as JSON, everything else as TOML.

    Raises
    ------
    ParameterError
        The file is too large or damaged, or an entry is missing, unknown or out of bounds; the
        message names the stop and the entry.
    """
    if len(text.encode()) > MOST_BYTES:
        raise ParameterError(f"the story {name!r} is larger than {MOST_BYTES:,} bytes")
    try:
        given = json.loads(text) if name.endswith(".json") else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        kind = "JSON" if name.endswith(".json") else "TOML"
        raise ParameterError(f"the story {name!r} is no {kind}: {str(error)[:200]}") from None
    return _Reader(f"the story {name!r}").story(given)


def stop_table(stop: Stop) -> dict[str, Any]:
    """Return a stop as the table that a file has for it; JSON-able."""
    look = {
        "vertices": list(stop.vertices),
        "warps": list(stop.warps),
        "edges": [list(edge) for edge in stop.edges],
        "time": list(stop.time),
    }
    shown: dict[str, Any] = {name: value for name, value in look.items() if value}
    if stop.lanes is not None:
        shown["lanes"] = stop.lanes
    question: Any = stop.question
    if isinstance(question, OwnQuestion):
        question = {
            "ask": question.ask,
            "choices": list(question.choices),
            "answer": question.choices[question.answer],
            "because": question.because,
        }
    table = {
        "step": stop.step,
        "caption": stop.caption,
        "notes": stop.notes,
        "look": shown,
        "expect": dict(stop.expect),
        "counts": dict(stop.counts),
        "tail": dict(stop.tail),
        "beside": dict(stop.beside),
        "question": question,
    }
    return {name: value for name, value in table.items() if value or name == "step"}


class _Reader:
    """Checks one file; every error begins with the place of the mistake."""

    def __init__(self, place: str) -> None:
        self._place = place

    def story(self, given: Any) -> Story:
        table = self._table(given, "it")
        known = ("title", "summary", "minutes", "first", "record", "run", "stops")
        self._known(table, known)
        record = self._text(table, "record", "")
        run = self._table(table.get("run", {}), "run")
        if bool(record) == bool(run):
            self._fail("needs either a record of the gallery or a table run, and not both")
        if not all(isinstance(v, str) and len(v) <= MOST_TEXT for v in run.values()):
            self._fail("has a run whose values are not all texts, such as those of a link")
        stops: Any = table.get("stops")
        if not isinstance(stops, list) or not 1 <= len(stops) <= MOST_STOPS:
            self._fail(f"needs 1 to {MOST_STOPS} stops")
        first = table.get("first", False)
        if not isinstance(first, bool):
            self._fail("has an entry first that is neither true nor false")
        return Story(
            title=self._text(table, "title"),
            summary=self._text(table, "summary", ""),
            minutes=self._whole(table.get("minutes", 0), "minutes"),
            first=first,
            record=record,
            run=run,
            stops=tuple(
                _Reader(f"{self._place}, stop {number},").stop(stop)
                for number, stop in enumerate(stops, 1)
            ),
        )

    def stop(self, given: Any) -> Stop:
        table = self._table(given, "it")
        self._known(table, STOP)
        if "step" not in table:
            self._fail("lacks its step: the number of events that have happened")
        look = self._table(table.get("look", {}), "look")
        self._known(look, ("vertices", "warps", "edges", "lanes", "time"))
        edges = [self._numbers(edge, "an edge") for edge in self._list(look, "edges")]
        if any(len(edge) != 2 for edge in edges):
            self._fail("has an edge that is not two vertices")
        time = self._numbers(look.get("time", []), "time")
        if time and (len(time) != 2 or time[0] >= time[1]):
            self._fail("has a time that is not two steps, the earlier one first")
        return Stop(
            time=time,
            step=self._whole(table["step"], "step"),
            caption=self._text(table, "caption"),
            notes=self._text(table, "notes", ""),
            vertices=self._numbers(look.get("vertices", []), "vertices"),
            warps=self._numbers(look.get("warps", []), "warps"),
            edges=tuple((edge[0], edge[1]) for edge in edges),
            lanes=self._whole(look["lanes"], "lanes") if "lanes" in look else None,
            expect=self._expect(table.get("expect", {})),
            counts=self._counts("counts", table.get("counts", {})),
            tail=self._tail(table.get("tail", {})),
            beside=self._beside(table.get("beside", {})),
            question=self._question(table.get("question")),
        )

    def _expect(self, given: Any) -> Mapping[str, Any]:
        table = self._table(given, "expect")
        self._known(table, ("kind", *EXPECTED))
        if table and not isinstance(table.get("kind"), str):
            self._fail("expects an event without its kind")
        for name in EXPECTED:
            value = table.get(name, 0)
            if isinstance(value, bool) or not isinstance(value, int):
                self._fail(f"expects {name} to be {str(value)[:30]!r}, which is no whole number")
        return table

    def _counts(self, entry: str, given: Any) -> Mapping[str, int]:
        table = self._table(given, entry)
        return {name: self._whole(value, f"{entry}.{name[:30]}") for name, value in table.items()}

    def _tail(self, given: Any) -> Mapping[str, int]:
        tail = self._counts("tail", given)
        self._known(tail, ("warp", "percent"))
        if tail and len(tail) != 2:
            self._fail("has a tail that is not a warp and a percent")
        return tail

    def _beside(self, given: Any) -> Mapping[str, Any]:
        table = self._table(given, "beside")
        self._known(table, ("record", *BESIDE))
        if not table:
            return {}
        for name in BESIDE:
            numbers = self._list(table, name)
            if numbers and (len(numbers) != 2 or not all(map(_is_number, numbers))):
                self._fail(f"has {name} that are not two numbers")
        return {**table, "record": self._text(table, "record")}

    def _question(self, given: Any) -> str | OwnQuestion | None:
        if given is None or isinstance(given, str):
            return given
        table = self._table(given, "question")
        self._known(table, ("ask", "choices", "answer", "because"))
        choices = self._list(table, "choices")
        if not 2 <= len(choices) <= 8 or not all(isinstance(one, str) for one in choices):
            self._fail("has a question that does not offer two to eight texts as choices")
        if table.get("answer") not in choices:
            self._fail("has a question whose answer is none of its choices")
        return OwnQuestion(
            ask=self._text(table, "ask"),
            choices=tuple(choices),
            answer=choices.index(table["answer"]),
            because=self._text(table, "because"),
        )

    # Single values

    def _fail(self, what: str) -> None:
        raise ParameterError(f"{self._place} {what}")

    def _known(self, table: Mapping[str, Any], names: tuple[str, ...]) -> None:
        for name in table:
            if name not in names:
                self._fail(f"has an unknown entry {name[:40]!r}; there are {', '.join(names)}")

    def _table(self, value: Any, name: str) -> dict[str, Any]:
        if not isinstance(value, dict):
            self._fail(f"should have a table where {name} is")
        return dict(value)

    def _list(self, table: Mapping[str, Any], name: str) -> list[Any]:
        value = table.get(name, [])
        if not isinstance(value, list) or len(value) > MOST_LOOKED_AT:
            self._fail(f"should have a list of at most {MOST_LOOKED_AT} values as {name}")
        return list(value)

    def _text(self, table: Mapping[str, Any], name: str, default: str | None = None) -> str:
        value = table.get(name, default)
        if not isinstance(value, str) or (default is None and not value.strip()):
            self._fail(f"lacks its {name}, a text")
        text = str(value).strip()
        if len(text) > MOST_TEXT:
            self._fail(f"has a {name} of more than {MOST_TEXT:,} characters")
        return text

    def _whole(self, value: Any, name: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 1 << 31:
            self._fail(f"has a {name} that is no whole number from 0: {str(value)[:30]!r}")
        return int(value)

    def _numbers(self, value: Any, name: str) -> tuple[int, ...]:
        if not isinstance(value, list) or len(value) > MOST_LOOKED_AT:
            self._fail(f"should have a list of at most {MOST_LOOKED_AT} numbers as {name}")
        return tuple(self._whole(one, name) for one in value)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
