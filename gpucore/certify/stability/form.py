"""The first checks of a b-matching: lists of mates that are well formed and not too long."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gpucore.certify.pairs import NAMED


@dataclass(frozen=True)
class Finding:
    """What a check found in some rows: the number of offenders, and texts of the first of them."""

    name: str
    count: int = 0
    named: tuple[str, ...] = ()

    def joined(self, other: Finding) -> Finding:
        """Return the finding of both parts' rows."""
        return Finding(self.name, self.count + other.count, (self.named + other.named)[:NAMED])

    @property
    def text(self) -> str:
        """The first offenders, and how many more there are."""
        more = self.count - len(self.named)
        return ", ".join(self.named) + (f" and {more} more" if more > 0 else "")


def _failed(name: str, text: str) -> Finding:
    return Finding(name, 1, (text,))


def check_form(
    n: int, first: int, rows: int, capacity: np.ndarray, starts: np.ndarray, mates: np.ndarray
) -> list[Finding]:
    """Check lists of mates of `rows` vertices, of which `first` is the first; n vertices in all.

    The last finding is the result: checking ends at the first that has offenders.
    """
    findings = [_well_formed(n, first, rows, capacity, starts, mates)]
    if not findings[-1].count:
        findings.append(_no_mate_twice(first, starts.astype(np.int64), mates))
    if not findings[-1].count:
        findings.append(_capacities_kept(first, capacity, starts.astype(np.int64)))
    return findings


def _well_formed(
    n: int, first: int, rows: int, capacity: np.ndarray, starts: np.ndarray, mates: np.ndarray
) -> Finding:
    name = "well formed"
    for what, array, size in (("capacity", capacity, rows), ("starts", starts, rows + 1)):
        if array.shape != (size,):
            text = f"shape of {what} is {array.shape}, {rows} vertices need ({size},)"
            return _failed(name, text)
    if mates.ndim != 1:
        return _failed(name, f"shape of mates is {mates.shape}, which is no list")
    for what, array in (("capacity", capacity), ("starts", starts), ("mates", mates)):
        if array.dtype.kind not in "iu":
            return _failed(name, f"dtype of {what} is {array.dtype}, not an integer type")
    negative = np.flatnonzero(capacity < 0)
    if negative.size:
        named = tuple(f"capacity[{first + i}] = {capacity[i]}" for i in negative[:NAMED])
        return Finding(name, negative.size, named)
    bounds = starts.astype(np.int64)
    if bounds[0] != 0 or bounds[-1] != mates.size or (bounds[1:] < bounds[:-1]).any():
        text = f"starts do not ascend from 0 to the number of mates, {mates.size}"
        return _failed(name, text)
    outside = np.flatnonzero((mates < 0) | (mates >= n))
    own = first + np.repeat(np.arange(rows), bounds[1:] - bounds[:-1])
    wrong = outside if outside.size else np.flatnonzero(mates == own)
    named = tuple(f"vertex {own[i]} has the mate {mates[i]}" for i in wrong[:NAMED])
    return Finding(name, wrong.size, named)


def _no_mate_twice(first: int, starts: np.ndarray, mates: np.ndarray) -> Finding:
    descent = mates[1:] <= mates[:-1]
    heads = starts[1:-1]  # the first mate of a vertex may be below the last of the one before
    descent[heads[(heads > 0) & (heads < mates.size)] - 1] = False
    wrong = np.flatnonzero(descent)
    vertices = first + np.searchsorted(starts, wrong[:NAMED], side="right") - 1
    named = tuple(
        f"vertex {u} has {mates[i]} before {mates[i + 1]}"
        for u, i in zip(vertices, wrong[:NAMED], strict=True)
    )
    return Finding("no mate twice", wrong.size, named)


def _capacities_kept(first: int, capacity: np.ndarray, starts: np.ndarray) -> Finding:
    count = starts[1:] - starts[:-1]
    over = np.flatnonzero(count > capacity)
    named = tuple(
        f"vertex {first + i} has {count[i]} and may have {capacity[i]}" for i in over[:NAMED]
    )
    return Finding("capacities kept", over.size, named)
