"""Small records of runs on a real card, so that a laptop can play them beside its own.

Every record is a run on a graph of the collection or a generated one; ``catalogue.toml`` says what
to look for. Nothing heavy is imported here: the landing page lists the gallery without a kernel.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.record import Record

_FOLDER = Path(__file__).parent

#: Where the records were made.
CARD = "NVIDIA H100"


@dataclass(frozen=True)
class Entry:
    """One record of the gallery.

    Attributes
    ----------
    name : str
        Of its file, without the ending; part of the address.
    title, look : str
        For people: what it is and what to look for.
    family : str
        The page that plays it.
    events : int
        Number of events.
    """

    name: str
    title: str
    look: str
    family: str
    events: int

    @property
    def path(self) -> Path:
        """The record's file."""
        return _FOLDER / f"{self.name}.npz"

    def record(self) -> Record:
        """Read the record."""
        from gpucore.record import Record

        return Record.load(self.path)


@cache
def entries() -> dict[str, Entry]:
    """Return all records by name, from easy to large."""
    table = tomllib.loads((_FOLDER / "catalogue.toml").read_text(encoding="utf-8"))
    return {name: Entry(name=name, **given) for name, given in table.items()}


def entry(name: str) -> Entry:
    """Return the record called `name`, or raise ParameterError."""
    try:
        return entries()[name]
    except KeyError:
        raise ParameterError(
            f"the gallery has no record {name[:60]!r}; the landing page lists those it has"
        ) from None
