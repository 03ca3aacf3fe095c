"""What native certificates return, and the sentences for it."""

from __future__ import annotations

import ctypes

import numpy as np

from gpucore.certify import Check
from gpucore.certify.pairs import NAMED, name_mates
from gpucore.cpu.task import Report, layout
from gpucore.format import counted


class Found(Report):
    """How many places violate a property, and the first of them; see ``proof::Found``."""

    _fields_ = layout("int64 count, Places at", Places=ctypes.c_int64 * NAMED)

    @property
    def named(self) -> np.ndarray:
        """The first places."""
        return np.array(self.at[: min(self.count, NAMED)], np.int64)


class Pairs(Report):
    """See ``proof::Pairs``."""

    _fields_ = layout(
        "Found outside itself odd missing, int64 matched, float64 weight", Found=Found
    )


class Edges(Report):
    """Entries of the adjacency, and their rows; see ``proof::Edges``."""

    _fields_ = layout("Found entries, Rows rows", Found=Found, Rows=ctypes.c_int32 * NAMED)

    @property
    def named(self) -> list[tuple[int, int]]:
        """Rows and entries of the first ones."""
        return [*zip(self.rows, self.entries.named.tolist(), strict=False)]


def as_mates(mate: np.ndarray, n: int) -> np.ndarray | None:
    """Return an array of mates as native code reads it; None if it cannot be one.

    Numbers too large for the type stay outside of the vertices.
    """
    if mate.shape != (n,) or mate.dtype.kind not in "iu":
        return None
    if mate.dtype != np.int32:
        # n itself is outside, and fits; -2 too.
        mate = np.where(mate >= n, n, mate).astype(np.int64)
        mate = np.maximum(mate, -2).astype(np.int32)
    return np.ascontiguousarray(mate)


def pair_checks(mate: np.ndarray, found: Pairs) -> list[Check]:
    """Check that mates are mutual, as :func:`gpucore.certify.pairs.mutual`, and pairs are edges.

    The list ends with the first check that fails.
    """
    n, first, second = mate.size, "well formed", "symmetric"
    if found.outside.count:
        return [Check(first, False, f"outside -1..{n - 1}: {_mates(mate, found.outside)}")]
    if found.itself.count:
        return [Check(first, False, f"matched to itself: {_mates(mate, found.itself)}")]
    checks = [Check(first, True, f"{counted(n, 'mate')}, each -1 or another vertex")]
    if found.odd.count:
        pairs = ", ".join(
            f"mate[{u}] = {mate[u]} but mate[{mate[u]}] = {mate[mate[u]]}" for u in found.odd.named
        )
        return [*checks, Check(second, False, pairs + more(found.odd))]
    checks.append(Check(second, True, counted(found.matched // 2, "pair")))
    name, missing = "pairs are edges", found.missing
    if missing.count:
        return [*checks, Check(name, False, f"not in the graph: {_mates(mate, missing)}")]
    return [*checks, Check(name, True, "every matched pair is an edge")]


def figures_of(found: Pairs) -> dict[str, float | int]:
    """Return the ``weight`` (float64 sum) and ``cardinality`` of a matching."""
    return {"weight": found.weight, "cardinality": int(found.matched) // 2}


def _mates(mate: np.ndarray, found: Found) -> str:
    return name_mates(mate, found.named) + more(found)


def more(found: Found) -> str:
    """Return how many places were not named, as the end of a sentence."""
    return f" and {found.count - NAMED} more" if found.count > NAMED else ""
