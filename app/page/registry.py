"""The widgets of a page process by their models, as a table that threads can read.

ipywidgets goes over its table when a browser asks for the state of all widgets. A run's thread may
make one meanwhile; then the dictionary would change under the loop, and the browser get no answer.
"""

from __future__ import annotations

from typing import Any

from ipywidgets.widgets import widget


class Registry(dict[str, widget.Widget]):
    """All widgets by model; its values are those of one moment."""

    def values(self) -> Any:
        """Return the widgets that there are now."""
        return self.copy().values()


#: Takes the place of the library's own table.
registry = widget._instances = Registry(widget._instances)
