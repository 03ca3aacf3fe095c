"""What the records of a family consist of: its events in one table, and how they are replayed."""

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
    """A row of the bar of events.

    Attributes
    ----------
    colour : str
        Colour of the player: ``done``, ``tried``, ``undone``, ``minor``, ``accent``, or one that the
        family's ``player.css`` defines; the band's name in :attr:`EventKind.band`.
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
        What an event of this kind is, as the end of a sentence about a vertex.
    band : str
        Colour of the band that shows it.
    sentence : str
        See :mod:`gpucore.record.words`.
    host : bool
        Whether the driver appends it, so that kernels do not know it.
    """

    code: IntEnum
    label: str
    band: str
    sentence: str
    host: bool = False


@dataclass(frozen=True)
class RecordKind:
    """What a family declares of its records.

    Attributes
    ----------
    events : tuple of EventKind
        All kinds, by code.
    bands : tuple of Band
        Rows of the bar of events, from top to bottom.
    timeline : callable
        ``timeline(record)`` turns events into state changes.
    sides : tuple of str
        What vertices of the two sides of a bipartite problem are called.
    wording : callable or None
        ``wording(header, sentences)`` returns the sentences of a record where they depend on its
        header.
    """

    events: tuple[EventKind, ...]
    bands: tuple[Band, ...]
    timeline: Callable[[Record], Timeline]
    sides: tuple[str, str] = ("r", "c")
    wording: Callable[[Mapping[str, Any], Mapping[int, str]], Mapping[int, str]] | None = None

    @cached_property
    def sentences(self) -> dict[int, str]:
        """One sentence a kind."""
        return {int(event.code): event.sentence for event in self.events}

    def sentences_in(self, header: Mapping[str, Any]) -> Mapping[int, str]:
        """Return the sentences of the record that has this header."""
        return self.sentences if self.wording is None else self.wording(header, self.sentences)

    def labels(self) -> dict[int, str]:
        """Return the label of every kind."""
        return {int(event.code): event.label for event in self.events}

    def bands_of_kinds(self) -> list[dict[str, Any]]:
        """Return the bands with the kinds that each shows, JSON-able."""
        return [
            {
                "kinds": [int(event.code) for event in self.events if event.band == band.colour],
                "colour": band.colour,
                "text": band.text,
            }
            for band in self.bands
        ]
