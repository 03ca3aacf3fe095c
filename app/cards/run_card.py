"""A card about the run that a page shows, computed beside the page's own jobs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

import ipywidgets as w

from gpucore.errors import Cancelled

from .. import cards
from ..fields import show
from ..jobs import Latest

if TYPE_CHECKING:
    from ..view import Services

#: What the card is about: a problem and a result of its run.
Subject = TypeVar("Subject")
Found = TypeVar("Found")


class RunCard(Generic[Subject]):
    """A card with a heading and an explanation; hidden while there is no run.

    Parameters
    ----------
    services : Services
        Services of the page, see :mod:`app.view`.
    title, about : str
        Heading and explanation; no explanation if empty.
    content : sequence of widget
        What is below them.
    beside : widget, optional
        What is beside the heading.

    Attributes
    ----------
    widget : widget
        The card.
    """

    def __init__(
        self,
        services: Services,
        title: str,
        about: str,
        content: Sequence[w.Widget],
        beside: w.Widget | None = None,
    ) -> None:
        self.title = title.partition(":")[0]
        self._services, self._guard = services, services.guard
        self._work = Latest()
        self._subject: Subject | None = None
        head = w.HTML(f"<h3>{title}</h3>")
        if beside is not None:
            head = w.HBox([head, beside]).add_class("ws-head")
        words = [w.HTML(cards.note(about))] * bool(about)
        self.widget = w.VBox([head, *words, *content]).add_class("ws-card")

    def clear(self) -> None:
        """Hide the card: there is no run."""
        self._subject = None
        show(self.widget, False)

    def _appear(self, subject: Subject) -> None:
        """Show the card of a run."""
        self._subject = subject
        show(self.widget, True)

    def _compute(self, compute: Callable[[], Found], draw: Callable[[Found], None]) -> None:
        """Compute what the card shows, and draw it if the page still shows this run.

        It has a thread of its own: the page's job draws the charts of the same run. The latest
        request counts.
        """
        subject = self._subject

        def work() -> None:
            if self._subject is not subject:
                return
            try:
                found = compute()
            except Cancelled:
                return
            if self._subject is subject:
                draw(found)

        self._work.start(self._guard(work))
