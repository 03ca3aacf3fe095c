"""The sliders of a generator as fields of a form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import ipywidgets as w

from ..sources.graphs import Slider


def slider_fields(sliders: Iterable[Slider], on_change: Callable[[Any], None]) -> list[w.DOMWidget]:
    """Return a field for each number of a generator; `on_change` is called with the change."""
    fields = []
    for s in sliders:
        kind = w.IntSlider if s.step == int(s.step) else w.FloatSlider
        number = int if kind is w.IntSlider else float
        slider = kind(
            value=number(s.value),
            min=number(s.low),
            max=number(s.high),
            step=number(s.step),
            continuous_update=False,
            description=s.label,
        )
        slider.observe(on_change, "value")
        fields.append(slider.add_class("ws-field"))
    return fields
