"""The page of the playground: a static page that runs the reader's kernels in the browser."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from string import Template

from gpucore.errors import MissingDependency, ParameterError
from gpucore.saving import replacing

from .. import theme
from ..browser_files import STATIC
from ..published.page import Files, hash_of, head_of, inline, theme_script, top_of
from ..widgets.bundle import bundle
from ..widgets.lanes import STYLES as LANE_STYLES
from .codemirror import codemirror_script
from .engine import FIX, write_engine
from .policy import ENGINE, PAGE, page_policy
from .puzzles import PUZZLES
from .unlike import ABSENT, UNLIKE

_FOLDER = Path(__file__).parent


#: What the page says in place of a run where the compiler is not beside it.
_NO_ENGINE = (
    "The compiler is not on this site: its packages could not be fetched when the page was "
    "written. Copy as Python, or save the file, and the kernel runs on your computer."
)


def play_page(engine: str, index: str = "") -> str:
    """Return the page with all its scripts but those of the engine.

    Parameters
    ----------
    engine : str
        A JavaScript expression for what runs the code; ``engine.js`` says what it is asked.
    index : str
        Address of the list of all pages; empty for a page alone.

    Raises
    ------
    MissingDependency
        The editor's library is not in the cache and cannot be fetched.
    """
    return _page(codemirror_script(), engine, index)


def write_play(folder: Path, index: str = "") -> list[str]:
    """Write the page as play.html, and its engine beside it; a web server must serve both.

    Without a network the page is written nevertheless: its editor is then a plain field, and it
    says that it has no compiler.

    Parameters
    ----------
    folder : Path
    index : str
        Address of the list of all pages; empty for a page alone.

    Returns
    -------
    list of str
        What is missing, and why.
    """
    sizes, missing = write_engine(folder / ENGINE)
    try:
        editor = codemirror_script()
    except MissingDependency as error:
        editor = ""
        missing.insert(0, str(error))
    if "Python" not in sizes:
        engine = f"entry.withoutEngine({json.dumps(_NO_ENGINE)})"
    else:
        engine = f"entry.engineFrom({json.dumps(f'{ENGINE}/')}, {json.dumps(sizes)})"
    with replacing(folder / PAGE, ParameterError, FIX) as file:
        file.write(_page(editor, engine, index).encode())
    return missing


def _page(editor: str, engine: str, index: str) -> str:
    start = f"{play_script()}entry.start({engine});\n"
    scripts = [theme_script(), *([editor] if editor else []), start]
    scripts = [f"\n{inline(script)}" for script in scripts]
    first, *rest = (f"<script>{script}</script>" for script in scripts)
    policy = page_policy(map(hash_of, scripts))
    head = (
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<style>\n{play_style()}</style>\n{first}"
    )
    files = Files(head, "\n".join(rest), index)
    template = Template((_FOLDER / "play.html").read_text(encoding="utf-8"))
    data = json.dumps({"puzzles": [puzzle.as_json() for puzzle in PUZZLES]})
    unlike = "".join(f"<li>{escape(words)}</li>" for words in (*UNLIKE.values(), *ABSENT))
    page = template.substitute(
        top=top_of(files), data=data.replace("<", "\\u003c"), unlike=unlike, tail=files.tail
    )
    return head_of("Playground", files) + page


def play_style() -> str:
    """Return the style sheet of the page."""
    sheets = (theme.FOLDER / "theme.css", STATIC / "base.css", STATIC / "app.css", *LANE_STYLES)
    return "".join(path.read_text(encoding="utf-8") for path in (*sheets, _FOLDER / "play.css"))


def play_script() -> str:
    """Return the script of the page; its ``entry.start(engine)`` starts it."""
    return bundle(_FOLDER / "play.js")
