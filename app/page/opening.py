"""The one call of a page's notebook; the page shows an error in it.

Nothing heavy is imported before the guard is installed: Voila shows no error of a notebook, not
even of a failed import.
"""

from __future__ import annotations

from importlib import import_module

import ipywidgets as w
from IPython import get_ipython
from IPython.display import display

from ..cards import error_card
from ..errors import Reporter, log_to_server
from .gate import close_in, keep_output_private

#: Seconds that a page may take for the run on which it opens, before a browser sees it.
_PATIENCE = 30.0


def open_page(name: str) -> None:
    """Show the page with a name; the name is its address.

    Parameters
    ----------
    name : str
        See :mod:`app.pages`.
    """
    kernel = getattr(get_ipython(), "kernel", None)
    if kernel is not None:
        log_to_server()
        keep_output_private(kernel.session)
    try:
        page = import_module("..pages", __package__).find_pages()[name].load()
        import_module(".resync", __package__).resend_on_connect(page.between)
        display(page.widget)
        page.start()
        # A browser that asks for all widgets while more are made misses what those refer to.
        import_module("..jobs", __package__).settle(_PATIENCE)
        reporter = page.reporter
    except Exception as error:
        alone = _ErrorOnly()
        reporter = Reporter(alone)
        reporter.report(error)
        display(alone.widget)
    if kernel is not None:
        log_to_server()
        close_in(kernel, reporter)


class _ErrorOnly:
    """A page that shows only an error."""

    def __init__(self) -> None:
        self.widget = w.HTML().add_class("ws-app").add_class("ws-failed")

    def show_error(self, title: str, text: str) -> None:
        """Show one error."""
        self.widget.value = error_card(title, text)
