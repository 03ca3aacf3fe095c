"""The native part of the certificate of a b-matching, ``proof/bmatching_proof.cpp``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, get_args

import numpy as np

from gpucore.certify.native import Edges, Found
from gpucore.certify.stability.form import Finding
from gpucore.certify.stability.part import Summary
from gpucore.certify.stability.parts import Outcome, Stability
from gpucore.certify.stability.rows import blocking_text
from gpucore.certify.work import block_count, prove, require_memory
from gpucore.cpu.common import choose_threads
from gpucore.cpu.task import Report, arguments, csr, layout, struct

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


_Lists = struct("Lists", "int32[] capacity, int64[] starts, int32[] mates, int64 size")


class _Proof(Report):
    """See ``Proof`` of bmatching_proof.cpp."""

    _fields_ = layout(
        "Found negative falls outside itself twice over single missing useless, Edges blocking, "
        "float64 weight prices heaviest",
        Found=Found,
        Edges=Edges,
    )


_Task = arguments(
    "proof_bmatching",
    "graph, hooks, Lists* lists, int32 stability, float32[] weight worst_weight, "
    "int32[] worst_mate, Proof* found",
    Lists=_Lists,
    Proof=_Proof,
)


def examine(
    graph: Graph,
    capacity: np.ndarray,
    starts: np.ndarray,
    mates: np.ndarray,
    stability: Stability,
) -> Outcome | None:
    """Return what native code found, as that of a part with all rows.

    Returns
    -------
    Outcome or None
        None if the arrays have other shapes or types than those of a result.
    """
    n = graph.num_vertices
    types = (capacity, np.int32, (n,)), (starts, np.int64, (n + 1,)), (mates, np.int32, mates.shape)
    if mates.ndim != 1 or any(a.dtype != kind or a.shape != shape for a, kind, shape in types):
        return None
    capacity, starts, mates = map(np.ascontiguousarray, (capacity, starts, mates))
    longest = int(np.diff(graph.indptr).max(initial=0))
    require_memory(8 * n + 4 * mates.size + 4 * longest * choose_threads(None))
    weight, worst = np.empty(mates.size, np.float32), Summary.empty(n)
    found = _Proof()
    lists = _Lists(capacity, starts, mates, mates.size)
    kind = get_args(Stability).index(stability)
    blocks = block_count(n) + block_count(mates.size + n) + 2 * block_count(graph.indices.size + n)
    task = _Task(*csr(graph), lists, kind, weight, worst.worst_weight, worst.worst_mate, found)
    prove(task, graph, blocks)
    findings = _findings(graph, found, capacity, starts, mates)
    if any(finding.count for finding in findings):
        return Outcome(n, tuple(findings), mates=mates.size)
    if stability != "none":
        findings.append(_blocking(graph, found, worst))
    return Outcome(
        n,
        tuple(findings),
        mates=mates.size,
        pairs=mates.size // 2,
        weight=found.weight * graph.unit,
        prices=found.prices * graph.unit,
        heaviest=found.heaviest * graph.unit,
    )


def _findings(
    graph: Graph, found: _Proof, capacity: np.ndarray, starts: np.ndarray, mates: np.ndarray
) -> list[Finding]:
    """Return the findings of the checks up to the first that fails."""

    def row(place: int) -> int:
        return int(np.searchsorted(starts, place, side="right")) - 1

    def vertex(place: int) -> str:
        return f"vertex {row(place)} has the mate {int(mates[place])}"

    def pair(place: int) -> str:
        return f"mate {int(mates[place])} of {row(place)}"

    def order(place: int) -> str:
        return f"vertex {row(place)} has {int(mates[place])} before {int(mates[place + 1])}"

    def over(v: int) -> str:
        count = int(starts[v + 1]) - int(starts[v])
        return f"vertex {v} has {count} and may have {int(capacity[v])}"

    form = "well formed"
    if found.negative.count:
        return [_finding(form, found.negative, lambda v: f"capacity[{v}] = {int(capacity[v])}")]
    if found.falls.count or int(starts[0]) != 0 or int(starts[-1]) != mates.size:
        text = f"starts do not ascend from 0 to the number of mates, {mates.size}"
        return [Finding(form, 1, (text,))]
    findings = [_finding(form, found.outside if found.outside.count else found.itself, vertex)]
    checks: tuple[tuple[str, Found, Callable[[int], str]], ...] = (
        ("no mate twice", found.twice, order),
        ("capacities kept", found.over, over),
    )
    for name, places, text_of in checks:
        if findings[-1].count:
            return findings
        findings.append(_finding(name, places, text_of))
    if not findings[-1].count:
        findings.append(_finding("pairs are edges", found.missing, pair))
        findings.append(_finding("pairs gain", found.useless, pair))
        findings.append(_finding("symmetric", found.single, pair))
    return findings


def _finding(name: str, found: Found, text: Callable[[int], str]) -> Finding:
    return Finding(name, int(found.count), tuple(text(int(at)) for at in found.named))


def _blocking(graph: Graph, found: _Proof, worst: Summary) -> Finding:
    named = tuple(
        blocking_text(u, int(graph.indices[entry]), float(graph.weights[entry]), worst)
        for u, entry in found.blocking.named
    )
    return Finding("b-stable", int(found.blocking.entries.count), named)
