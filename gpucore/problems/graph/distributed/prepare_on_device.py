"""Preparation of a graph that is in a device's memory only, in place and block by block."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gpucore.certify.pairs import rows_of
from gpucore.notes import with_steps
from gpucore.problems.graph.part import GraphPart

#: Entries that are changed at a time, each with about 40 bytes of temporaries.
BLOCK = 1 << 24


def prepared_on_device(part: GraphPart, *, matching: bool) -> GraphPart:
    """Prepare a graph with weights for matching, or for the search for communities.

    For matching, loops and edges of weight 0 or less go; for communities only edges of
    weight 0. The arrays of the part are overwritten.

    Parameters
    ----------
    part : GraphPart
        All rows of a graph.
    matching : bool
        What it is prepared for.

    Returns
    -------
    GraphPart
        Its arrays are views of the given ones, unless nothing had to be done. The graph is that of
        :func:`gpucore.problems.graph.prepare.for_matching`, or of ``for_communities``.
    """
    loops, negative, zeros = _found(part, matching=matching)
    steps: list[dict[str, Any]] = []
    if matching and loops:
        steps.append({"step": "drop_loops"})
    if matching and negative:
        steps.append({"step": "drop_negative"})
    if zeros:
        steps.append({"step": "drop_zeros"})
    if (matching and (loops or negative)) or zeros:
        part = _kept(part, matching=matching)
        loops = 0 if matching else _found(part, matching=False)[0]
    source = with_steps(part.source, *steps)
    return replace(part, source=source, num_edges=(part.entries - loops) // 2)


def _found(part: GraphPart, *, matching: bool) -> tuple[int, bool, bool]:
    """Return the number of loops, and whether there are weights below 0 and of 0.

    For matching, weights of loops do not count.
    """
    loops, negative, zeros = 0, False, False
    for begin in range(0, part.entries, BLOCK):
        end = min(begin + BLOCK, part.entries)
        at_loop = rows_of(part.indptr, begin, end, part.xp) == part.indices[begin:end]
        loops += int(at_loop.sum())
        weights = part.weights[begin:end]
        counted = ~at_loop if matching else True
        negative = negative or bool(((weights < 0) & counted).any())
        zeros = zeros or bool(((weights == 0) & counted).any())
    return loops, negative, zeros


def _kept(part: GraphPart, *, matching: bool) -> GraphPart:
    """Remove edges of weight 0, for matching negative ones and loops too; entries move forwards."""
    xp, indptr = part.xp, part.indptr
    starts, kept = xp.zeros_like(indptr), 0
    for begin in range(0, part.entries, BLOCK):
        end = min(begin + BLOCK, part.entries)
        weights = part.weights[begin:end]
        keep = weights > 0 if matching else weights != 0
        if matching:
            keep &= rows_of(indptr, begin, end, xp) != part.indices[begin:end]
        before = xp.zeros(end - begin + 1, dtype=np.int64)
        xp.cumsum(keep, dtype=np.int64, out=before[1:])
        limits = xp.array([begin, end], dtype=np.int64)
        first, last = xp.searchsorted(indptr, limits, side="left").tolist()
        starts[first:last] = before[indptr[first:last] - begin] + kept
        for array in (part.indices, part.weights):
            block = array[begin:end][keep]
            array[kept : kept + block.size] = block
        kept += int(before[-1])
    starts[int(xp.searchsorted(indptr, part.entries, side="left")) :] = kept
    return replace(part, indptr=starts, indices=part.indices[:kept], weights=part.weights[:kept])
