"""Whether the packages of the pages are installed; they are an optional part of the package."""

from __future__ import annotations

from importlib.util import find_spec

from gpucore.errors import MissingDependency
from gpucore.installing import install_hint

#: The packages that the pages need besides the library, the static ones too.
_NEEDED = ("anywidget", "bokeh", "ipykernel", "ipywidgets", "jupyter_bokeh", "voila")


def check_installed() -> None:
    """Raise MissingDependency if the packages of the pages are not there."""
    missing = [name for name in _NEEDED if find_spec(name) is None]
    if missing:
        raise MissingDependency(
            f"the pages need {', '.join(missing)}; get them with: {install_hint('app')}"
        )
