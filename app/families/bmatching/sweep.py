"""The sweep over b: a b-matching for each of b = 1 to 10, and their plots.

The picture is plain SVG in the page's own colours, so it follows the theme by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

import gpucore
from gpucore.families.bmatching.certificate import certify_result
from gpucore.progress import Cancel
from gpucore.record.words import short

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: The values of b.
VALUES = tuple(range(1, 11))

_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 300, 170, 52, 12, 28


@dataclass(frozen=True)
class Sweep:
    """Figures of the b-matchings, one for each of :data:`VALUES`.

    Attributes
    ----------
    weight, bound : ndarray of float64
        Weight, and the bound of the certificate: no b-matching is heavier.
    edges : ndarray of int64
        Matched edges.
    full : ndarray of float64
        Share of the vertices with as many mates as they may have, or as they have neighbours.
    all_edges, all_weight
        Number and weight of all edges of the graph.
    """

    weight: np.ndarray
    bound: np.ndarray
    edges: np.ndarray
    full: np.ndarray
    all_edges: int
    all_weight: float


def sweep(graph: Graph, cancel: Cancel | None = None) -> Sweep:
    """Find the b-matching of a graph for every b, and certify each.

    Parameters
    ----------
    graph : Graph
        With n vertices.
    cancel : Cancel, optional
        Checked between and during the runs.
    """
    degrees = np.diff(graph.indptr)
    rows: list[tuple[float, float, int, float]] = []
    for b in VALUES:
        result: Any = gpucore.run("bsuitor_serial", graph, certify=False, cancel=cancel, b=b)
        room = np.minimum(degrees, b)
        full = int(np.count_nonzero((np.diff(result.starts) == room) & (room > 0)))
        bound = float(certify_result(graph, result).figures["upper_bound"])
        share = full / max(1, int(np.count_nonzero(room)))
        rows.append((result.weight, bound, result.cardinality, share))
    names = ("weight", "bound", "edges", "full")
    columns = dict(zip(names, map(np.array, zip(*rows, strict=True)), strict=True))
    total = float(graph.weights.sum(dtype=np.float64)) / 2
    return Sweep(**columns, all_edges=graph.num_edges, all_weight=total)


def words(found: Sweep) -> str:
    """Return a sentence about the smallest and the largest b."""
    first, last = float(found.weight[0]), float(found.weight[-1])
    share = last / found.all_weight if found.all_weight else 0.0
    least = float((found.weight / np.maximum(found.bound, 1e-300)).min())
    return (
        f"b = 1 is Suitor: {int(found.edges[0]):,} edges of weight {short(first, 4)}. b = 10 takes "
        f"{int(found.edges[-1]):,} of {found.all_edges:,} edges, {share:.0%} of the graph's "
        f"weight. Every b-matching here has at least {least:.0%} of the greatest weight."
    )


def picture(found: Sweep, b: int | None) -> str:
    """Return the charts, with a line at one b if there is one; HTML."""
    share = 100 * found.weight / np.maximum(found.bound, 1e-300)
    charts = (
        _chart("Weight; dashed: its bound", found.weight, b, found.bound),
        _chart("Matched edges", found.edges.astype(float), b),
        _chart("Least percent of the optimum", share, b, low=50.0, high=100.0),
        _chart("Percent of vertices full", 100 * found.full, b, high=100.0),
    )
    columns = "repeat(auto-fill,minmax(min(100%,230px),1fr))"
    figures = "".join(
        f'<figure style="margin:0"><figcaption style="font-size:13px;font-weight:600">'
        f"{escape(title)}</figcaption>{drawn}</figure>"
        for title, drawn in charts
    )
    return f'<div style="display:grid;grid-template-columns:{columns};gap:14px">{figures}</div>'


def _chart(
    title: str,
    values: np.ndarray,
    b: int | None,
    bound: np.ndarray | None = None,
    low: float = 0.0,
    high: float | None = None,
) -> tuple[str, str]:
    """Return a title, and an SVG plot of values against b."""
    everything = values if bound is None else np.concatenate([values, bound])
    most = float(everything.max(initial=0.0))
    low = min(low, float(everything.min(initial=low)))
    top = high if high is not None else most
    span = (top - low) or 1.0

    def across(x: float) -> float:
        return _LEFT + (x - 1) / (VALUES[-1] - 1) * (_WIDTH - _LEFT - 14)

    def down(y: float) -> float:
        return _HEIGHT - _BOTTOM - (y - low) / span * (_HEIGHT - _TOP - _BOTTOM)

    def points(of: np.ndarray) -> str:
        pairs = zip(VALUES, of.tolist(), strict=True)
        return " ".join(f"{across(x):.1f},{down(y):.1f}" for x, y in pairs)

    parts = [
        f'<path d="M{_LEFT} {down(y):.1f}H{_WIDTH - 6}" stroke="var(--ws-line)"/>'
        f'<text x="{_LEFT - 6}" y="{down(y) + 4:.1f}" text-anchor="end">{escape(short(y))}</text>'
        for y in sorted({low, (low + top) / 2, top})
    ]
    parts += [
        f'<text x="{across(x):.1f}" y="{_HEIGHT - 10}" text-anchor="middle">{x}</text>'
        for x in VALUES
    ]
    if b in VALUES:
        parts.append(
            f'<path d="M{across(b):.1f} {_TOP}V{_HEIGHT - _BOTTOM}" stroke="var(--ws-displaced)" '
            'stroke-width="1.4"/>'
        )
    if bound is not None:
        parts.append(
            f'<polyline points="{points(bound)}" fill="none" stroke="var(--ws-text)" '
            'stroke-width="1.4" stroke-dasharray="5 4"/>'
        )
    parts.append(
        f'<polyline points="{points(values)}" fill="none" stroke="var(--ws-accent)" '
        'stroke-width="2"/>'
    )
    parts += [
        f'<circle cx="{across(x):.1f}" cy="{down(y):.1f}" r="2.8" fill="var(--ws-accent)">'
        f"<title>b = {x}: {escape(short(y, 4))}</title></circle>"
        for x, y in zip(VALUES, values.tolist(), strict=True)
    ]
    label = f"{title}, for b from 1 to 10"
    return title, (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(label)}" '
        f'style="width:100%;font-size:11px;fill:var(--ws-soft)">{"".join(parts)}</svg>'
    )
