"""Resend widget state that changed while the browser was connecting.

A page's first graph is loaded in a thread while the browser fetches the state of all widgets. A
value that changes after it was fetched and before the browser listens is lost, and the page would
wait for its graph for ever. So changes are recorded until the browser reports that it listens.

Work in the background may change a value between the moment when it is read and the one when it is
sent: then the browser would get the older one last, and keep it. So nothing changes meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ipywidgets.widgets.widget import Widget

from ..widgets.browser import Browser
from .registry import registry


def resend_on_connect(between: Callable[[Callable[[], None]], None]) -> None:
    """Record the changes of all widgets from now on, and resend them when the browser connects.

    `between` acts while no work in the background changes the page.
    """
    widgets: list[Widget] = list(registry.values())
    changed: dict[Widget, set[str]] = {}

    def record_change(change: Any) -> None:
        changed.setdefault(change["owner"], set()).add(change["name"])

    def browser_connected(browser: Browser, content: Any, _: Any) -> None:
        if content.get("kind") != "here":
            return
        browser.on_msg(browser_connected, remove=True)
        for widget in widgets:
            widget.unobserve(record_change, names=sorted(set(widget.keys)))
        between(resend)

    def resend() -> None:
        for widget, names in list(changed.items()):
            widget.send_state(key=names)

    for widget in widgets:
        widget.observe(record_change, names=list(widget.keys))
        if isinstance(widget, Browser):
            widget.on_msg(browser_connected)
