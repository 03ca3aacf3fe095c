"""The levels of coarsening as a strip of pictures: in each level matched pairs become vertices."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.redblue.coarsening import Hierarchy, Level, coarsen
from gpucore.format import counted
from gpucore.problems.graph.graph import Graph
from gpucore.progress import Cancel
from gpucore.record.words import short

if TYPE_CHECKING:
    from gpucore.result import Result

#: Largest level that is drawn; of larger ones the strip shows only the numbers.
MOST_VERTICES, MOST_EDGES = 800, 3_000

_WIDTH, _HEIGHT, _MARGIN = 300, 190, 14


def strip(graph: Graph, result: Result, cancel: Cancel | None = None) -> str:
    """Return HTML: the levels of a graph that is coarsened with the parameters of a run."""
    from ...layout.positions import positions_of

    names = ("select", "p", "generator", "seed", "permute")
    chosen = {name: result.params[name] for name in names if name in result.params}
    hierarchy = coarsen(
        graph, matcher="redblue_omp", params={"threads": 1, **chosen}, cancel=cancel
    )
    small = graph.num_vertices <= MOST_VERTICES and graph.num_edges <= MOST_EDGES
    places = positions_of(graph) if small else None
    frames = "".join(_frame(hierarchy, i, places) for i in range(len(hierarchy)))
    return (
        '<div style="display:flex;flex-wrap:wrap;gap:14px" tabindex="0" '
        f'role="group" aria-label="levels">{frames}</div>'
    )


def _frame(hierarchy: Hierarchy, number: int, places: np.ndarray | None) -> str:
    level = hierarchy.levels[number]
    drawn = "" if places is None else _drawing(hierarchy, number, places)
    share = "" if level.mate is None else f", {np.mean(level.mate >= 0):.0%} matched"
    text = (
        f"{counted(level.num_vertices, 'vertex')}{share}; "
        f"{counted(level.num_edges, 'edge')} of weight "
        f"{short(level.weight)}; heaviest vertex {int(level.vertex_weights.max(initial=0)):,}"
    )
    caption = f'<b>Level {number}</b><br><span style="color:var(--ws-soft)">{escape(text)}</span>'
    return (
        f'<figure style="flex:0 0 auto;width:{250 if drawn else 170}px;margin:0">{drawn}'
        f'<figcaption style="font-size:12.5px;line-height:1.45">{caption}</figcaption></figure>'
    )


def _drawing(hierarchy: Hierarchy, number: int, places: np.ndarray) -> str:
    """Return a level as SVG: vertices by their weight, the pairs that will be contracted bold."""
    level = hierarchy.levels[number]
    x, y = _pixels(places, hierarchy.centres(number, places))
    whole = max(1, int(level.vertex_weights.sum()))
    radius = np.clip(42 * np.sqrt(level.vertex_weights / whole), 1.6, 22)
    dots = "".join(
        f'<circle cx="{a:.1f}" cy="{b:.1f}" r="{r:.1f}"/>'
        for a, b, r in zip(x, y, radius, strict=True)
    )
    u, v, _ = level.graph.edges()
    return (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="level {number}" '
        'style="width:100%;border:1px solid var(--ws-line);border-radius:8px">'
        f'<path d="{_lines(x, y, u, v)}" stroke="var(--ws-soft)" stroke-opacity="0.35"/>'
        f'<path d="{_pairs(level, x, y)}" stroke="var(--ws-matched)" stroke-width="5" '
        'stroke-linecap="round"/>'
        f'<g fill="var(--ws-matched)" stroke="var(--ws-card)">{dots}</g></svg>'
    )


def _pixels(places: np.ndarray, centres: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return where points lie in the picture in which `places` fill the frame."""
    low, high = places.min(axis=0), places.max(axis=0)
    room = np.array([_WIDTH, _HEIGHT]) - 2 * _MARGIN
    scale = float(np.min(room / np.maximum(high - low, 1e-12)))
    x, y = ((centres - (low + high) / 2) * scale).T
    return _WIDTH / 2 + x, _HEIGHT / 2 - y


def _lines(x: np.ndarray, y: np.ndarray, u: np.ndarray, v: np.ndarray) -> str:
    return "".join(
        f"M{x[a]:.1f} {y[a]:.1f}L{x[b]:.1f} {y[b]:.1f}"
        for a, b in zip(u.tolist(), v.tolist(), strict=True)
    )


def _pairs(level: Level, x: np.ndarray, y: np.ndarray) -> str:
    if level.mate is None:
        return ""
    first = np.flatnonzero(level.mate > np.arange(len(level.mate)))
    return _lines(x, y, first, level.mate[first])
