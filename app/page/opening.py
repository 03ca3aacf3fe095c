"""The one call of a page's notebook; an error in it is shown instead of an empty page.

Nothing heavy is imported before the guard is up: Voila shows nothing of an error in a notebook,
not even of a failed import.
"""

from __future__ import annotations

from importlib import import_module

import ipywidgets as w
from IPython.display import display

from app.page.cards import error_card
from app.errors import Reporter, log_to_server


def open_page(family: str) -> None:
    """Show the dashboard of a family.

    Parameters
    ----------
    family : str
        See :mod:`app.view`.
    """
    _open("app.page.dashboard", "Dashboard", family)


def open_comparison(family: str) -> None:
    """Show the page that compares runs of a family."""
    _open("app.comparison.page", "ComparePage", family)


def open_equivalence() -> None:
    """Show the page on which a greedy matching is a stable marriage, step by step."""
    _open("app.families.marriage.equivalence.page", "EquivalencePage")


def _open(module: str, name: str, *about: str) -> None:
    log_to_server()
    try:
        page = getattr(import_module(module), name)(*about)
        import_module("app.page.resync").repeat_on_arrival()
        display(page.widget)
        page.start()
    except Exception as error:
        alone = _Alone()
        Reporter(alone).report(error)
        display(alone.widget)


class _Alone:
    """Shows an error where there is no page."""

    def __init__(self) -> None:
        self.widget = w.HTML().add_class("ws-app").add_class("ws-failed")

    def show_error(self, title: str, text: str) -> None:
        """Show one error."""
        self.widget.value = error_card(title, text)
