"""Marriages and assignments as files, and the properties that anybody's may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.certify import Certificate
from gpucore.certify.reported import with_reported
from gpucore.families.marriage.certificate import certify_marriage
from gpucore.families.marriage.result import MarriageResult
from gpucore.members import sides
from gpucore.problems.preferences.prepare import as_preferences
from gpucore.solutions.form import Answer, Property, SolutionForm, Table, only
from gpucore.solutions.match import numbered_pairs

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.preferences import Preferences

    Problem = Preferences | Graph

#: Checks without which pairs are no marriage.
_BASIC = ("well formed", "in order", "room for all", "mutually listed")
_TITLES = (("man", "woman"), ("resident", "hospital"))


def _table(problem: Problem, result: MarriageResult, most: int | None) -> Table:
    """Return the pairs with the rank, from 1, that each gives the other."""
    one, other = sides(problem)
    preferences = as_preferences(problem)
    men, women = result.men[:most], result.women[:most]
    pairs = zip(men.tolist(), women.tolist(), strict=True)
    ranks = [preferences.rank(man, woman) or (None, None) for man, woman in pairs]
    return Table(
        "pairs",
        {
            one.noun: one.labels(men),
            other.noun: other.labels(women),
            f"rank_by_{one.noun}": [his for his, _ in ranks],
            f"rank_by_{other.noun}": [hers for _, hers in ranks],
        },
        result.men.size,
    )


def _result(problem: Problem, answer: Answer) -> MarriageResult:
    one, other = sides(problem)
    if "men" in answer.arrays and "women" in answer.arrays:
        men, women = answer.arrays["men"], answer.arrays["women"]
    else:
        men, women = numbered_pairs(answer, one, other, ((one.noun, other.noun), *_TITLES))
        order = np.lexsort((women, men))
        men, women = men[order].astype(np.int32), women[order].astype(np.int32)
    result: MarriageResult = answer.result(
        MarriageResult, men=men, women=women, num_men=one.count, num_women=other.count
    )
    return result


def _basic(problem: Problem, result: MarriageResult) -> Certificate:
    proposers = result.params.get("proposers", "men")
    found = certify_marriage(problem, result.men, result.women, proposers=proposers)
    without_pairs = {"men_mean_rank": None, "women_mean_rank": None}
    return with_reported(only(found, _BASIC), result, without_pairs | dict(found.figures))


def _best_for(side: str) -> Any:
    def certify(problem: Problem, result: MarriageResult) -> Certificate | str:
        if as_preferences(problem).has_capacities:
            return "its proof does not cover capacities"
        return certify_marriage(problem, result.men, result.women, proposers=side)  # type: ignore[arg-type]

    return certify


SOLUTION = SolutionForm(
    table=_table,
    result=_result,
    basic=_basic,
    properties=(
        Property(
            "stable",
            "No two prefer each other to what they have.",
            lambda problem, result: certify_marriage(problem, result.men, result.women),
        ),
        Property(
            "best for the first side",
            "No stable marriage gives one of them a better partner.",
            _best_for("men"),
        ),
        Property(
            "best for the second side",
            "No stable marriage gives one of them a better partner.",
            _best_for("women"),
        ),
    ),
    titles=_TITLES,
    arrays=("men", "women"),
    params=("proposers",),
    matrix=lambda problem, result: (
        (result.num_men, result.num_women),
        result.men,
        result.women,
        np.ones(result.men.size, np.int64),
    ),
)
