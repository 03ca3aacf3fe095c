"""Recorded runs as static pages, for visitors who find all places taken.

A static page needs no page process. The pages are written once, by a process of low priority that
starts when the first visitor finds no place; each page is offered as soon as it is there. The
whole gallery is written, so its size bounds the folder and the memory of the server that sends it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ..gallery import Entry, entries
from ..pages import APP
from .background import WrittenFolder, give_way

#: First part of the pages' address.
PART = "replays"


class StaticReplays(WrittenFolder):
    """The static pages of one server.

    Parameters
    ----------
    folder : Path
        Below which they are written.
    wanted : bool
        Whether they are written at all.
    """

    def __init__(self, folder: Path, wanted: bool = True) -> None:
        super().__init__(folder / PART, f"{APP}.site.replays", wanted)

    def ready(self) -> list[Entry]:
        """Return the records whose pages are written."""
        written = {path.stem for path in self.folder.glob("*.html")}
        return [entry for name, entry in entries().items() if name in written]


def main(folder: str) -> None:
    """Write the pages into a folder, and leave the processor to the pages of visitors."""
    from ..limits import PageLimits
    from ..published.folder import write_site

    give_way()
    write_site(Path(folder), PageLimits(), stories=False)


if __name__ == "__main__":
    main(sys.argv[1])
