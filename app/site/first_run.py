"""The run that plays on the landing page: a static page, written once for each version of the code.

It is kept in the user's cache, so that only the first server of a version has to write it. That
one begins before its own imports, so that the page is there when the server answers; therefore this
module imports little.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import sys
from dataclasses import replace
from pathlib import Path

import gpucore
from gpucore.errors import ParameterError
from gpucore.saving import cache_folder, make_directory, replacing

from .background import WrittenFolder

#: Its address.
ADDRESS = "first.html"
#: Seconds that a browser waits for it at most, and between two looks.
_MOST, _PAUSE = 60.0, 0.05


class FirstRun(WrittenFolder):
    """The run on the landing page of one server; `folder` is the server's own."""

    def __init__(self, folder: Path) -> None:
        self.server = folder
        super().__init__(folder / "first", __name__)
        # Where the cache cannot be written the page is in the server's folder alone.
        self._places = (kept_page(), self.folder / ADDRESS)

    def prepare(self) -> None:
        """Write the page if it is not kept, before a visitor asks."""
        if not self._places[0].is_file():
            self.start()

    async def page(self) -> bytes:
        """Return the page, once it is written; empty if it cannot be."""
        for _ in range(round(_MOST / _PAUSE)):
            for path in self._places:
                if path.is_file():
                    return path.read_bytes()
            self.start()
            await asyncio.sleep(_PAUSE)
        return b""


def kept_page() -> Path:
    """Return the page's place in the cache: another one for other code."""
    digest = hashlib.sha256()
    for folder in (Path(__file__).parents[1], Path(gpucore.__file__).parent):
        for path in sorted(folder.rglob("*.*")):
            if "__pycache__" not in path.parts:
                about = path.stat()
                digest.update(f"{path} {about.st_size} {about.st_mtime_ns}\n".encode())
    return cache_folder() / "pages" / f"first-{digest.hexdigest()[:32]}.html"


def main(folder: str) -> None:
    """Write the page: the record of the story with which visitors begin."""
    from ..gallery import entries
    from ..limits import PageLimits
    from ..published.page import page_of
    from ..published.replays import replay_of
    from ..stories.library import first_story

    story, known = first_story(), entries()
    entry = known[story.story.record] if story else next(iter(known.values()))
    replay = replace(replay_of(entry.record(), PageLimits(), title=entry.title), charts=list)
    page = page_of(replay).encode()
    kept = kept_page()
    with contextlib.suppress(ParameterError):
        make_directory(kept.parent, ParameterError)
        with replacing(kept, ParameterError) as file:
            file.write(page)
        for old in kept.parent.glob("first-*.html"):
            if old != kept:
                old.unlink(missing_ok=True)
    with replacing(Path(folder) / ADDRESS) as file:
        file.write(page)


if __name__ == "__main__":
    main(sys.argv[1])
