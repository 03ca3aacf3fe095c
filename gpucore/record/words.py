"""Events in plain words: the matching family's, and how any family's are filled in."""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from gpucore.errors import RecordError
from gpucore.record.chains import Kind
from gpucore.record.record import Record

#: One sentence a kind.  ``{a}``, ``{b}``, ``{c}`` are vertices (at the beginning with their noun:
#: "vertex 7"), ``{a#}``, ``{b#}``, ``{c#}`` bare numbers, ``{value}`` the weight, ``{value#}`` and
#: ``{batch#}`` whole numbers.
#: ``[c|this|that]`` is "this" where c is no less than 0, else "that"; ``[c=1|this|that]`` where c
#: is 1.  The browser fills in the same sentences.
SENTENCES: dict[int, str] = {
    Kind.PROPOSE_FREE: "{a} proposes to {b} with {value}, and {b} had no suitor",
    Kind.DISPLACE: "{a} proposes to {b} with {value} and displaces {c}",
    Kind.OUTBID: "{a} proposes to {b} with {value}, but {c} has bid more",
    Kind.EXHAUSTED: "{a} has no candidate left and stays alone",
    Kind.MOVE: "{a} moves from warp {b#} to warp {c#}, which has less to do",
    Kind.POINT: "{a} points to {b}, its heaviest neighbour still free ({value})",
    Kind.MATCH: "{a} and {b} point to each other and are matched with {value}",
}

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_BLANK = re.compile(r"\{(\w+)(#?)\}")
_CHOICE = re.compile(r"\[(\w+)(?:=(\d+))?\|([^|\]]*)\|([^|\]]*)\]")


def sentences_of(family: str) -> Mapping[int, str]:
    """Return the sentences of a family: ``SENTENCES`` of its module beside this one.

    Raises
    ------
    RecordError
        There is no such family.
    """
    found: Mapping[int, str] | None = getattr(_module_of(family), "SENTENCES", None)
    if found is None:
        raise RecordError(
            f"the family {family[:40]!r} has no words for its events; update Warpscope, or make "
            "the record again"
        )
    return found


def _module_of(family: str) -> ModuleType | None:
    """Return the module with a family's words: the one of its name beside this one."""
    if family == "matching":
        return sys.modules[__name__]
    name = f"{__package__}.{family}"
    return import_module(name) if family.isidentifier() and find_spec(name) else None


def sentences_in(record: Record) -> Mapping[int, str]:
    """Return the sentences of a record: its family's.

    They may differ from record to record where the family's module has a function
    ``sentences(header)``.
    """
    family = record.header["family"]
    of_header = getattr(_module_of(family), "sentences", None)
    return sentences_of(family) if of_header is None else of_header(record.header)


def columns_told(record: Record) -> tuple[str, ...]:
    """Return the columns of a record's events that its sentences name."""
    told = " ".join(sentences_in(record).values())
    return tuple(name for name in record.events if f"{{{name}" in told)


def describe(record: Record, event: int, names: Sequence[str] | None = None) -> str:
    """Say in a sentence what an event is about.

    Parameters
    ----------
    record : Record
        Of any family.
    event : int
        Its number, from 0.
    names : sequence of str, optional
        Names of the vertices, to be used instead of the record's own (:func:`vertex_label`).

    Returns
    -------
    str
        For example "vertex 7 proposes to 12 with 0.83 and displaces 3".

    Raises
    ------
    RecordError
        There is no such event, or it is of no known kind.
    """
    if not 0 <= event < record.num_events:
        raise RecordError(f"there is no event {event}; the record has {record.num_events}")
    columns = record.events
    try:
        sentence = sentences_in(record)[int(columns["kind"][event])]
    except KeyError:
        raise RecordError(
            f"event {event} is of the unknown kind {columns['kind'][event]}; update Warpscope, "
            "or make the record again"
        ) from None

    def choose(choice: re.Match[str]) -> str:
        name, wanted, this, that = choice.groups()
        value = columns[name][event]
        return this if (value >= 0 if wanted is None else value == int(wanted)) else that

    def fill(blank: re.Match[str]) -> str:
        name, bare = blank.groups()
        value = columns[name][event]
        if name == "value" and not bare:
            return short(float(value))
        if bare:
            return str(int(value))
        if label := vertex_label(record, int(value), names):
            return label
        return f"vertex {value}" if blank.start() == 0 else str(value)

    return _BLANK.sub(fill, _CHOICE.sub(choose, sentence))


def vertex_label(record: Record, vertex: int, names: Sequence[str] | None = None) -> str:
    """Return what a vertex is called; "" if it has a number only.

    Parameters
    ----------
    record : Record
        Of any family.
    vertex : int
    names : sequence of str, optional
        The graph's names, which come first.

    Returns
    -------
    str
        In a record of a graph in parts (``header["parts"]``), the letter of the part and the
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
    """Return what the header of a record says of the vertices of a matrix, see `vertex_label`."""
    return [
        {"prefix": side, "size": size} for side, size in zip(sides, (rows, columns), strict=True)
    ]


def sides_of(family: str) -> tuple[str, str]:
    """Return what vertices of a family's two sides are called: ``SIDES`` of its module."""
    sides: tuple[str, str] = getattr(_module_of(family), "SIDES", ("r", "c"))
    return sides


def naming(record: Record, names: Sequence[str] | None = None) -> dict[str, Any]:
    """Return what the browser needs to tell events in words; JSON-able.

    Parameters
    ----------
    record : Record
        Of any family.
    names : sequence of str, optional
        The graph's names.

    Returns
    -------
    dict
        family, names, sentences, and for a record of rows and columns their number (rows) and
        what both are called (sides).
    """
    family = record.header["family"]
    words = {
        "family": family,
        "names": None if names is None else list(names),
        "sentences": {str(int(kind)): text for kind, text in sentences_in(record).items()},
    }
    parts = record.header.get("parts")
    if not parts:
        return words
    return words | {"rows": parts[0]["size"], "sides": [part["prefix"] for part in parts]}


def short(value: float, digits: int = 3) -> str:
    """Write a number with some significant digits.

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
