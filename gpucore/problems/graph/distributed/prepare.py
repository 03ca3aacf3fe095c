"""Preparation of graphs in parts, with the results of :mod:`gpucore.problems.graph.prepare`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.notes import with_steps
from gpucore.problems.graph.distributed.balance import rebalanced
from gpucore.problems.graph.distributed.exchange import Ranks, before, exchanged
from gpucore.problems.graph.part import GraphPart
from gpucore.rows import row_starts
from gpucore.seeds import generator


def for_matching(part: GraphPart, ranks: Ranks, *, seed: int = 0) -> GraphPart:
    """Prepare a graph for weighted matching: its parts become those of the prepared graph.

    Loops and edges of weight 0 or less go, and a graph without weights gets random ones. The parts
    are then balanced again.

    Parameters
    ----------
    part : GraphPart
        This rank's part, with NumPy arrays.
    ranks : Ranks
        All ranks call.
    seed : int
        Seed of random weights.

    Returns
    -------
    GraphPart
        What :func:`.part.cut` makes of :func:`.prepare.for_matching` of the whole graph.
    """
    steps: list[dict[str, Any]] = []
    loops = row_numbers(part) == part.indices
    if any(ranks.allgather(bool(loops.any()))):
        part = _filtered(part, ~loops)
        steps.append({"step": "drop_loops"})
    if any(ranks.allgather(bool((part.weights < 0).any()))):
        part = _filtered(part, part.weights >= 0)
        steps.append({"step": "drop_negative"})
    if any(ranks.allgather(not part.weights.all())):
        part = _filtered(part, part.weights != 0)
        steps.append({"step": "drop_zeros"})
    if steps:
        part = rebalanced(part, ranks)
    if not part.weighted:
        part = random_weights(part, ranks, seed)
        steps.append({"step": "random_weights", "seed": seed})
    source = with_steps(part.source, *steps)
    edges = before(ranks, part.entries)[1] // 2
    return replace(part, source=source, num_edges=edges)


def random_weights(part: GraphPart, ranks: Ranks, seed: int) -> GraphPart:
    """Give the edges of a graph without loops the weights of :func:`.prepare.random_weights`.

    An edge's weight is the random number at its place among all edges ``u < v`` in row order. The
    rank of `u` draws it, from the middle of the stream, and sends it to the rank of `v`.
    """
    rows = row_numbers(part)
    upper = rows < part.indices
    drawn = _from_stream(seed, before(ranks, int(np.count_nonzero(upper)))[0], upper)
    ends = part.indices[upper]
    came_ends, came = exchanged(ranks, part.owners(ends), (ends, drawn))
    weights = np.empty(part.entries, np.float32)
    weights[upper] = drawn
    # They come in the order of u; the lower entries of row v have the same order.
    weights[~upper] = came[np.argsort(came_ends, kind="stable")]
    return replace(part, weights=weights, weighted=True)


def _from_stream(seed: int, start: int, wanted: NDArray[np.bool_]) -> NDArray[np.float32]:
    """Return numbers of NumPy's stream from number `start` on, as many as are wanted."""
    rng = generator(seed)
    rng.bit_generator.advance(start // 2)  # type: ignore[attr-defined]  # two numbers a draw
    odd = start % 2
    return (1 - rng.random(np.count_nonzero(wanted) + odd, dtype=np.float32))[odd:]


def row_numbers(part: GraphPart) -> NDArray[np.int32]:
    """Return the vertex of each entry."""
    vertices = np.arange(part.lo, part.hi, dtype=np.int32)
    return np.repeat(vertices, np.diff(part.indptr))


def _filtered(part: GraphPart, keep: NDArray[np.bool_]) -> GraphPart:
    kept = row_starts(keep)
    return replace(
        part,
        indptr=kept[part.indptr],
        indices=part.indices[keep],
        weights=part.weights[keep],
    )
