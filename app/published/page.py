"""One page with one replay: in one file, or with the files that the pages of a folder share."""

from __future__ import annotations

import base64
import dataclasses
import gzip
import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape, unescape
from pathlib import Path
from string import Template
from typing import Any

from gpucore.format import counted

from .. import theme
from ..browser_files import BOKEH, STATIC, bokeh_path
from ..charts.spec import CURSORS
from ..stories.bar import STYLE as STORY_STYLE
from ..widgets.bundle import bundle, style
from ..widgets.code import STYLES as CODE_STYLES
from ..widgets.export_bar import STYLE as EXPORT_STYLE
from ..widgets.player import STYLE as PLAYER_STYLE
from ..widgets.side_by_side import SideBySide
from .replays import Replay

_FOLDER = Path(__file__).parent
_HEAD = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>$title · Warplens</title>
<link rel="icon" href="$icon">
$head
</head>
""")

_TOP = Template("""<a class="ws-skip" href="#content">Skip to the content</a>
<header class="ws-top">$brand<div class="ws-theme" role="group" aria-label="Colours"></div></header>
""")

_PAGE = Template("""<body class="ws-page">
$top<main class="pub" id="content" tabindex="-1">
<div class="pub-head"><h1>$title</h1>$look</div>
<div id="story"></div>
<h2 class="wp-unseen">Run</h2>
<div class="pub-stage"$coded>
<div class="ws-card" id="player"></div>
<div class="ws-card" id="code"></div>
</div>
<h2 class="wp-unseen">Result</h2>
<div class="pub-row" id="results"$wide>$results</div>
<div class="pub-charts" id="charts"></div>
<div id="export"></div>
<footer class="pub-foot"><p>$made</p>
<details id="embed"><summary>Show this run on another page</summary>
<p>A frame that opens at the current step. Its address takes step, from, to, loop=1, play=1,
stop (of a story), controls=0 and theme=light or dark.</p>
<label for="frame">HTML of the frame</label>
<textarea id="frame" readonly></textarea></details></footer>
</main>
<pre id="data" hidden>$data</pre>
<pre id="packed" hidden>$packed</pre>
$tail
</body>
</html>
""")


@dataclass(frozen=True)
class Files:
    """How a page refers to scripts and styles.

    Attributes
    ----------
    head, tail : str
        Elements of the page's head, and those at its end.
    index, playground : str
        Addresses of the list of all pages, and of the playground; empty for a page alone.
    """

    head: str
    tail: str
    index: str = ""
    playground: str = ""


def inside(families: Iterable[str], *, charts: bool, script: str = "") -> Files:
    """Return the files as parts of the page itself; it needs nothing else.

    Parameters
    ----------
    families : iterable of str
        Families whose pictures it needs.
    charts : bool
        Whether it needs BokehJS.
    script : str
        In place of :func:`page_script`.
    """
    scripts = [bokeh_script()] * charts + [script or page_script(families)]
    head = f"<style>\n{page_style(families)}</style>\n<script>\n{inline(theme_script())}</script>"
    tail = "\n".join(f"<script>\n{inline(script)}</script>" for script in scripts)
    return Files(head, tail)


def beside(folder: str, index: str, playground: str = "") -> Files:
    """Return the files as links into a folder; see :func:`shared_files`."""
    head = (
        f'<link rel="stylesheet" href="{folder}/warplens.css">'
        f'<script src="{folder}/theme.js"></script>'
    )
    tail = "".join(f'<script src="{folder}/{name}"></script>' for name in (BOKEH, "warplens.js"))
    return Files(head, tail, index, playground)


def shared_files(families: Iterable[str]) -> dict[str, str]:
    """Return the files that :func:`beside` refers to, by name."""
    families = tuple(families)
    return {
        "warplens.css": page_style(families),
        "theme.js": theme_script(),
        BOKEH: bokeh_script(),
        "warplens.js": page_script(families),
    }


def page_style(families: Iterable[str]) -> str:
    """Return the style sheet of pages."""
    names = ("base.css", "app.css", "glossary.css")
    sheets = (theme.FOLDER / "theme.css", *(STATIC / name for name in names))
    own = (*CODE_STYLES, *SideBySide.sheets[1:], STORY_STYLE, EXPORT_STYLE, _FOLDER / "page.css")
    first = "".join(path.read_text(encoding="utf-8") for path in sheets)
    return first + style((PLAYER_STYLE, *own), families)


def page_script(families: Iterable[str]) -> str:
    """Return the script of pages; it starts at once."""
    return bundle(_FOLDER / "page.js", tuple(families)) + "entry.start();\n"


def frame_script(families: Iterable[str]) -> str:
    """Return the script of a page that waits for the pieces of a record."""
    return bundle(_FOLDER / "frame.js", tuple(families)) + "entry.wait();\n"


def theme_script() -> str:
    """Return the script of the theme switch."""
    return (theme.FOLDER / "theme.js").read_text(encoding="utf-8")


def bokeh_script() -> str:
    """Return BokehJS of the installed Bokeh."""
    return bokeh_path().read_text(encoding="utf-8")


def page_of(replay: Replay, files: Files | None = None) -> str:
    """Return the HTML of a page that plays a replay.

    Parameters
    ----------
    replay : Replay
    files : Files, optional
        Where its scripts and styles are; by default inside of the page.

    Returns
    -------
    str
        Alone, about 0.5 MB and, with charts, 1 MB more; else the replay and 5 kB.
    """
    files = files or inside(replay.families, charts=bool(replay.charts()))
    return filled(parts_of(replay, files.playground), files)


def parts_of(replay: Replay, playground: str = "") -> dict[str, str]:
    """Return what only this replay's page has, as pieces of HTML by their places in the page."""
    count = counted(replay.events, "event")
    return {
        "title": escape(replay.title),
        "look": f"<p>{escape(replay.look)}</p>" if replay.look else "",
        "coded": " data-code" if replay.listing else "",
        "wide": " data-wide" if replay.together else "",
        "results": "".join(f'<section class="ws-card">{card}</section>' for card in replay.results),
        "made": escape(f"{count}, on {replay.made_on}." if replay.made_on else f"{count}."),
        "data": _data(replay, playground),
        "packed": base64.b64encode(gzip.compress(replay.message, mtime=0)).decode(),
    }


