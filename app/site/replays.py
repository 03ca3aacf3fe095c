"""Recorded runs as static pages, for visitors who find all places taken.

A static page needs no page process. The pages are written once, by a process of low priority that
starts when the first visitor finds no place; each page is offered as soon as it is there. The
whole gallery is written, so its size bounds the folder and the memory of the server that sends it.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from ..gallery import Entry, entries
from ..pages import APP

#: First part of the pages' address.
PART = "replays"
#: Below the pages of visitors, but not so far that a busy server writes nothing.
_NICENESS = 5


class StaticReplays:
    """The static pages of one server.

    Parameters
    ----------
    folder : Path
        Where they are written.
    wanted : bool
        Whether they are written at all.
    """

    def __init__(self, folder: Path, wanted: bool = True) -> None:
        self.folder = folder / PART
        self._wanted = wanted
        self.folder.mkdir()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Write the pages, at the first call."""
        if self._wanted and self._process is None:
            command = [sys.executable, "-P", "-m", f"{APP}.site.replays", os.fspath(self.folder)]
            quiet = subprocess.DEVNULL
            self._process = subprocess.Popen(command, stdin=quiet, stdout=quiet)

    def ready(self) -> list[Entry]:
        """Return the records whose pages are written."""
        written = {path.stem for path in self.folder.glob("*.html")}
        return [entry for name, entry in entries().items() if name in written]

    def stop(self) -> None:
        """End the process that writes."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()


def main(folder: str) -> None:
    """Write the pages into a folder, and leave the processor to the pages of visitors."""
    from ..limits import PageLimits
    from ..published.folder import write_site

    if hasattr(os, "nice"):
        os.nice(_NICENESS)
    write_site(Path(folder), PageLimits(), stories=False)


if __name__ == "__main__":
    main(sys.argv[1])
