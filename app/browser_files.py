"""Files for the browser that served pages and static ones share."""

from __future__ import annotations

from importlib import util
from pathlib import Path

#: The template's own files; they are package data.
TEMPLATE_FILES = Path(__file__).resolve().parent / "site" / "template"
#: Style sheets and scripts of all pages.
STATIC = TEMPLATE_FILES / "static"
#: BokehJS: our charts need only the core.
BOKEH = "bokeh.min.js"


def bokeh_path() -> Path:
    """Return the BokehJS of the installed Bokeh, without importing Bokeh.

    Raises
    ------
    MissingDependency
    """
    spec = util.find_spec("bokeh")
    if spec is None or spec.origin is None:
        from gpucore.errors import MissingDependency
        from gpucore.installing import install_hint

        raise MissingDependency(f"Bokeh is not installed; get it with: {install_hint('app')}")
    return Path(spec.origin).parent / "server" / "static" / "js" / BOKEH
