"""Check solutions: independent code certifies each different solution once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.bench.harness import certified
from gpucore.bench.suite import Case, Suite

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.result import Result


def judge(
    suite: Suite,
    case: Case,
    graph: Graph,
    measurement: dict[str, Any],
    result: Result,
    known: dict[str, Any],
    certify_limit: float,
    study_limit: float = 0.0,
) -> None:
    """Set ``measurement["certified"]``: whether independent code accepts the solution.

    It is None for a solution that only studies found, on a graph of more edges than `study_limit`.

    Parameters
    ----------
    known : dict
        Known facts about the graph, updated here: ``solutions``, whether each digest was accepted,
        and ``proved``, the quality that a certificate proved to be the best.
    certify_limit : float
        Edges above which a family's quicker proof, if it has one, is enough.
    study_limit : float
        Edges above which solutions of studies are not examined.
    """
    digest = measurement["digest"]
    solutions = known["solutions"]
    wanted = not case.study or graph.num_edges <= study_limit
    if digest not in solutions and wanted:
        quality = result.figures.get(suite.quality)
        if suite.valid is not None and known.get("proved") == quality is not None:
            solutions[digest] = suite.valid(graph, result)
        elif suite.recheck is not None and graph.num_edges > certify_limit:
            solutions[digest] = suite.recheck(graph, result)
        else:
            solutions[digest] = certified(case, graph, result)
            if suite.valid is not None and solutions[digest]:
                known["proved"] = quality
    measurement["certified"] = solutions.get(digest)


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
