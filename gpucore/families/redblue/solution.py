"""Greedy matchings as files: as weighted ones, with the property that greedy ones have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gpucore.certify import Certificate
from gpucore.certify.reported import with_reported
from gpucore.families.matching import solution as weighted
from gpucore.families.matching.result import MatchingResult
from gpucore.families.redblue.certificate import certify_maximal
from gpucore.solutions.form import Property, only
from gpucore.solutions.match import MATCHING

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph


def _basic(graph: Graph, result: MatchingResult) -> Certificate:
    return with_reported(only(certify_maximal(graph, result.mate), MATCHING), result)


SOLUTION = replace(
    weighted.SOLUTION,
    basic=_basic,
    properties=(
        Property(
            "maximal",
            "No edge can be added.",
            lambda graph, result: certify_maximal(graph, result.mate),
        ),
    ),
    titles=(),  # a table of pairs is taken for a weighted matching
)
