"""The certificate of a b-matching, computed in parts: each rank has some rows of the graph.

A rank calls :func:`examine` on its rows. Then the ranks exchange two things: a summary of every
vertex (:class:`Summary`), and the pairs whose other end is in another part
(:attr:`Examined.away`). With them each rank calls :func:`finish`; :func:`combine` makes one
certificate of all outcomes. It is the same for any division into parts, but for the rounding of
sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.pairs import reported
from gpucore.certify.stability.form import Finding, check_form
from gpucore.certify.stability.rows import (
    Pairs,
    blocking_edges,
    heaviest_edges,
    keys_of,
    pairs_gain,
    pairs_missing,
    weights_of_pairs,
    without_partner,
    worst_pairs,
)
from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Treatment of equal weights in the test for blocking edges; "none" omits the test.
Stability = Literal["strict", "weak", "none"]

#: Every check with its text where it holds, and what stands before the offenders where it fails.
_TEXTS = {
    "well formed": ("{n} vertices, {mates} mates", ""),
    "no mate twice": ("every list of mates is ascending", "not ascending: "),
    "capacities kept": ("no vertex has more mates than it may have", "too many mates: "),
    "symmetric": ("{pairs} pairs, each at both of its ends", "only at one end: "),
    "pairs are edges": ("every matched pair is an edge", "not in the graph: "),
    "pairs gain": ("every matched edge has a weight above zero", "weight not above zero: "),
    "b-stable": ("each edge is matched, or one of its ends would not take it", "blocking edges: "),
}


@dataclass(frozen=True)
class Part:
    """Rows of a graph, and what a b-matching says about their vertices.

    Attributes
    ----------
    n : int
        Number of vertices of the whole graph.
    first : int
        The vertex of the first row.
    indptr, indices, weights : array
        Rows as in a graph, ``indptr[0] == 0``; neighbours have the numbers of the whole graph. They
        are NumPy's arrays or CuPy's.
    capacity, starts, mates : ndarray
        As in a result, of these vertices only: ``starts[0] == 0``.
    """

    n: int
    first: int
    indptr: Any
    indices: Any
    weights: Any
    capacity: np.ndarray
    starts: np.ndarray
    mates: np.ndarray

    @classmethod
    def of(
        cls,
        graph: Graph,
        capacity: np.ndarray,
        starts: np.ndarray,
        mates: np.ndarray,
        rows: tuple[int, int] | None = None,
    ) -> Part:
        """Return a part with the vertices ``rows[0]`` to ``rows[1] - 1``, or with all."""
        arrays = [np.asarray(array) for array in (capacity, starts, mates)]
        if rows is None:
            return cls(graph.num_vertices, 0, graph.indptr, graph.indices, graph.weights, *arrays)
        lo, hi = rows
        begin, end = graph.indptr[lo], graph.indptr[hi]
        lists = arrays[1][lo : hi + 1]
        return cls(
            graph.num_vertices,
            lo,
            graph.indptr[lo : hi + 1] - begin,
            graph.indices[begin:end],
            graph.weights[begin:end],
            arrays[0][lo:hi],
            lists - lists[0],
            arrays[2][lists[0] : lists[-1]],
        )

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.indptr.size - 1)


@dataclass(frozen=True)
class Summary:
    """What others need to know of each vertex of a part, or of all vertices.

    Attributes
    ----------
    worst_weight : ndarray of float32
        Weight of the worst matched edge of a vertex without room; 0 with room, and infinite where
        no mate is allowed.
    worst_mate : ndarray of int32
        The mate by that edge; -1 if there is none.
    """

    worst_weight: NDArray[np.float32]
    worst_mate: NDArray[np.int32]

    @classmethod
    def joined(cls, parts: Sequence[Summary]) -> Summary:
        """Return the summary of all vertices from those of the parts, in the vertices' order."""
        return cls(
            np.concatenate([part.worst_weight for part in parts]),
            np.concatenate([part.worst_mate for part in parts]),
        )


@dataclass(frozen=True)
class Examined:
    """What a part knows before the exchange.

    Attributes
    ----------
    summary : Summary
        Of the part's vertices.
    away : ndarray of int64, shape (pairs, 2)
        Vertex here and mate in another part; the other part needs them.
    findings : tuple of Finding
        Checks that need no other part.
    pairs : Pairs or None
        The part's pairs with their weights; None if the arrays are not well formed.
    """

    summary: Summary
    away: NDArray[np.int64]
    findings: tuple[Finding, ...]
    pairs: Pairs | None


@dataclass(frozen=True)
class Outcome:
    """A part's share of the certificate: what every rank sends to the one that combines."""

    n: int
    findings: tuple[Finding, ...]
    mates: int = 0
    pairs: int = 0
    weight: float = 0.0
    prices: float = 0.0
    heaviest: float = 0.0


