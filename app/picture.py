"""What a family's ``player.js`` exports: the browser's half of the contract of a view.

:class:`app.view.View` is the other half. The bundler checks the exports when it joins a family's
module to a widget's script.

Arguments of the functions:

- ``state``: the arrays of :attr:`gpucore.record.Timeline.fields`, by name, at the clock.
- ``marks``: what the picture draws. The player makes it with ``classes`` (a class for each vertex),
  ``warps``, ``time`` and ``objective``; the family sets ``classes``, ``links``, ``arrows``,
  ``tints``, ``measures``, and what it keeps for itself.
- ``events``: the columns of the record, by name; ``event`` is a number of one.
- ``meta``: the header of the message, with the entries of :attr:`app.view.View.extras`; ``arrays``:
  its arrays.
- ``label(vertex)`` returns the name of a vertex, ``number(value)`` a short number.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Export:
    """One export of a family's module.

    Attributes
    ----------
    name : str
    about : str
        What it is, or what it returns.
    takes : str or None
        Parameters of a function; None for a constant or a class.
    required : bool
    needs : tuple of str
        Exports without which this one is of no use.
    """

    name: str
    about: str
    takes: str | None = None
    required: bool = False
    needs: tuple[str, ...] = ()

    @property
    def form(self) -> str:
        """The name, with the parameters of a function."""
        return self.name if self.takes is None else f"{self.name}({self.takes})"


EXPORTS = (
    Export("STYLES", "look and colour of each class of vertices", required=True),
    Export("legend", "entries of the legend; `kinds` is the set of events", "kinds, meta", True),
    Export("marksOf", "nothing: sets `marks` to a state", "state, marks", True),
    Export("measuresText", "the line on the picture", "measures, number", True),
    Export("effectsOf", "the effects of an event", "events, event", True),
    Export("factsOf", "lines about a vertex", "state, vertex, label, number, marks", True),
    Export(
        "neighbourText",
        "the state of an edge, seen from one end",
        "state, vertex, other, weight, label, number, marks",
    ),
    Export("prepare", "nothing: sets what `marks` keeps", "marks, timeline, meta, events, arrays"),
    Export("NOUN", 'the noun for a vertex; else "vertex"'),
    Export("COLOURS", "names of colours in `player.css`"),
    Export("DETAILS", "`{kinds, text}`: events that are passed over at first, and their name"),
    Export("View", "class of the picture; else `GraphView`"),
    Export("picturesOf", "classes of all pictures, the first one first", "meta, arrays"),
    Export("align", "nothing: renames the classes of `marks` as another run's", "marks, like"),
    Export("comparable", "the state in which runs are compared", "state, marks"),
    Export(
        "causesOf",
        "the event that caused each event, or -1",
        "events, n",
        needs=("chainLink", "chainText"),
    ),
    Export("CHAIN_NAME", 'the name of a chain of causes; else "Chain"', needs=("causesOf",)),
    Export(
        "chainLink", "the link that is drawn for an event", "events, event", needs=("causesOf",)
    ),
    Export("chainText", "an event in a few words", "events, event, label", needs=("causesOf",)),
)


def check_exports(module: str, names: Iterable[str]) -> None:
    """Raise ValueError unless a family's module exports what the player needs, and no other name.

    Examples
    --------
    >>> check_exports("player.js", ["STYLES"])
    Traceback (most recent call last):
    ...
    ValueError: player.js does not export legend, marksOf, measuresText, effectsOf, factsOf; ...
    """
    found, known = set(names), {one.name: one for one in EXPORTS}
    needed = [one.name for one in EXPORTS if one.required]
    needed += [name for one in EXPORTS if one.name in found for name in one.needs]
    if missing := [name for name in dict.fromkeys(needed) if name not in found]:
        raise ValueError(
            f"{module} does not export {', '.join(missing)}; app/picture.py says what each is"
        )
    if unknown := sorted(found - set(known)):
        raise ValueError(
            f"{module} exports {', '.join(unknown)}, which the player does not use; it uses "
            f"{', '.join(known)}"
        )