def filled(parts: Mapping[str, str], files: Files) -> str:
    """Return the HTML of a page from its pieces."""
    head = head_of(unescape(parts["title"]), files)
    return head + _PAGE.substitute(parts, top=top_of(files), tail=files.tail)


def head_of(title: str, files: Files) -> str:
    """Return the beginning of a page, up to its body."""
    mark = base64.b64encode((STATIC / "mark.svg").read_bytes()).decode()
    icon = f"data:image/svg+xml;base64,{mark}"
    return _HEAD.substitute(title=escape(title), head=files.head, icon=icon)


def top_of(files: Files) -> str:
    """Return the bar at the top of a page."""
    mark = (STATIC / "mark.svg").read_text(encoding="utf-8")
    name = f"{mark}<span>Warplens</span>"
    if files.index:
        link = f'<a class="ws-brand" href="{files.index}" aria-label="Warplens">{name}</a>'
        return _TOP.substitute(brand=link)
    return _TOP.substitute(brand=f'<span class="ws-brand">{name}</span>')


def _data(replay: Replay, playground: str) -> str:
    kernels = replay.kernels() if playground else []
    data: dict[str, Any] = {
        "together": replay.together,
        "first": replay.first,
        "story": replay.story,
        "listing": replay.listing,
        "sources": replay.sources,
        "edit": {"address": playground, "kernels": kernels} if kernels else {},
        "cursors": CURSORS,
        "charts": [dataclasses.asdict(chart) for chart in replay.charts()],
    }
    # As HTML and as JSON the same: text of the page cannot end the element that holds it.
    return json.dumps(data).replace("&", "\\u0026").replace("<", "\\u003c")


def inline(script: str) -> str:
    """Return a script that can stand inside of a page."""
    return script.replace("</script", "<\\/script")


def hash_of(script: str) -> str:
    """Return the source expression by which a policy lets a script inside of the page run."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    return f"'sha256-{digest}'"
