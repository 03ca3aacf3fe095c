"""Descriptions of events: a family's sentences with the values of an event.

In a sentence ``{a}``, ``{b}``, ``{c}`` are vertices (at the beginning with their noun: "vertex 7"),
``{a#}``, ``{b#}``, ``{c#}`` bare numbers, ``{value}`` the weight, ``{value#}`` and ``{batch#}``
whole numbers. ``[c|this|that]`` is "this" where c is no less than 0, else "that";
``[c=1|this|that]`` is "this" where c is 1. A column that an earlier version's record
lacks counts as -1 and as 0. The browser uses the same sentences.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gpucore.errors import RecordError
from gpucore.record.record import Record
from gpucore.record.replay import record_kind

#: Longest name of a vertex that is shown whole.
MOST_CHARACTERS = 100

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_BLANK = re.compile(r"\{(\w+)(#?)\}")
_CHOICE = re.compile(r"\[(\w+)(?:=(\d+))?\|([^|\]]*)\|([^|\]]*)\]")


def sentences_in(record: Record) -> Mapping[int, str]:
    """Return the sentences of a record by kind of event.

    Raises
    ------
    RecordError
        Its family is unknown.
    """
    return record_kind(record.header["family"]).sentences_in(record.header)


def sentence_columns(record: Record) -> tuple[str, ...]:
    """Return the columns of a record's events that occur in its sentences."""
    text = " ".join(sentences_in(record).values())
    return tuple(name for name in record.events if re.search(rf"[{{\[]{name}\b", text))


def describe(record: Record, event: int, names: Sequence[str] | None = None) -> str:
    """Describe an event in a sentence.

    Parameters
    ----------
    record : Record
        A record of any family.
    event : int
        Number of the event, from 0.
    names : sequence of str, optional
        Names of the vertices; they replace the record's labels (:func:`vertex_label`).

    Returns
    -------
    str
        For example "vertex 7 proposes to 12 with 0.83 and displaces 3".

    Raises
    ------
    RecordError
        There is no such event, or its kind is unknown.
    """
    if not 0 <= event < record.num_events:
        raise RecordError(f"there is no event {event}; the record has {record.num_events}")
    columns = record.events
    noun = record_kind(record.header["family"]).noun
    try:
        sentence = sentences_in(record)[int(columns["kind"][event])]
    except KeyError:
        raise RecordError(
            f"event {event} is of the unknown kind {columns['kind'][event]}; update Warplens, "
            "or make the record again"
        ) from None

    def choose(choice: re.Match[str]) -> str:
        name, wanted, this, that = choice.groups()
        if wanted is None:
            return this if name in columns and columns[name][event] >= 0 else that
        return this if (columns[name][event] if name in columns else 0) == int(wanted) else that

    def fill(blank: re.Match[str]) -> str:
        name, bare = blank.groups()
        value = columns[name][event]
        if name == "value" and not bare:
            return short(float(value))
        if bare:
            return str(int(value))
        if label := vertex_label(record, int(value), names):
            return label
        return f"{noun} {value}" if blank.start() == 0 else str(value)

    return _BLANK.sub(fill, _CHOICE.sub(choose, sentence))


def vertex_label(record: Record, vertex: int, names: Sequence[str] | None = None) -> str:
    """Return the label of a vertex; "" if it has only a number.

    Parameters
    ----------
    record : Record
        A record of any family.
    vertex : int
    names : sequence of str, optional
        The graph's names, used first.

    Returns
    -------
    str
        The name; or, if the graph has parts (``header["parts"]``), the letter of the part and the
        number in it, for example "r7" or "c12".
    """
    if names is not None:
        return names[vertex] if 0 <= vertex < len(names) else ""
    for part in record.header.get("parts", ()) if vertex >= 0 else ():
        if vertex < part["size"]:
            return f"{part['prefix']}{vertex}"
        vertex -= part["size"]
    return ""


def parts_of(rows: int, columns: int, sides: tuple[str, str] = ("r", "c")) -> list[dict[str, Any]]:
    """Return the entry "parts" of a header, for the vertices of a matrix; see `vertex_label`."""
    return [
        {"prefix": side, "size": size} for side, size in zip(sides, (rows, columns), strict=True)
    ]


def naming(record: Record, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return the data with which the browser describes events; JSON-able.

    Parameters
    ----------
    record : Record
        A record of any family.
    names : sequence of str, optional
        The graph's names.

    Returns
    -------
    dict
        family, names, noun (of a vertex), sentences, kinds (their labels), bands (of the event
        bar), and for a matrix the number of rows (rows), the letters of both sides (sides), and
        their nouns (nouns).
    """
    family = record.header["family"]
    kind = record_kind(family)
    words = {
        "family": family,
        "names": None if names is None else [short_name(name) for name in names],
        "noun": kind.noun,
        "sentences": {str(code): text for code, text in sentences_in(record).items()},
        "kinds": {str(code): label for code, label in kind.labels().items()},
        "bands": kind.bands_of_kinds(),
    }
    parts = record.header.get("parts")
    if not parts:
        return words
    sides = [part["prefix"] for part in parts]
    return words | {"rows": parts[0]["size"], "sides": sides, "nouns": list(kind.nouns)}


def short_name(name: str, most: int = MOST_CHARACTERS) -> str:
    """Return a name as it is, or its beginning if it is too long to be drawn.

    Examples
    --------
    >>> short_name("Valjean"), short_name("Valjean", 3)
    ('Valjean', 'Val…')
    """
    return name if len(name) <= most else f"{name[:most]}…"


def short(value: float, digits: int = 3) -> str:
    """Format a number with some significant digits.

    Examples
    --------
    >>> [short(value) for value in (0.8299, 12.54, 1230.0, 8.541e9, -2.5e-7)]
    ['0.83', '12.5', '1230', '8.54 × 10⁹', '-2.5 × 10⁻⁷']
    """
    if not np.isfinite(value):
        return str(value)
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    if value == 0 or -4 <= int(power) < 6:
        return np.format_float_positional(value, precision=digits, fractional=False, trim="-")
    return f"{float(mantissa):g} × 10{str(int(power)).translate(_RAISED)}"
