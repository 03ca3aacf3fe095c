"""A few lines of SVG: axes, ticks, step lines, dots and a legend, readable on light and dark."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

#: Colours that colour-blind readers can distinguish (Okabe and Ito, without yellow).
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
DASHES = ("", "7 4", "2 3", "9 3 2 3")
_STYLE = """
svg { font: 13px system-ui, sans-serif; background: #fff; }
text { fill: #24292f; } .small { font-size: 12px; } .title { font-size: 15px; font-weight: 600; }
.grid { stroke: #d8dee4; } .axis { stroke: #57606a; } .line { fill: none; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  svg { background: #16191d; } text { fill: #dfe3e8; }
  .grid { stroke: #31363d; } .axis { stroke: #9aa4b0; }
}
"""


class Canvas:
    """An SVG plot with one plotting area; data coordinates run over [0, 1] x [0, 1].

    Parameters
    ----------
    title : str
        Shown above, and read by screen readers.
    area : tuple of float
        Left, top, width and height of the plotting area in pixels.
    size : tuple of float
        Width and height of the plot.
    """

    def __init__(
        self, title: str, area: tuple[float, float, float, float], size: tuple[float, float]
    ) -> None:
        self.left, self.top, self.width, self.height = area
        self._size = size
        self._title = title
        self._parts = [f'<text class="title" x="{self.left}" y="24">{escape(title)}</text>']

    def x(self, share: float) -> float:
        """Return the pixel of a horizontal share of the area."""
        return round(self.left + share * self.width, 2)

    def y(self, share: float) -> float:
        """Return the pixel of a vertical share of the area, counted from below."""
        return round(self.top + (1 - share) * self.height, 2)

    def text(self, x: float, y: float, words: str, anchor: str = "start") -> None:
        """Write words at a pixel."""
        self._parts.append(
            f'<text class="small" x="{x}" y="{y}" text-anchor="{anchor}">{escape(words)}</text>'
        )

    def x_ticks(self, ticks: Sequence[tuple[float, str]], label: str) -> None:
        """Draw vertical grid lines with numbers below, and the axis' name."""
        for share, words in ticks:
            self._line(self.x(share), self.y(0), self.x(share), self.y(1), "grid")
            self.text(self.x(share), self.y(0) + 18, words, "middle")
        self._line(self.x(0), self.y(0), self.x(1), self.y(0), "axis")
        self.text(self.x(0.5), self.y(0) + 38, label, "middle")

    def y_ticks(self, ticks: Sequence[tuple[float, str]], label: str = "") -> None:
        """Draw horizontal grid lines with words on the left, and the axis' name above."""
        for share, words in ticks:
            self._line(self.x(0), self.y(share), self.x(1), self.y(share), "grid")
            self.text(self.x(0) - 8, self.y(share) + 4, words, "end")
        if label:
            self.text(self.left, self.top - 10, label)

    def steps(self, points: Sequence[tuple[float, float]], style: int, words: str) -> None:
        """Draw a step line through points of ascending x; `words` appear on hovering."""
        path = f"M{self.x(points[0][0])} {self.y(points[0][1])}"
        path += "".join(f"H{self.x(x)}V{self.y(y)}" for x, y in points[1:])
        self._parts.append(
            f'<path class="line" d="{path}" {self._stroke(style)}><title>{escape(words)}</title>'
            "</path>"
        )

    def polyline(self, points: Sequence[tuple[float, float]], style: int) -> None:
        """Draw straight lines from point to point."""
        path = "M" + "L".join(f"{self.x(x)} {self.y(y)}" for x, y in points)
        self._parts.append(f'<path class="line" d="{path}" {self._stroke(style)}/>')

    def bar(
        self, across: tuple[float, float], upright: tuple[float, float], style: int, words: str
    ) -> None:
        """Fill the box between two shares of the width and two of the height."""
        left, top = self.x(across[0]), self.y(upright[1])
        width, height = self.x(across[1]) - left, self.y(upright[0]) - top
        self._parts.append(
            f'<rect x="{left}" y="{top}" width="{width:.2f}" height="{height:.2f}" '
            f'fill="{COLOURS[style % len(COLOURS)]}"><title>{escape(words)}</title></rect>'
        )

    def dot(self, x: float, y: float, style: int, words: str) -> None:
        """Draw a dot; `words` appear on hovering."""
        self._parts.append(_marker(self.x(x), self.y(y), style, words))

    def legend(self, entries: Sequence[tuple[int, str]], *, dots: bool) -> None:
        """List the styles to the right of the area."""
        x = self.x(1) + 24
        for row, (style, words) in enumerate(entries):
            y = self.top + 8 + 20 * row
            if dots:
                self._parts.append(_marker(x + 10, y, style, words))
            else:
                self._parts.append(f'<path class="line" d="M{x} {y}h22" {self._stroke(style)}/>')
            self.text(x + 30, y + 4, words)

    def render(self) -> str:
        """Return the whole plot as text of an SVG file."""
        width, height = self._size
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
            f'width="{width:g}" height="{height:g}" role="img">'
            f"<title>{escape(self._title)}</title><style>{_STYLE}</style>"
            + "\n".join(self._parts)
            + "</svg>\n"
        )

    def _stroke(self, style: int) -> str:
        dash = DASHES[style // len(COLOURS) % len(DASHES)]
        return f'stroke="{COLOURS[style % len(COLOURS)]}" stroke-dasharray="{dash}"'

    def _line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> None:
        self._parts.append(f'<line class="{kind}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>')


def margin(labels: Iterable[str]) -> float:
    """Return the width in pixels of the longest label on the left of an area."""
    return max(110, 7 * max(map(len, labels), default=0) + 16)


def stack(title: str, plots: Sequence[str]) -> str:
    """Put several rendered plots below one another; a single one is returned unchanged."""
    if len(plots) == 1:
        return plots[0]
    width, top, parts = 0.0, 0.0, []
    for plot in plots:
        across, upright = (float(v) for v in re.findall(r'(?:width|height)="([\d.]+)"', plot)[:2])
        parts.append(plot.replace("<svg ", f'<svg y="{top:g}" ', 1))
        width, top = max(width, across), top + upright
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {top:g}" '
        f'width="{width:g}" height="{top:g}" role="img"><title>{escape(title)}</title>'
        + "".join(parts)
        + "</svg>\n"
    )


def _marker(x: float, y: float, style: int, words: str) -> str:
    """Return a dot: filled with the first six colours, then hollow, then small."""
    colour = COLOURS[style % len(COLOURS)]
    round_number = style // len(COLOURS)
    fill, radius = ("none" if round_number == 1 else colour), (3 if round_number == 2 else 5)
    return (
        f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{colour}" '
        f'stroke-width="2"><title>{escape(words)}</title></circle>'
    )
