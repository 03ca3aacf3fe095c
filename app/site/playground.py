"""The playground: a static page that compiles and runs kernels in the visitor's browser.

This server never compiles what a visitor types: it sends the page, and the files of the compiler.
They are written once, when the first visitor asks for the page: packages that are not in the cache
yet are fetched, and the server starts without waiting for them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ..pages import APP
from ..play.policy import ENGINE, PAGE
from .background import WrittenFolder, give_way

#: What the page links back to: the landing page.
_INDEX = "./"


class Playground(WrittenFolder):
    """The playground of one server; `folder` is below the server's own."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "playground", f"{APP}.site.playground")

    @property
    def ready(self) -> bool:
        """Whether the page is written, which comes last."""
        return (self.folder / PAGE).is_file()

    @property
    def files(self) -> Path:
        """The folder of the compiler's files."""
        path = self.folder / ENGINE
        path.mkdir(exist_ok=True)
        return path


def main(folder: str) -> None:
    """Write the page and its files; what is missing goes into the server's log."""
    from ..play.play import write_play

    give_way()
    for words in write_play(Path(folder), _INDEX):
        print(f"The playground is not complete: {words}", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1])
