"""Pairs of a vertex and one of its mates: their keys, and the checks of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpucore.certify.pairs import rows_of
from gpucore.certify.stability.form import Finding, blocks, find
from gpucore.certify.stability.part import Part, Summary

#: A vertex is the lower or the upper half of a key.
HALF = 32
LOWER = (1 << HALF) - 1


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of the vertices of a part, in the order of the lists.

    Attributes
    ----------
    keys : array of int64
        ``vertex << 32 | mate``, ascending.
    weights : array of float32
        Weights of the edges; NaN where there is no edge.
    met : array of bool
        Whether the pair was found at its other end too; :meth:`meet` sets it.
    """

    keys: Any
    weights: Any
    met: Any

    def ends(self, begin: int, end: int) -> tuple[Any, Any]:
        """Return vertices and mates of the pairs `begin` to ``end - 1``."""
        keys = self.keys[begin:end]
        return keys >> HALF, keys & LOWER

    def turned(self, part: Part, begin: int, end: int) -> tuple[Any, int, int]:
        """Return pairs as keys at their other ends.

        Returns
        -------
        keys : array of int64
            Ascending.
        first, last : int
            ``keys[first:last]`` are at vertices of the part.
        """
        xp = part.xp
        u, v = self.ends(begin, end)
        keys = xp.sort((v << HALF) | u)
        first, last = (
            int(xp.searchsorted(keys, vertex << HALF))
            for vertex in (part.first, part.first + part.rows)
        )
        return keys, first, last

    def meet(self, part: Part, keys: Any) -> None:
        """Note which of the pairs are among `keys`."""
        if self.keys.size and keys.size:
            at = place_of(self.keys, keys, part)
            self.met[at[self.keys[at] == keys]] = True

    def name(self, place: int) -> str:
        """Return a text that names a pair."""
        u, v = divmod(int(self.keys[place]), 1 << HALF)
        return f"mate {v} of {u}"


def keys_of(part: Part) -> Any:
    """Return the keys of all pairs of well-formed lists."""
    starts, mates, xp = part.bounds, part.mates, part.xp
    keys = xp.empty(mates.size, np.int64)
    for begin, end in blocks(mates.size):
        rows = rows_of(starts, begin, end, xp)
        rows += part.first
        rows <<= HALF
        rows |= mates[begin:end].astype(np.int64, copy=False)
        keys[begin:end] = rows
    return keys


def place_of(keys: Any, wanted: Any, part: Part) -> Any:
    """Return where each wanted key stands in ascending keys, at least one; all places are valid."""
    places = part.xp.searchsorted(keys, wanted)
    return part.xp.minimum(places, keys.size - 1, out=places)


def pairs_missing(pairs: Pairs) -> Finding:
    """Find pairs that are not edges."""
    # Only NaN differs from itself.
    size, weights = pairs.keys.size, pairs.weights
    return find("pairs are edges", size, lambda b, e: weights[b:e] != weights[b:e], pairs.name)


def pairs_gain(pairs: Pairs) -> Finding:
    """Find matched edges of weight zero or less."""
    return find("pairs gain", pairs.keys.size, lambda b, e: pairs.weights[b:e] <= 0, pairs.name)


def without_partner(pairs: Pairs) -> Finding:
    """Find pairs that stand at one end only."""
    return find("symmetric", pairs.keys.size, lambda b, e: ~pairs.met[b:e], pairs.name)


def worst_pairs(part: Part, pairs: Pairs) -> Summary:
    """Return weight and mate of every vertex's worst pair."""
    xp, capacity, starts = part.xp, part.capacity, part.bounds
    # Weight, then mate: of equal weights the smallest mate is the worst. Floats above zero compare
    # like their bits.
    worst = xp.full(part.rows, np.iinfo(np.uint64).max, np.uint64)
    for begin, end in blocks(pairs.keys.size):
        u, v = pairs.ends(begin, end)
        words = pairs.weights[begin:end].view(np.uint32).astype(np.uint64) << np.uint64(HALF)
        words |= v.view(np.uint64)
        xp.minimum.at(worst, u - part.first, words)
    summary = Summary.empty(part.rows, xp)
    for begin, end in blocks(part.rows):
        count = starts[begin + 1 : end + 1] - starts[begin:end]
        full = (count > 0) & (count >= capacity[begin:end])
        weight = (worst[begin:end] >> np.uint64(HALF)).astype(np.uint32).view(np.float32)
        room = xp.where(capacity[begin:end] == 0, np.float32(np.inf), np.float32(0))
        summary.worst_weight[begin:end] = xp.where(full, weight, room)
        summary.worst_mate[begin:end] = xp.where(
            full, worst[begin:end].astype(np.uint32).view(np.int32), np.int32(-1)
        )
    return summary
