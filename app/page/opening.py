"""The one call of a page's notebook; an error in it is shown instead of an empty page.

Nothing heavy is imported before the guard is up: Voila shows nothing of an error in a notebook,
not even of a failed import.
"""

from __future__ import annotations

from importlib import import_module

import ipywidgets as w
from IPython.display import display

from ..errors import Reporter, log_to_server
from .cards import error_card


def open_page(name: str) -> None:
    """Show a page by its name, which is its address.

    Parameters
    ----------
    name : str
        See :mod:`app.pages`.
    """
    log_to_server()
    try:
        page = import_module("..pages", __package__).find_pages()[name].load()
        import_module(".resync", __package__).repeat_on_arrival()
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
