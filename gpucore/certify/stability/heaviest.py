"""The heaviest edges of every vertex, whose sum bounds every b-matching."""

from __future__ import annotations

import numpy as np

from gpucore.certify.pairs import chunk_of, numbered
from gpucore.certify.stability.form import BLOCK
from gpucore.certify.stability.part import Part


def heaviest_edges(part: Part) -> float:
    """Return the sum of the ``capacity[v]`` heaviest edges of every row, loops left out."""
    total, begin, chunk = 0.0, 0, chunk_of(part.xp)
    single = bool((part.capacity <= 1).all())
    while begin < part.rows:
        # Whole rows, of one chunk together; a longer row is alone.
        most = int(part.indptr[begin]) + chunk
        end = int(part.xp.searchsorted(part.indptr, most, side="right")) - 1
        end = min(end, begin + BLOCK)
        if end > begin:
            total += _of_rows(part, begin, end, single=single)
        else:
            end = begin + 1
            total += _of_long_row(part, begin, chunk)
        begin = end
    return total


def _of_rows(part: Part, begin: int, end: int, *, single: bool) -> float:
    """Return the sum of rows that make up one chunk at most.

    `single`: no row counts more than its heaviest edge, which is found without sorting.
    """
    xp, indptr = part.xp, part.indptr
    first, last = int(indptr[begin]), int(indptr[end])
    if first == last:
        return 0.0
    own = numbered(indptr[begin + 1 : end] - first, last - first, xp)
    columns, weights = part.indices[first:last], part.weights[first:last]
    useful = (columns != own + (part.first + begin)) & (weights > 0)
    # Floats above zero compare like their bits.
    bits = xp.where(useful, weights, np.float32(0)).view(np.uint32)
    if single:
        best = xp.zeros(end - begin, np.uint32)
        xp.maximum.at(best, own, bits)
        counted = best.view(np.float32)[part.capacity[begin:end] == 1]
        return float(counted.sum(dtype=np.float64))
    # One number an edge: the row, then the weight, the heaviest first.
    words = own.astype(np.uint64) << np.uint64(32)
    words |= ~bits
    words.sort()
    heads = indptr[begin:end] - first
    degrees = indptr[begin + 1 : end + 1] - indptr[begin:end]
    ends = heads + xp.minimum(part.capacity[begin:end], degrees).astype(np.int64)
    heaviest = (~words.astype(np.uint32)).view(np.float32)
    kept = (xp.arange(last - first) < ends[own]) & (heaviest > 0)
    return float(heaviest[kept].sum(dtype=np.float64))


def _of_long_row(part: Part, row: int, chunk: int) -> float:
    """Return the sum of one row; chunk by chunk, the heaviest edges so far are kept."""
    xp = part.xp
    first, last, many = int(part.indptr[row]), int(part.indptr[row + 1]), int(part.capacity[row])
    kept = xp.empty(0, np.uint32)
    for begin in range(first, last, chunk):
        end = min(begin + chunk, last)
        weights = part.weights[begin:end]
        useful = (part.indices[begin:end] != part.first + row) & (weights > 0)
        found = xp.concatenate((kept, ~weights[useful].view(np.uint32)))
        kept = xp.sort(found)[:many] if found.size else found
    return float((~kept).view(np.float32).sum(dtype=np.float64))
