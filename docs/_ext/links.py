"""Check every link inside the built documentation: its file exists, and so does its anchor."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from sphinx.application import Sphinx


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors.update(value for value in (given.get("id"), given.get("name")) if value)
        self.links += [value for name in ("href", "src") if (value := given.get(name))]


@cache
def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def broken(folder: Path) -> list[str]:
    """Return the links of all pages of a folder that lead nowhere, each with its page."""
    found = []
    for path in sorted(folder.rglob("*.html")):
        for link in _read(path).links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not target.exists():
                found.append(f"{path.relative_to(folder)}: {link} does not exist")
            elif parts.fragment and target.suffix == ".html" and not _has(target, parts.fragment):
                found.append(f"{path.relative_to(folder)}: {link} has no such anchor")
    return found


def _has(page: Path, fragment: str) -> bool:
    return unquote(fragment) in _read(page).anchors


def foreign(folder: Path) -> list[str]:
    """Return scripts, styles and frames that a page would fetch from elsewhere: there are none."""
    texts = {path: path.read_text(encoding="utf-8") for path in folder.rglob("*.html")}
    marks = ('src="http', "src='http", 'rel="stylesheet" href="http', 'src="//')
    return [
        f"{path.relative_to(folder)}: {m}" for path, t in texts.items() for m in marks if m in t
    ]


def _check(app: Sphinx, error: Exception | None) -> None:
    if error or app.builder.name != "html":
        return
    from sphinx.errors import SphinxError

    _read.cache_clear()
    folder = Path(app.outdir)
    if problems := broken(folder) + foreign(folder):
        raise SphinxError("links that lead nowhere, or out of the site:\n" + "\n".join(problems))


def setup(app: Sphinx) -> dict[str, Any]:
    """Check after everything else is written."""
    app.connect("build-finished", _check, priority=900)
    return {"parallel_read_safe": True}
