"""The files that the browser loads, all from this server.

Voila looks for templates below Jupyter's data directories. Ours is assembled in a temporary one
when the server starts: the package's own files, the list of dashboards for the navigation, and a
copy of the BokehJS that belongs to the installed Bokeh. It must be a copy, because Tornado refuses
to serve what a link points to.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import nbformat

from .. import theme
from ..browser_files import BOKEH, TEMPLATE_FILES, bokeh_path
from ..pages import APP, find_pages

#: Kernel and language of the notebooks.
_METADATA: dict[str, Any] = {
    "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
    "language_info": {"name": "python"},
}

#: Name of our Voila template.
TEMPLATE = "warplens"


def build(directory: Path) -> Path:
    """Assemble the template below `directory`.

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
    shutil.copytree(TEMPLATE_FILES, target)
    pages = find_pages().values()
    found = [
        {"name": one.name, "title": one.title, "menu": one.menu, "plays": one.gallery}
        for one in pages
    ]
    # JSON and Jinja write a list of strings alike.
    navigation = f"{{% set dashboards = {json.dumps(found)} %}}"
    (target / "dashboards.html").write_text(navigation, encoding="utf-8")
    shutil.copyfile(bokeh_path(), target / "static" / BOKEH)
    for name in theme.FILES:
        shutil.copyfile(theme.FOLDER / name, target / "static" / name)
    for page in pages:
        if page.picture_path:
            shutil.copyfile(page.picture_path, target / "static" / f"page-{page.name}.svg")
    return target


def write_notebooks(directory: Path) -> None:
    """Write the notebooks that Voila serves: one for each page, which opens it by name."""
    directory.mkdir()
    for page in find_pages().values():
        notebook = nbformat.v4.new_notebook(metadata=_METADATA | {"title": page.title})
        source = f"from {APP}.page.opening import open_page\n\nopen_page({page.name!r})"
        notebook.cells.append(nbformat.v4.new_code_cell(source, id=page.name))
        nbformat.write(notebook, directory / f"{page.name}.ipynb")
