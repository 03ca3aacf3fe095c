"""Events of the matching family in plain words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from gpucore.errors import RecordError
from gpucore.record.chains import Kind
from gpucore.record.record import Record

#: One sentence a kind.  ``{A}`` and ``{B}`` are "vertex 7" or a name, at the place of a noun;
#: ``{a}``, ``{b}``, ``{c}`` the bare number or name; ``{value}`` the weight.  The browser fills in
#: the same sentences.
SENTENCES: dict[Kind, str] = {
    Kind.PROPOSE_FREE: "{A} proposes to {b} with {value}, and {b} had no suitor",
    Kind.DISPLACE: "{A} proposes to {b} with {value} and displaces {c}",
    Kind.OUTBID: "{A} proposes to {b} with {value}, but {c} has bid more",
    Kind.EXHAUSTED: "{A} has nobody left who would accept it, and stays alone",
    Kind.MOVE: "{A} moves from warp {from} to warp {to}, which has less to do",
    Kind.POINT: "{A} points to {b}, its heaviest neighbour still free ({value})",
    Kind.MATCH: "{A} and {b} point to each other and are matched with {value}",
}


def describe(record: Record, event: int, names: Sequence[str] | None = None) -> str:
    """Say in a sentence what an event is about.

    Parameters
    ----------
    record : Record
        Of the matching family.
    event : int
        Its number, from 0.
    names : sequence of str, optional
        Names of the vertices, to be used instead of their numbers.

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
    kind, a, b, c = (int(record.events[name][event]) for name in ("kind", "a", "b", "c"))
    try:
        sentence = SENTENCES[Kind(kind)]
    except ValueError:
        raise RecordError(
            f"event {event} is of the unknown kind {kind}; update Warpscope, "
            "or make the record again"
        ) from None

    def label(vertex: int) -> str:
        return names[vertex] if names is not None and 0 <= vertex < len(names) else str(vertex)

    moved = {"from": b, "to": c}
    value = short(float(record.events["value"][event]))
    noun = label(a) if names is not None else f"vertex {a}"
    return sentence.format(A=noun, a=label(a), b=label(b), c=label(c), value=value, **moved)


def short(value: float) -> str:
    """Write a number with three significant digits: 0.83, 12.5, 1230."""
    if not np.isfinite(value):
        return str(value)
    return np.format_float_positional(value, precision=3, fractional=False, trim="-")
