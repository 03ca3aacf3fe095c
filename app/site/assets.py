"""The files the browser loads, all of them from this server.

Voila looks for templates below Jupyter's data directories. Ours is put together in a temporary
one when the server starts: the package's own files, the list of dashboards for the navigation,
and a copy of the BokehJS that belongs to the installed Bokeh. It must be a copy, because Tornado
refuses to serve what a link points to.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from importlib import util
from pathlib import Path
from typing import Any

#: Directory of the installed package; everything in it is package data.
PACKAGE = Path(__file__).resolve().parent

#: Name of our Voila template.
TEMPLATE = "warpscope"

#: BokehJS: the core is all our charts need.
BOKEH_FILES = ("bokeh.min.js",)


@dataclass(frozen=True)
class Page:
    """One dashboard, described by the metadata of its notebook.

    Attributes
    ----------
    name : str
        Part of the address: ``/matching``.
    title, summary : str
        For the landing page.
    order : int
        Place on the landing page and in the navigation.
    picture : str
        Its tile's picture below ``static/``; empty if the dashboard brings none.
    menu : str
        Menu of the navigation in which it stands; empty if it stands there by itself.
    """

    name: str
    title: str
    summary: str
    order: int
    picture: str = ""
    menu: str = ""


def pages_directory() -> Path:
    """Return the directory of the notebooks that are served."""
    return PACKAGE / "pages"


def find_pages() -> dict[str, Page]:
    """Return all dashboards in their order on the landing page."""
    found = [_read_page(path) for path in pages_directory().glob("*.ipynb")]
    return {page.name: page for page in sorted(found, key=lambda page: (page.order, page.name))}


def _read_page(path: Path) -> Page:
    meta: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["metadata"]
    own = meta["warpscope"]
    picture = f"page-{path.stem}.svg"
    has_one = (PACKAGE / "template" / "static" / picture).exists()
    return Page(
        name=path.stem,
        title=meta["title"],
        summary=own["summary"],
        order=int(own["order"]),
        picture=picture if has_one else "",
        menu=own.get("menu", ""),
    )


def build(directory: Path) -> Path:
    """Put the template together below `directory`.

    Parameters
    ----------
    directory : Path
        An empty directory, to be used as a Jupyter data directory.

    Returns
    -------
    Path
        The template's directory.
    """
    target = directory / "voila" / "templates" / TEMPLATE
    shutil.copytree(PACKAGE / "template", target)
    found = [
        {"name": page.name, "title": page.title, "menu": page.menu}
        for page in find_pages().values()
    ]
    # A list of strings is the same in JSON and in Jinja.
    navigation = f"{{% set dashboards = {json.dumps(found)} %}}"
    (target / "dashboards.html").write_text(navigation, encoding="utf-8")
    bokeh = bokeh_directory()
    for name in BOKEH_FILES:
        shutil.copyfile(bokeh / name, target / "static" / name)
    return target


def bokeh_directory() -> Path:
    """Return where the installed Bokeh keeps BokehJS, without importing Bokeh."""
    spec = util.find_spec("bokeh")
    if spec is None or spec.origin is None:
        from gpucore.errors import MissingDependency

        raise MissingDependency("Bokeh is not installed; pip install 'warpscope[app]'")
    return Path(spec.origin).parent / "server" / "static" / "js"
