"""The gallery: small records of runs, most of them on a real GPU, to be played on any computer.

A family keeps its records in its folder ``gallery``; ``catalogue.toml`` there describes them. Each
record is a run on a graph of the collection or a generated one. This module imports nothing heavy:
the landing page lists the gallery without a page process.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from gpucore.errors import ParameterError

from .pages import find_pages, folder_of

if TYPE_CHECKING:
    from gpucore.record import Record

#: The GPU on which records were made.
CARD = "NVIDIA H100"
#: What other records were made on: two cards of one machine, or a processor.
CARDS = "two NVIDIA H200"
HOST = "host executor"
PROCESSOR = "processor"


@dataclass(frozen=True)
class Entry:
    """One record of the gallery.

    Attributes
    ----------
    name : str
        Name of its file without the ending; part of the address.
    title, look : str
        Display text: heading, and what to look for.
    family : str
        Family whose page plays it.
    events : int
        Number of events.
    made_on : str
        :data:`CARD`, another GPU, :data:`CARDS`, :data:`HOST`, or :data:`PROCESSOR` for a method
        without kernels.
    """

    name: str
    title: str
    look: str
    family: str
    events: int
    made_on: str = CARD

    @property
    def where(self) -> str:
        """Display name of what it was made on, with its article."""
        if self.made_on == CARDS:
            return self.made_on.replace("NVIDIA ", "") + "s"
        name = self.made_on.removeprefix("NVIDIA ")
        return f"the {name}" if self.made_on in (HOST, PROCESSOR) else f"an {name}"

    @property
    def path(self) -> Path:
        """The record's file."""
        return folder(self.family) / f"{self.name}.npz"

    def record(self) -> Record:
        """Read the record."""
        from gpucore.record import Record

        return Record.load(self.path)


def folder(family: str) -> Path:
    """Return the folder with the records of a family; it may not exist."""
    return folder_of(family) / "gallery"


def catalogue(family: str) -> Path:
    """Return the file that describes the records of a family; it may not exist."""
    return folder(family) / "catalogue.toml"


@cache
def entries() -> dict[str, Entry]:
    """Return all records by name: families in the order of their pages, records from easy to large.

    Raises
    ------
    RuntimeError
        Two records have the same name.
    """
    found: dict[str, Entry] = {}
    for family in _families():
        table = tomllib.loads(catalogue(family).read_text(encoding="utf-8"))
        for name, given in table.items():
            if name in found:
                raise RuntimeError(f"two records of the gallery are called {name!r}")
            found[name] = Entry(name=name, family=family, **given)
    return found


def entry(name: str) -> Entry:
    """Return the record called `name`, or raise ParameterError."""
    try:
        return entries()[name]
    except KeyError:
        raise ParameterError(
            f"the gallery has no record {name[:60]!r}; the landing page lists those it has"
        ) from None


def _families() -> list[str]:
    """Return the families that have records, in the order of their pages."""
    shown = (page.family for page in find_pages().values() if page.gallery)
    return [family for family in dict.fromkeys(shown) if catalogue(family).is_file()]
