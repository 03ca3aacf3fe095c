"""The widget of the bucket lens: one vertex's hash table, slot by slot."""

from __future__ import annotations

from pathlib import Path

import anywidget
import traitlets

from ...widgets.bundle import esm, style
from ...widgets.player import STYLE

_ENTRY = Path(__file__).with_name("hash_lens.js")


class HashLens(anywidget.AnyWidget):
    """Lanes and hash table of a vertex, sweep by sweep and edge by edge.

    Attributes
    ----------
    table : dict
        From :func:`app.families.communities.bucket_lens.table_of`; empty shows `placeholder`.
    placeholder : str
        Text shown instead.
    """

    _esm = esm(_ENTRY)
    _css = style((STYLE, _ENTRY.with_suffix(".css")))

    table = traitlets.Dict().tag(sync=True)
    placeholder = traitlets.Unicode("").tag(sync=True)
