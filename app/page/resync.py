"""What a browser misses while it connects is said again.

A page's first graph is loaded in a thread while the browser fetches the state of all widgets. A
value that changes after it was fetched and before the browser listens is lost, and the page would
wait for its graph for ever. So changes are noted until the browser says that it is there.
"""

from __future__ import annotations

from typing import Any

from ipywidgets.widgets.widget import Widget, _instances

from ..widgets.browser import Browser


def repeat_on_arrival() -> None:
    """Note what changes in any widget from now on, and repeat it when the browser has come."""
    widgets: list[Widget] = list(_instances.values())
    changed: dict[Widget, set[str]] = {}

    def note(change: Any) -> None:
        changed.setdefault(change["owner"], set()).add(change["name"])

    def arrived(browser: Browser, content: Any, _: Any) -> None:
        if content.get("kind") != "here":
            return
        browser.on_msg(arrived, remove=True)
        for widget in widgets:
            widget.unobserve(note, names=sorted(set(widget.keys)))
        for widget, names in list(changed.items()):
            widget.send_state(key=names)

    for widget in widgets:
        widget.observe(note, names=list(widget.keys))
        if isinstance(widget, Browser):
            widget.on_msg(arrived)
