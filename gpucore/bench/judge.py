"""Check solutions: independent code certifies each different solution once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from gpucore.bench.harness import certified
from gpucore.bench.plan import Plan
from gpucore.bench.suite import Case, Suite

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.result import Result


def judge(
    suite: Suite,
    case: Case,
    graph: Graph,
    measurement: dict[str, Any],
    results: Sequence[Result],
    known: dict[str, Any],
    plan: Plan,
) -> None:
    """Set whether independent code accepts the solutions of a measurement.

    ``measurement["certified"]`` is False if it refuses one, None if it examined none, otherwise
    True. ``measurement["examined"]`` is the number of different solutions that it examined, of
    ``measurement["solutions"]``.

    Parameters
    ----------
    results : sequence of Result
        From :func:`gpucore.bench.harness.measure`.
    known : dict
        Known facts about the graph, updated here: ``solutions``, whether each digest was accepted,
        and ``proved``, the quality that a certificate proved to be the best.
    plan : Plan
        Its limits say what is examined.
    """
    solutions = known["solutions"]
    if not case.study or graph.num_edges <= plan.study_limit:
        first = 0 if graph.num_edges <= plan.every_limit else len(results) - 1
        for digest, result in list(zip(measurement["digests"], results, strict=True))[first:]:
            if digest not in solutions:
                solutions[digest] = _accepted(suite, case, graph, result, known, plan)
    found = [solutions[digest] for digest in measurement["digests"] if digest in solutions]
    measurement["certified"] = all(found) if found else None
    measurement["examined"] = len(found)


def _accepted(
    suite: Suite,
    case: Case,
    graph: Graph,
    result: Result,
    known: dict[str, Any],
    plan: Plan,
) -> bool:
    """Return whether independent code accepts a solution; note what it proves."""
    quality = result.figures.get(suite.quality)
    if suite.valid is not None and known.get("proved") == quality is not None:
        return suite.valid(graph, result)
    if suite.recheck is not None and graph.num_edges > plan.certify_limit:
        return suite.recheck(graph, result)
    accepted = certified(case, graph, result)
    if suite.valid is not None and accepted:
        known["proved"] = quality
    return accepted


def graph_facts(suite: Suite, graph: Graph) -> dict[str, Any]:
    """Return the facts about a graph in a results file, JSON-able."""
    facts = suite.facts(graph)
    return {
        "vertices": graph.num_vertices,
        "edges": graph.num_edges,
        # Computing them takes time, so it is done only if the family does not provide them.
        **{key: getattr(graph, key) for key in ("max_degree", "fingerprint") if key not in facts},
        "least_bytes": suite.least_bytes(graph),
        **facts,
    }
