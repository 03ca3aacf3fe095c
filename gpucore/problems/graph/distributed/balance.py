"""Move rows between ranks so that all have about equally much work."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpucore.problems.graph.distributed.exchange import Ranks, before
from gpucore.problems.graph.part import GraphPart, shares
from gpucore.rows import row_starts


def rebalanced(part: GraphPart, ranks: Ranks) -> GraphPart:
    """Return this rank's part after moving rows, with the bounds that :func:`.part.cut` has.

    Parameters
    ----------
    part : GraphPart
        NumPy arrays; rows of all ranks together are the graph.
    ranks : Ranks
        All ranks call.
    """
    bounds = _bounds(part, ranks)
    cuts = np.clip(bounds, part.lo, part.hi) - part.lo
    lengths = _moved(ranks, np.diff(part.indptr), cuts)
    places = part.indptr[cuts]
    return replace(
        part,
        bounds=bounds,
        indptr=row_starts(lengths),
        indices=_moved(ranks, part.indices, places),
        weights=_moved(ranks, part.weights, places),
    )


def _bounds(part: GraphPart, ranks: Ranks) -> NDArray[np.int64]:
    """Return the bounds of :func:`.part.balanced_bounds`, to which each rank counts its rows."""
    start, total = before(ranks, part.entries)
    aims = shares(total + part.n, ranks.size)
    work = start + part.indptr[:-1] + np.arange(part.lo, part.hi)
    # A row's place is the number of rows with less work before them.
    smaller = np.searchsorted(work, np.array(aims, np.int64))
    bounds: NDArray[np.int64] = np.array(ranks.allgather(smaller)).sum(axis=0)
    return bounds


def _moved(ranks: Ranks, column: np.ndarray, cuts: NDArray[np.int64]) -> np.ndarray:
    """Send the slices between `cuts` to the ranks in order; return the received ones, joined."""
    parts = [np.ascontiguousarray(column[a:b]) for a, b in itertools.pairwise(cuts)]
    sizes = [sent[ranks.rank] for sent in ranks.allgather([one.size for one in parts])]
    return np.concatenate(ranks.alltoallv(parts, sizes))
