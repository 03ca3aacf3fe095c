"""The widget that shows code: pseudo-code that follows the clock, kernels with a profile."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import anywidget
import traitlets

from ..bundle import esm, style
from ..incoming import Incoming, Message
from ..tabs import STYLE as TABS

#: The style sheets.
STYLES = (Path(__file__).with_name("code.css"), TABS)


class CodePanes(anywidget.AnyWidget):
    """Pseudo-code and kernel source, behind two tabs.

    Parameters
    ----------
    on_profile : callable
        Called without arguments when the visitor asks for a profile.
    on_edit : callable
        Likewise for the kernels that the playground opens.

    Attributes
    ----------
    listing : dict
        From :meth:`app.code.book.CodeBook.listing`; empty shows nothing.
    sources : list of dict
        From :meth:`app.code.book.CodeBook.sources`.
    profile : dict
        From :func:`app.code.lens.lens`; empty for none.
    offer : dict
        ``ready`` (bool): whether a profile can be asked for now; ``busy`` (bool): one is being
        made; ``text`` (str): the note beside the button.
    edit : dict
        ``address`` of the playground and ``kernels`` of :func:`app.code.playable.playable`; or
        ``ask`` (bool): they are made at a click; or ``text`` (str): why there are none.

    Notes
    -----
    The line of the current event follows ``warplens:moved`` of the player on the page, in the
    browser alone. Every such move is announced as ``warplens:explained`` on ``window``, with
    detail ``{text, why}``: what happened, and why.
    """

    _esm = esm(Path(__file__).with_name("code.js"))
    _css = style(STYLES)

    incoming: ClassVar[Incoming] = Incoming({}, {"profile": Message(), "edit": Message()})

    listing = traitlets.Dict().tag(sync=True)
    sources = traitlets.List(traitlets.Dict()).tag(sync=True)
    profile = traitlets.Dict().tag(sync=True)
    offer = traitlets.Dict({"ready": False, "busy": False, "text": ""}).tag(sync=True)

    edit = traitlets.Dict().tag(sync=True)

    def __init__(self, on_profile: Callable[[], None], on_edit: Callable[[], None]) -> None:
        super().__init__()
        self._on = {"profile": on_profile, "edit": on_edit}
        self.on_msg(self._receive)

    def _receive(self, _: Any, content: dict[str, Any], buffers: list[Any]) -> None:
        self._on[content["kind"]]()
