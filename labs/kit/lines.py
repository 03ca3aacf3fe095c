"""Line plots: measured points have dots, formulas are dashed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from .pictures import COLOURS, Picture, wrap

_WIDTH, _HEIGHT, _LEFT, _TOP = 460, 230, 52, 14
#: Least room for the legend; a longer name needs so much beside the line, and for each character.
_LEGEND, _SIGN, _CHARACTER = 240, 60, 7
#: Least distance between the names at the ends of lines.
_APART = 16


@dataclass(frozen=True)
class Line:
    """One line.

    Attributes
    ----------
    x, y : sequence of float, shape (k,)
        Its points; y are shares, from 0 to 1, or other numbers.
    formula : bool
        Whether it is computed, not measured; such a line is dashed and has no dots.
    """

    x: Sequence[float]
    y: Sequence[float]
    formula: bool = False


def lines(
    named: Mapping[str, Line],
    *,
    label: str,
    ticks: Sequence[float],
    most: float = 1.0,
    least: float = 0.0,
    form: str = ".0%",
) -> Picture:
    """Draw lines of shares, or of other numbers.

    Parameters
    ----------
    named : mapping of str to Line
        Lines by name.
    label : str
        Of the horizontal axis.
    ticks : sequence of float
        Numbers on that axis; the first and the last are its ends.
    most, least : float
        The vertical axis ends and begins here.
    form : str
        Format of the numbers on the vertical axis.

    Examples
    --------
    >>> lines({"half": Line([0, 1], [0.5, 0.5])}, label="x", ticks=[0, 1]).html.count("<circle")
    2
    """

    def across(x: float) -> float:
        return _LEFT + (x - ticks[0]) / (ticks[-1] - ticks[0]) * _WIDTH

    def down(y: float) -> float:
        return _TOP + (1 - (y - least) / (most - least)) * _HEIGHT

    exact = ".1%" if form.endswith("%") else ".4g"
    parts = [
        f'<path d="M{_LEFT} {down(y):.1f}h{_WIDTH}" stroke="currentColor" opacity=".15"/>'
        f'<text x="{_LEFT - 7}" y="{down(y) + 4:.1f}" text-anchor="end">{y:{form}}</text>'
        for y in (least + (most - least) * k / 4 for k in range(5))
    ]
    parts += [
        f'<text x="{across(x):.1f}" y="{_TOP + _HEIGHT + 18}" text-anchor="middle">{x:g}</text>'
        for x in ticks
    ]
    for number, (name, line) in enumerate(named.items()):
        colour = "currentColor" if line.formula else COLOURS[number % len(COLOURS)]
        places = [(across(x), down(y)) for x, y in zip(line.x, line.y, strict=True)]
        path = "M" + "L".join(f"{a:.1f} {b:.1f}" for a, b in places)
        dashes = ' stroke-dasharray="5 4"' if line.formula else ""
        parts.append(f'<path d="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>')
        if not line.formula:
            parts += [
                f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}">'
                f"<title>{escape(name)}: {y:{exact}} at {x:g}</title></circle>"
                for (a, b), x, y in zip(places, line.x, line.y, strict=True)
            ]
        parts.append(_named(name, number, colour, dashes))
    parts.append(
        f'<text x="{_LEFT + _WIDTH / 2}" y="{_TOP + _HEIGHT + 38}" text-anchor="middle">'
        f"{escape(label)}</text>"
    )
    legend = max(_LEGEND, _SIGN + _CHARACTER * max(map(len, named), default=0))
    return Picture(
        wrap(
            f'<svg role="img" aria-label="{escape(", ".join(named))} against {escape(label)}" '
            f'width="{_LEFT + _WIDTH + legend}" height="{_TOP + _HEIGHT + 46}" font-size="12" '
            f'fill="currentColor">{"".join(parts)}</svg>'
        )
    )


def _named(name: str, number: int, colour: str, dashes: str) -> str:
    """Return a row of the legend, beside the lines."""
    x, y = _LEFT + _WIDTH + 18, _TOP + 8 + number * (_APART + 4)
    return (
        f'<path d="M{x} {y}h24" stroke="{colour}" stroke-width="2"{dashes}/>'
        f'<text x="{x + 32}" y="{y + 4}">{escape(name)}</text>'
    )
