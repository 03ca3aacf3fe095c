"""Weighted matchings as files, and the properties that anybody's matching may have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.certify import Certificate
from gpucore.certify.reported import with_reported
from gpucore.families.matching.certificate import certify_matching
from gpucore.families.matching.result import MatchingResult
from gpucore.solutions.form import Answer, Property, SolutionForm, only
from gpucore.solutions.match import (
    MATCHING,
    MATE_TITLES,
    PAIR_TITLES,
    heaviest,
    matching_matrix,
    matching_table,
    mates_of,
    maximal,
    several_mates,
)

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


def _result(graph: Graph, answer: Answer) -> MatchingResult:
    result: MatchingResult = answer.result(MatchingResult, mate=mates_of(graph, answer))
    return result


def _basic(graph: Graph, result: MatchingResult) -> Certificate:
    found = only(certify_matching(graph, result.mate, dominance="none"), MATCHING)
    return with_reported(found, result)


def _heaviest(graph: Graph, result: MatchingResult) -> Certificate | str:
    found = certify_matching(graph, result.mate, dominance="none")
    return heaviest(graph, found.figures["weight"], found.figures.get("ratio", 0.0))


SOLUTION = SolutionForm(
    table=lambda graph, result, most: matching_table(graph, result.mate, most),
    result=_result,
    basic=_basic,
    properties=(
        Property(
            "maximal",
            "No edge can be added.",
            lambda graph, result: maximal(graph, result.mate >= 0),
        ),
        Property(
            "locally dominant",
            "No edge outranks the pairs at both of its ends, in the order by weight, then by "
            "vertex numbers. Such a matching weighs at least half of a heaviest one.",
            lambda graph, result: certify_matching(graph, result.mate),
        ),
        Property(
            "locally dominant by weight",
            "No edge is heavier than the pairs at both of its ends.",
            lambda graph, result: certify_matching(graph, result.mate, dominance="weak"),
        ),
        Property("heaviest", "No matching weighs more.", _heaviest),
    ),
    titles=(*PAIR_TITLES, *MATE_TITLES),
    arrays=("mate",),
    doubt=several_mates,
    matrix=lambda graph, result: matching_matrix(graph, result.mate),
    symmetric=True,
)
