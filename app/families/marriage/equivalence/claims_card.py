"""The card with every claim of section 3 on the chosen graph, and how many mates they allow."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING

import ipywidgets as w

from .... import cards
from ....fields import labelled, show

if TYPE_CHECKING:
    from gpucore.families.marriage.equivalence import Claim

    from ....errors import Guard

#: Most mates of a vertex, and of its man, woman and person: what can be chosen, and the default.
MATES, TWO = range(1, 6), 2

_NOTE = (
    "Each claim is run on this graph by two methods that share no code: one reads weights, the "
    "other only ranks. In the last two a vertex may have several mates, and its man and its woman, "
    "or its person among the roommates, as many. For roommates a vertex is one person: there is "
    "only one kind, and a stable solution need not exist; with lists by weight it always does."
)


class ClaimsCard:
    """Card with the claims and a field for the number of mates.

    Parameters
    ----------
    on_change : callable
        Called without arguments when another number of mates was chosen.
    guard : callable
        Wraps callbacks, see :mod:`app.errors`.

    Attributes
    ----------
    mates : widget
        The field.
    widget : widget
        The card; hidden until there are claims.
    """

    def __init__(self, on_change: Callable[[], None], guard: Guard) -> None:
        #: True while a link sets the field.
        self._quiet = False
        self._on_change = on_change
        self.mates = w.Dropdown(options=list(MATES), value=TWO)
        self.mates.observe(guard(lambda _: self._changed()), "value")
        self._table = w.HTML()
        self.mates.layout.max_width = "12em"
        field = labelled("Mates of a vertex, in the last two", self.mates)
        heading = w.HTML("<h3>Every claim, on this graph</h3>")
        self.widget = w.VBox([heading, self._table, field]).add_class("ws-card")
        self.clear()

    def choose(self, mates: int) -> None:
        """Set the field; `on_change` is not called."""
        self._quiet = True
        self.mates.value = mates
        self._quiet = False

    def show(self, found: Sequence[Claim]) -> None:
        """Show claims and whether they hold."""
        lines = "".join(
            f'<tr><td class="{"holds" if claim.holds else "fails"}">'
            f"{'holds' if claim.holds else 'fails'}</td><td>{escape(claim.title)}</td>"
            f"<td>{escape(claim.detail)}</td><td>{escape(claim.source)}</td></tr>"
            for claim in found
        )
        head = "".join(
            f"<th>{name}</th>" for name in ("Verdict", "Claim", "Found here", "In the paper")
        )
        self._table.value = (
            '<div class="ws-table lk-claims" tabindex="0" role="group" aria-label="claims">'
            f"<table><thead><tr>{head}</tr></thead>"
            f"<tbody>{lines}</tbody></table></div>{cards.note(_NOTE)}"
        )
        show(self.widget, True)

    def clear(self) -> None:
        """Hide the card."""
        self._table.value = ""
        show(self.widget, False)

    def _changed(self) -> None:
        if not self._quiet:
            self._on_change()