def examine(part: Part) -> Examined:
    """Check what needs no other part, and return what the others need."""
    findings = check_form(part.n, part.first, part.rows, part.capacity, part.starts, part.mates)
    if any(finding.count for finding in findings):
        nothing = Summary(np.zeros(part.rows, np.float32), np.full(part.rows, -1, np.int32))
        return Examined(nothing, np.empty((0, 2), np.int64), tuple(findings), None)
    pairs = weights_of_pairs(part, keys_of(part.n, part.first, part.starts, part.mates))
    findings += [pairs_missing(pairs), pairs_gain(pairs)]
    summary = Summary(*worst_pairs(part.capacity, part.starts, pairs))
    outside = (pairs.v < part.first) | (pairs.v >= part.first + part.rows)
    away = np.stack((pairs.u[outside], pairs.v[outside]), axis=1)
    return Examined(summary, away, tuple(findings), pairs)


def finish(
    part: Part,
    examined: Examined,
    summary: Summary,
    away: NDArray[np.int64],
    *,
    stability: Stability = "strict",
) -> Outcome:
    """Check what needs all parts.

    Parameters
    ----------
    part : Part
        The rows.
    examined : Examined
        What :func:`examine` returned for them.
    summary : Summary
        Of all vertices of the graph, see :meth:`Summary.joined`.
    away : ndarray of int64, shape (pairs, 2)
        :attr:`Examined.away` of all parts, or of it the rows whose mate is in this part.
    stability : {"strict", "weak", "none"}
        See :data:`Stability`.

    Raises
    ------
    ParameterError
        If `stability` is none of the three.
    """
    check_stability(stability)
    pairs, findings = examined.pairs, list(examined.findings)
    if pairs is None:
        return Outcome(part.n, tuple(findings), mates=np.size(part.mates))
    findings.append(without_partner(part.n, part.first, part.rows, pairs, away))
    if any(finding.count for finding in findings):
        return Outcome(part.n, tuple(findings), mates=np.size(part.mates))
    if stability != "none":
        worst = (summary.worst_weight, summary.worst_mate)
        findings.append(blocking_edges(part, pairs.keys, worst, strict=stability == "strict"))
    once = pairs.u < pairs.v
    u, v, weights = pairs.u[once], pairs.v[once], pairs.weights[once].astype(np.float64)
    both = summary.worst_weight[u].astype(np.float64) + summary.worst_weight[v]
    return Outcome(
        part.n,
        tuple(findings),
        mates=pairs.v.size,
        pairs=u.size,
        weight=float(weights.sum()),
        prices=float(np.maximum(weights, both).sum()),
        heaviest=heaviest_edges(part, part.capacity),
    )


def combine(
    outcomes: Sequence[Outcome],
    *,
    stability: Stability = "strict",
    weight: float | None = None,
    cardinality: int | None = None,
) -> Certificate:
    """Return the certificate of the whole from the outcomes of all parts, in the rows' order.

    `weight` and `cardinality` are the figures that the method itself reported.
    """
    check_stability(stability)
    numbers = {"n": outcomes[0].n, "mates": sum(outcome.mates for outcome in outcomes)}
    numbers["pairs"] = numbers["mates"] // 2
    checks: list[Check] = []
    for name in _TEXTS:
        found = [f for outcome in outcomes for f in outcome.findings if f.name == name]
        if found:
            checks.append(_check(name, found, numbers))
        if checks and not checks[-1].ok:
            break
    passed = {check.name for check in checks if check.ok}
    if "pairs gain" not in passed:
        return certificate(checks, {})
    figures: dict[str, float | int] = {
        "weight": float(sum(outcome.weight for outcome in outcomes)),
        "cardinality": sum(outcome.pairs for outcome in outcomes),
    }
    if checks[-1].ok:
        figures |= _bound(figures["weight"], outcomes, stability)
        checks.append(_guarantee(figures, stability))
    if checks[-1].ok and (weight is not None or cardinality is not None):
        checks.append(reported(figures, weight, cardinality))
    return certificate(checks, figures)


def check_stability(stability: str) -> None:
    """Raise ParameterError unless it is one of the three."""
    if stability not in get_args(Stability):
        known = ", ".join(get_args(Stability))
        raise ParameterError(f"stability must be one of {known}, not {stability!r}")


def _check(name: str, findings: Sequence[Finding], numbers: dict[str, int]) -> Check:
    good, bad = _TEXTS[name]
    whole = findings[0]
    for finding in findings[1:]:
        whole = whole.joined(finding)
    if not whole.count:
        return Check(name, True, good.format(**numbers))
    return Check(name, False, bad + whole.text)


def _bound(weight: float, outcomes: Sequence[Outcome], stability: Stability) -> dict[str, float]:
    bound = sum(outcome.heaviest for outcome in outcomes) / 2.0
    if stability != "none":
        # The prices are feasible only because no edge blocks.
        bound = min(bound, sum(outcome.prices for outcome in outcomes))
    return {"upper_bound": bound, "ratio": weight / bound if bound > 0 else 1.0}


def _guarantee(figures: dict[str, float | int], stability: Stability) -> Check:
    weight, bound, ratio = figures["weight"], figures["upper_bound"], figures["ratio"]
    text = f"weight {weight:.9g}, the optimum is at most {bound:.9g}: ratio at least {ratio:.4f}"
    if stability == "none":
        return Check("bounded", True, text)
    # The bound sums the same numbers in another order, so rounding may differ.
    return Check("half-approximate", bool(ratio >= 0.5 * (1 - 1e-9)), text)
