"""The fields of forms that pages share: a graph, an algorithm with its parameters, a device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import ipywidgets as w

if TYPE_CHECKING:
    from ..view import Choice


def labelled(label: str, widget: w.DOMWidget) -> w.DOMWidget:
    """Return a widget with its label, which the style sheet puts above it."""
    widget.description = label
    return widget.add_class("ws-field")


def choice_field(choice: Choice) -> w.Dropdown | w.SelectionSlider:
    """Return the field of a parameter: a menu, or a slider."""
    if not choice.slider:
        return w.Dropdown(options=choice.options, value=choice.initial)
    return w.SelectionSlider(options=choice.options, value=choice.initial).add_class("ws-slider")


def show(widget: w.DOMWidget, visible: bool) -> None:
    """Show or hide a widget."""
    widget.layout.display = None if visible else "none"
