"""The widget of the bucket lens: one vertex's hash table, slot by slot."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from .bundle import esm
from .player import STYLE

LENS_STYLE = Path(__file__).parent / "hashlens.css"


class HashLens(anywidget.AnyWidget):
    """Lanes and hash table of a vertex, sweep by sweep and edge by edge.

    Attributes
    ----------
    table : dict
        From :func:`app.families.communities.bucket_lens.table_of`; empty shows `placeholder`.
    placeholder : str
        Text shown instead.
    """

    _esm = esm("hashlens")
    _css = STYLE.read_text(encoding="utf-8") + LENS_STYLE.read_text(encoding="utf-8")

    table = traitlets.Dict().tag(sync=True)
    placeholder = traitlets.Unicode("").tag(sync=True)
