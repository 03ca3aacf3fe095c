"""Greedy matchings as files, and the properties that anybody's matching may have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.certify import Certificate
from gpucore.certify.reported import with_reported
from gpucore.families.matching.result import MatchingResult
from gpucore.families.redblue.certificate import certify_maximal
from gpucore.solutions.form import Answer, Property, SolutionForm, only
from gpucore.solutions.match import MATCHING, matching_matrix, matching_table, mates_of

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


def _result(graph: Graph, answer: Answer) -> MatchingResult:
    result: MatchingResult = answer.result(MatchingResult, mate=mates_of(graph, answer))
    return result


def _basic(graph: Graph, result: MatchingResult) -> Certificate:
    return with_reported(only(certify_maximal(graph, result.mate), MATCHING), result)


SOLUTION = SolutionForm(
    table=lambda graph, result, most: matching_table(graph, result.mate, most),
    result=_result,
    basic=_basic,
    properties=(
        Property(
            "maximal",
            "No edge can be added.",
            lambda graph, result: certify_maximal(graph, result.mate),
        ),
    ),
    arrays=("mate",),
    matrix=lambda graph, result: matching_matrix(graph, result.mate),
    symmetric=True,
)
