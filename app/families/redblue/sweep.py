"""The sweep over the chance of blue: red/blue matchings for each value, and their plot.

The picture is plain SVG in the page's own colours, so it follows the theme by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

import gpucore
from gpucore.errors import ParameterError
from gpucore.families.redblue.colours import first_round_fraction
from gpucore.format import human_time
from gpucore.record.words import short

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel

#: The chances of blue.
CHANCES = np.round(np.arange(0.05, 0.96, 0.05), 2)
#: Number of seeds for each chance.
SEEDS = 6

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 300, 170, 52, 10, 28


@dataclass(frozen=True)
class Quantity:
    """A measured quantity of a run.

    Attributes
    ----------
    title : str
        Display label.
    of : callable
        Returns the value, called with the result and the number of vertices.
    text : callable
        Formats a value.
    mean : callable
        Combines values along an axis. For times it is the minimum: other load makes a run longer,
        never shorter.
    from_zero : bool
        Whether the chart begins at 0.
    """

    title: str
    of: Callable[[MatchingResult, int], float]
    text: Callable[[float], str]
    mean: Callable[..., np.ndarray] = np.nanmean
    from_zero: bool = True


def _percent(value: float) -> str:
    return f"{value:.0%}"


def _first(result: MatchingResult, n: int) -> float:
    matched = result.figures["matched"]
    return matched[0] / max(1, n) if matched else 0.0


QUANTITIES: dict[str, Quantity] = {
    "first": Quantity("Matched in the first round", _first, _percent),
    "rounds": Quantity("Rounds", lambda result, _: float(result.figures["rounds"]), short),
    "pairs": Quantity(
        "Matched edges", lambda result, _: float(result.cardinality), short, from_zero=False
    ),
    "weight": Quantity("Weight", lambda result, _: result.weight, short, from_zero=False),
    "seconds": Quantity(
        "Time on one core, minimum", lambda result, _: result.seconds, human_time, np.nanmin
    ),
}

#: The values of each quantity, shape (chances, seeds).
Sweep = Mapping[str, np.ndarray]


def sweep(graph: Graph, select: str, cancel: Cancel | None = None) -> Sweep:
    """Match a graph with every chance of blue, with several seeds each.

    Parameters
    ----------
    graph : Graph
        Of n vertices.
    select : {"weighted", "random", "first"}
        Rule by which vertices choose a neighbour.
    cancel : Cancel, optional
        Checked between and during the runs.

    Returns
    -------
    mapping of str to ndarray of float64, shape (chances, seeds)
        Values of each of :data:`QUANTITIES`, NaN where a run did not end; the matchings are those
        of the kernels.
    """
    values = {name: np.full((len(CHANCES), SEEDS), np.nan) for name in QUANTITIES}
    for i, p in enumerate(CHANCES.tolist()):
        for seed in range(SEEDS):
            try:
                result: Any = gpucore.run(
                    "redblue_omp", graph, certify=False, cancel=cancel,
                    threads=1, select=select, p=p, seed=seed,
                )  # fmt: skip
            except ParameterError:  # with hardly any blue or red vertices it can take too long
                continue
            for name, quantity in QUANTITIES.items():
                values[name][i, seed] = quantity.of(result, graph.num_vertices)
    return values


def words(found: Sweep, chance: float) -> str:
    """Return a sentence with the averages at one chance of blue."""
    at = int(np.argmin(np.abs(CHANCES - chance)))
    p = float(CHANCES[at])
    if np.isnan(found["rounds"][at]).all():
        return f"p = {p:g}: the runs did not end."
    mean = {
        name: QUANTITIES[name].text(float(QUANTITIES[name].mean(values[at])))
        for name, values in found.items()
    }
    return (
        f"p = {p:g}: the first round matches {mean['first']} of the vertices (theory "
        f"{_percent(first_round_fraction(p))}); {mean['rounds']} rounds, {mean['pairs']} matched "
        f"edges, weight {mean['weight']}, {mean['seconds']}."
    )


def picture(found: Sweep, chance: float) -> str:
    """Return a small chart for each quantity, with a line at one chance of blue; HTML."""
    charts = "".join(
        f'<figure style="margin:0"><figcaption style="font-size:13px;font-weight:600">'
        f"{escape(quantity.title)}</figcaption>{_chart(name, found[name], chance)}</figure>"
        for name, quantity in QUANTITIES.items()
    )
    columns = "repeat(auto-fill,minmax(min(100%,250px),1fr))"
    return f'<div style="display:grid;grid-template-columns:{columns};gap:14px">{charts}</div>'


def _chart(name: str, values: np.ndarray, chance: float) -> str:
    """Return an SVG plot of mean, minimum and maximum against p."""
    quantity = QUANTITIES[name]
    ended = ~np.isnan(values).all(axis=1)
    if not ended.any():
        return "no run ended"
    tried, values = CHANCES[ended], values[ended]
    low, high = np.nanmin(values, axis=1), np.nanmax(values, axis=1)
    mean = quantity.mean(values, axis=1)
    if quantity.mean is np.nanmin:
        high = low
    theory = np.array([first_round_fraction(p) for p in CHANCES.tolist()])
    least, most = float(low.min()), float(high.max())
    if name == "first":
        most = max(most, float(theory.max()))
    least = 0.0 if quantity.from_zero else least
    room = 0.08 * (most - least) or max(0.5 * abs(most), 1e-9)
    bottom, top = least if quantity.from_zero else least - room, most + room

    def points(x: np.ndarray, y: np.ndarray) -> str:
        left, down = _across(x), _HEIGHT - _BOTTOM - (y - bottom) / (top - bottom) * _DEPTH
        return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(left, down, strict=True))

    ticks = sorted({least, most})
    lines = [
        f'<polyline points="{points(np.array([0.0, 1.0]), np.full(2, t))}" fill="none" '
        f'stroke="var(--ws-line)"/><text x="{_LEFT - 6}" y="{_down(t, bottom, top) + 4:.1f}" '
        f'text-anchor="end">{escape(quantity.text(t))}</text>'
        for t in ticks
    ]
    lines += [
        f'<text x="{_across(np.array([p]))[0]:.1f}" y="{_HEIGHT - 10}" text-anchor="middle">'
        f"{p:g}</text>"
        for p in (0.0, 0.25, 0.5, 0.75, 1.0)
    ]
    band = points(np.append(tried, tried[::-1]), np.append(low, high[::-1]))
    lines.append(f'<polygon points="{band}" fill="var(--ws-accent)" fill-opacity="0.18"/>')
    if name == "first":
        dots = points(CHANCES, theory)
        lines.append(
            f'<polyline points="{dots}" fill="none" stroke="var(--ws-displaced)" '
            'stroke-width="1.6" stroke-dasharray="5 4"/>'
        )
    lines.append(
        f'<polyline points="{points(tried, mean)}" fill="none" stroke="var(--ws-accent)" '
        'stroke-width="2"/>'
    )
    ends = points(np.full(2, chance), np.array([bottom, top]))
    lines.append(f'<polyline points="{ends}" fill="none" stroke="var(--ws-text)"/>')
    label = f"{quantity.title} against the chance of blue"
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}" '
        f'style="width:100%;font-size:11px;fill:var(--ws-soft)">{"".join(lines)}</svg>'
    )


_DEPTH = _HEIGHT - _TOP - _BOTTOM


def _across(p: np.ndarray) -> np.ndarray:
    return _LEFT + p * (_WIDTH - _LEFT - 10)


def _down(value: float, bottom: float, top: float) -> float:
    return float(_HEIGHT - _BOTTOM - (value - bottom) / (top - bottom) * _DEPTH)
