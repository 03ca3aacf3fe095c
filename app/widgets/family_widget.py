"""The base of widgets that draw families; each loads the modules of its own families."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import anywidget

from .bundle import esm, style


class FamilyWidget(anywidget.AnyWidget):
    """A widget that draws states and events of some families.

    Parameters
    ----------
    entry : Path
        JavaScript module with ``render``.
    sheets : sequence of Path
        Style sheets: the player's, which those of the families follow, and others.
    families : iterable of str
        Names of the families.
    """

    def __init__(
        self, entry: Path, sheets: Sequence[Path], families: Iterable[str], **traits: Any
    ) -> None:
        names = tuple(dict.fromkeys(families))
        self._esm = esm(entry, names)
        self._css = style(sheets, names)
        # A page has one style sheet for each of these names; other families have other names.
        own = ".".join((type(self).__module__, type(self).__name__, *names))
        super().__init__(_anywidget_id=own, **traits)
