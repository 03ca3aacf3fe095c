"""The warp map of two runs on one scale, and the tail: iterations in which few warps still work.

Source: Naim, Manne, Halappanavar et al., HiPC 2015, section 4 (NoSync, SyncLB).
"""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import numpy as np

from gpucore.record.balance import num_warps, per_warp

from ..kit.book import exercise
from ..kit.exercises import Verdict, judge
from ..kit.pictures import COLOURS, Picture, wrap
from .runs import Watched

#: Pixels of a cell: the map of a small run is large, with the numbers in its cells.
_LEAST, _MOST, _WITH_NUMBER = 11, 36, 28
_WIDTH, _HEIGHT = 640, 400
_AXIS = 64
_COLUMNS = ("warp", "iteration", "edges")


def working(made: Watched) -> np.ndarray:
    """Return how many warps looked at edges in each iteration."""
    warps = made.record.warps
    busy = warps["iteration"][warps["edges"] > 0]
    return np.bincount(busy, minlength=int(warps["iteration"].max(initial=0)) + 1)


def warp_maps(runs: Mapping[str, Watched]) -> Picture:
    """Draw warps against iterations; the darker, the more edges. All runs have one scale."""
    most = max(int(made.record.warps["edges"].max(initial=1)) for made in runs.values())
    return Picture(wrap("".join(_map(name, made, most) for name, made in runs.items())))


def _map(name: str, made: Watched, most: int) -> str:
    warps = made.record.warps
    rows, columns = num_warps(warps), len(working(made))
    side = max(_LEAST, min(_MOST, _WIDTH // columns, _HEIGHT // rows))
    work = zip(*(warps[name].tolist() for name in _COLUMNS), strict=True)
    cells = "".join(_cell(w, i, e, most, side) for w, i, e in work if e)
    written = side >= _WITH_NUMBER
    axes = _axes(rows, columns, side) if written else ""
    legend = "; each number counts the edges that were looked at" if written else ""
    label = f"{name}: {rows} warps, {columns} iterations"
    return (
        f"<p><b>{escape(name)}</b>: {columns} iterations to the right, {rows} warps down"
        f"{legend}</p>"
        f'<svg role="img" aria-label="{escape(label)}" width="{_AXIS + 8 + side * columns}" '
        f'height="{28 + side * rows}" font-size="12" fill="currentColor">{cells}{axes}</svg>'
    )


def _cell(warp: int, iteration: int, edges: int, most: int, side: int) -> str:
    """Return a cell; the number of its edges is in it, or in its tip."""
    x, y, share = _AXIS + side * iteration, 4 + side * warp, (edges / most) ** 0.5
    number = (
        f'<text x="{x + side / 2 - 0.5}" y="{y + side / 2 + 4}" text-anchor="middle">{edges}</text>'
        if side >= _WITH_NUMBER and edges < 1000
        else ""
    )
    return (
        f'<rect x="{x}" y="{y}" width="{side - 1}" height="{side - 1}" fill="{COLOURS[0]}" '
        f'fill-opacity="{0.12 + 0.58 * share:.2f}">'
        f"<title>warp {warp}, iteration {iteration + 1}: {edges:,} edges</title></rect>{number}"
    )


def _axes(rows: int, columns: int, side: int) -> str:
    """Return the names of rows and columns."""
    down = "".join(
        f'<text x="0" y="{4 + side * row + side / 2 + 4}">warp {row}</text>' for row in range(rows)
    )
    right = "".join(
        f'<text x="{_AXIS + side * (column + 0.5)}" y="{20 + side * rows}" '
        f'text-anchor="middle">{column + 1}</text>'
        for column in range(columns)
    )
    return down + right


def shares(runs: Mapping[str, Watched]) -> str:
    """Return, for each run, how much more the busiest warp did than the mean."""
    lines = []
    for name, made in runs.items():
        edges = per_warp(made.record.warps, made.record.warps["edges"])
        most = int(edges.max())
        lines.append(
            f"{name}: {len(working(made))} iterations; the busiest warp looked at {most:,} edges, "
            f"{most / max(edges.mean(), 1e-9):.1f} times the mean"
        )
    return "\n".join(lines)


@exercise("matching/tail", hint="Count the filled cells in the last column of the upper map.")
def last_at_work(guess: Any, made: Watched) -> Verdict:
    """Answer: how many warps work in the last iteration."""
    counts = working(made)
    last = int(np.flatnonzero(counts)[-1])
    because = (
        f"In the first iteration {counts[0]} warps work. Later only those do whose vertices were "
        f"displaced; iterations with at most two of them: {int((counts <= 2).sum())}. That is the "
        "tail: no other warp can help."
    )
    known = {int(counts[0]): "That many work in the first iteration."}
    return judge(guess, int(counts[last]), because, known=known)
