"""Declaration of a family's records: one table of events, and their replay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpucore.record.record import Record
    from gpucore.record.timeline import Timeline


@dataclass(frozen=True)
class Band:
    """A row of the event bar.

    Attributes
    ----------
    colour : str
        Name of a colour, and of the band: ``done``, ``tried``, ``undone``, ``minor``, ``accent``,
        or a colour that the family's ``player.css`` defines.
    text : str
        Display label.
    """

    colour: str
    text: str


@dataclass(frozen=True)
class EventKind:
    """One kind of event.

    Attributes
    ----------
    code : IntEnum
        Name and number; the kernels' enumeration has the same.
    label : str
        Label of such an event, as the end of a sentence about a vertex.
    band : str
        Colour of the band with these events.
    sentence : str
        Sentence with blanks; see :mod:`gpucore.record.words`.
    host : bool
        Whether the driver on the host appends such events, so that kernels do not have the code.
    atomic : bool
        Whether such an event always follows an atomic operation of its lane, and is its outcome.
    """

    code: IntEnum
    label: str
    band: str
    sentence: str
    host: bool = False
    atomic: bool = False


@dataclass(frozen=True)
class RecordKind:
    """Declaration of a family's records.

    Attributes
    ----------
    events : tuple of EventKind
        All kinds, by code.
    bands : tuple of Band
        Rows of the event bar, from top to bottom.
    timeline : callable
        ``timeline(record)`` turns events into state changes.
    sides : tuple of str
        What stands before the numbers of the two sides of a bipartite problem, in sentences:
        letters, or words that end in a blank.
    nouns : tuple of str
        Nouns for the vertices of the two sides, where `sides` are letters.
    wording : callable or None
        ``wording(header, sentences)`` returns the sentences of a record, if they depend on its
        header.
    noun : str
        Noun for a vertex of a problem without sides and names, at the beginning of a sentence.
    own_sizes : tuple of str
        Arrays of the initial and final states that do not have a value for each vertex; the
        timeline checks their lengths.
    free : tuple of str
        Variants whose warps do not wait for each other between iterations.
    retold : callable or None
        ``retold(record, problem)`` gives a record, which an earlier version may have made, the
        order of events and the columns that a record made now has: causes come before what they
        cause. A record made now stays as it is.
    """

    events: tuple[EventKind, ...]
    bands: tuple[Band, ...]
    timeline: Callable[[Record], Timeline]
    sides: tuple[str, str] = ("r", "c")
    nouns: tuple[str, str] = ("row", "column")
    noun: str = "vertex"
    wording: Callable[[Mapping[str, Any], Mapping[int, str]], Mapping[int, str]] | None = None
    own_sizes: tuple[str, ...] = ()
    free: tuple[str, ...] = ()
    retold: Callable[[Record, Any], Record] | None = None

    @cached_property
    def sentences(self) -> dict[int, str]:
        """Sentences by code of the kind."""
        return {int(event.code): event.sentence for event in self.events}

    def sentences_in(self, header: Mapping[str, Any]) -> Mapping[int, str]:
        """Return the sentences of a record with this header."""
        return self.sentences if self.wording is None else self.wording(header, self.sentences)

    def labels(self) -> dict[int, str]:
        """Return the labels of all kinds by code."""
        return {int(event.code): event.label for event in self.events}

    def bands_of_kinds(self) -> list[dict[str, Any]]:
        """Return the bands with the kinds in each, JSON-able."""
        return [
            {
                "kinds": [int(event.code) for event in self.events if event.band == band.colour],
                "colour": band.colour,
                "text": band.text,
            }
            for band in self.bands
        ]
