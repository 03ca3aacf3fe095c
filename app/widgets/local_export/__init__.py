"""The place for exports of pages without one run: what the browser alone can save."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

import anywidget
from traitlets import Bool, Unicode

from ..bundle import esm
from ..export_bar import STYLE
from ..incoming import Incoming


class LocalExport(anywidget.AnyWidget):
    """Save the charts of the page and, of runs side by side, pictures and time axes.

    Attributes
    ----------
    name : str
        Name of the files, without their endings.
    runs : bool
        Whether the page shows runs side by side.
    charts : bool
        Whether it has charts.
    """

    _esm = esm(Path(__file__).with_name("local_export.js"))
    _css = STYLE

    incoming: ClassVar[Incoming] = Incoming()

    name = Unicode("warplens").tag(sync=True)
    runs = Bool(False).tag(sync=True)
    charts = Bool(True).tag(sync=True)
