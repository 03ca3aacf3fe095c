"""The certificate of a b-matching, computed in parts: each rank has some rows of the graph.

A rank calls :func:`examine` on its rows. Then the ranks exchange two things: a summary of every
vertex (:class:`~gpucore.certify.stability.part.Summary`), and the pairs whose other end is in
another part: :func:`away` makes their keys, :func:`meet` takes them. With both each rank calls
:func:`finish`; :func:`combine` makes one certificate of all outcomes. It is the same for any
division into parts, but for the rounding of sums.

All of it is array operations of NumPy or CuPy, where the rows are. Walks over entries and pairs
have temporaries of bounded size; :func:`memory_needed` counts the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Literal, get_args

import numpy as np

from gpucore.certify import Certificate, Check, certificate
from gpucore.certify.guarantee import guarantee
from gpucore.certify.pairs import chunk_of
from gpucore.certify.stability.form import (
    BLOCK,
    Finding,
    blocks,
    capacities_kept,
    no_mate_twice,
    well_formed,
)
from gpucore.certify.stability.heaviest import heaviest_edges
from gpucore.certify.stability.pairs import (
    Pairs,
    keys_of,
    pairs_gain,
    pairs_missing,
    without_partner,
    worst_pairs,
)
from gpucore.certify.stability.part import Part, Summary
from gpucore.certify.stability.rows import blocking_edges, weights_of_pairs
from gpucore.errors import ParameterError

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


@dataclass(frozen=True, eq=False)
class Examined:
    """What a part knows before the exchange.

    Attributes
    ----------
    summary : Summary
        Of the part's vertices.
    findings : tuple of Finding
        Checks that need no other part.
    pairs : Pairs or None
        The part's pairs with their weights; None if the arrays are not well formed.
    """

    summary: Summary
    findings: tuple[Finding, ...]
    pairs: Pairs | None

    @property
    def size(self) -> int:
        """Number of pairs."""
        return int(self.pairs.keys.size) if self.pairs is not None else 0


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


def memory_needed(n: int, rows: int, entries: int, mates: int, xp: ModuleType = np) -> int:
    """Return the bytes that a part's certificate needs besides the rows.

    They are 8 for each of the `n` vertices of the graph, 40 for each own vertex, 17 for each mate,
    and 64 for each entry of a chunk, or pair or vertex of a block: 2 GiB at most.
    """
    chunk = max(min(entries, chunk_of(xp)), min(max(mates, rows), BLOCK))
    return 8 * n + 40 * rows + 17 * mates + 64 * chunk


def examine(part: Part) -> Examined:
    """Check what needs no other part."""
    findings, keys = [well_formed(part)], None
    if not findings[-1].count:
        keys = keys_of(part)
        findings.append(no_mate_twice(keys))
    if not findings[-1].count:
        findings.append(capacities_kept(part))
    if keys is None or findings[-1].count:
        return Examined(Summary.empty(part.rows, part.xp), tuple(findings), None)
    pairs = Pairs(keys, weights_of_pairs(part, keys), part.xp.zeros(keys.size, bool))
    for begin, end in blocks(keys.size):
        turned, first, last = pairs.turned(part, begin, end)
        pairs.meet(part, turned[first:last])
    findings += [pairs_missing(pairs), pairs_gain(pairs)]
    return Examined(worst_pairs(part, pairs), tuple(findings), pairs)


def away(part: Part, examined: Examined, begin: int, end: int) -> Any:
    """Return the keys that other parts must have, because pairs `begin` to ``end - 1`` are here.

    Returns
    -------
    array of int64
        ``vertex << 32 | mate`` with the vertex in another part and the mate here, ascending.
    """
    if examined.pairs is None or begin >= examined.size:
        return part.xp.empty(0, np.int64)
    keys, first, last = examined.pairs.turned(part, begin, end)
    return part.xp.concatenate((keys[:first], keys[last:]))


def meet(part: Part, examined: Examined, keys: Any) -> None:
    """Take keys of another part's :func:`away`; those at vertices of other parts do not count."""
    if examined.pairs is not None:
        examined.pairs.meet(part, keys)


def finish(
    part: Part, examined: Examined, summary: Summary, *, stability: Stability = "strict"
) -> Outcome:
    """Check what needs all parts, after :func:`meet` for the keys of all other parts.

    Parameters
    ----------
    part : Part
        The rows.
    examined : Examined
        What :func:`examine` returned for them.
    summary : Summary
        Of all vertices of the graph.
    stability : {"strict", "weak", "none"}
        See :data:`Stability`.

    Raises
    ------
    ParameterError
        If `stability` is none of the three.
    """
    check_stability(stability)
    pairs, findings = examined.pairs, list(examined.findings)
    if pairs is not None:
        findings.append(without_partner(pairs))
    if pairs is None or any(finding.count for finding in findings):
        return Outcome(part.n, tuple(findings), mates=int(part.mates.size))
    if stability != "none":
        strict = stability == "strict"
        findings.append(blocking_edges(part, pairs.keys, summary, strict=strict))
    count, weight, prices = _sums(part, pairs, summary)
    return Outcome(
        part.n,
        tuple(findings),
        mates=int(part.mates.size),
        pairs=count,
        weight=weight,
        prices=prices,
        heaviest=heaviest_edges(part),
    )


def _sums(part: Part, pairs: Pairs, summary: Summary) -> tuple[int, float, float]:
    """Return number, weight and prices of the pairs whose smaller end is here."""
    count, weight, prices = 0, 0.0, 0.0
    for begin, end in blocks(pairs.keys.size):
        u, v = pairs.ends(begin, end)
        once = u < v
        u, v, weights = u[once], v[once], pairs.weights[begin:end][once].astype(np.float64)
        both = summary.worst_weight[u].astype(np.float64) + summary.worst_weight[v]
        count += int(u.size)
        weight += float(weights.sum())
        prices += float(part.xp.maximum(weights, both).sum())
    return count, weight, prices


def combine(outcomes: Sequence[Outcome], *, stability: Stability = "strict") -> Certificate:
    """Return the certificate of the whole from the outcomes of all parts, in the rows' order."""
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
    if not checks[-1].ok:
        return certificate(checks, figures)
    figures |= _bound(figures["weight"], outcomes, stability)
    return certificate(checks, figures, [guarantee(figures, stable=stability != "none")])


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
