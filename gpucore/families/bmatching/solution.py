"""b-matchings as files, and the properties that anybody's b-matching may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.certify import Certificate
from gpucore.certify.reported import with_reported
from gpucore.errors import ParameterError
from gpucore.families.bmatching.capacity import capacities
from gpucore.families.bmatching.certificate import certify_bmatching, certify_result
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.members import sides
from gpucore.result import from_pairs
from gpucore.solutions.form import Answer, NotASolution, Property, SolutionForm, Table, only
from gpucore.solutions.match import PAIR_TITLES, numbered_pairs, once_each, pairs_table, weights_of

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Checks without which mates are no b-matching.
_BASIC = (
    "capacities as asked",
    "well formed",
    "no mate twice",
    "capacities kept",
    "symmetric",
    "pairs are edges",
)


def _table(graph: Graph, result: BMatchingResult, most: int | None) -> Table:
    return pairs_table(graph, *result.pairs(), most)


def _matrix(graph: Graph, result: BMatchingResult) -> tuple[tuple[int, int], Any, Any, Any]:
    u, v = result.pairs()
    return (graph.num_vertices, graph.num_vertices), v, u, weights_of(graph, u, v)


def _result(graph: Graph, answer: Answer) -> BMatchingResult:
    """Return the result that pairs mean; b comes from the file's parameters, or from the caller."""
    capacity = answer.arrays.get("capacity")
    if capacity is None:
        b = answer.params.get("b")
        if b is None:
            raise ParameterError(
                f"{answer.name} does not say how many mates a vertex may have; give it by -p b=..."
            )
        capacity = capacities(graph, b)
    if "mates" in answer.arrays and "starts" in answer.arrays:
        starts, mates = answer.arrays["starts"], answer.arrays["mates"]
    else:
        (members,) = sides(graph)
        u, v = numbered_pairs(answer, members, members, PAIR_TITLES)
        if (u == v).any():
            name = members.labels(u[u == v][:1])[0]
            raise NotASolution("mutual", f"{members.noun} {name} is its own mate")
        starts, mates = from_pairs(graph.num_vertices, *once_each(u, v))
    result: BMatchingResult = answer.result(
        BMatchingResult, capacity=np.asarray(capacity, np.int32), starts=starts, mates=mates
    )
    return result


def _basic(graph: Graph, result: BMatchingResult) -> Certificate:
    first = certify_result(graph, result, stability="none")
    return with_reported(only(first, _BASIC), result)


def _certified(stability: Any) -> Any:
    def certify(graph: Graph, result: BMatchingResult) -> Certificate:
        return certify_bmatching(
            graph, result.capacity, result.starts, result.mates, stability=stability
        )

    return certify


SOLUTION = SolutionForm(
    table=_table,
    result=_result,
    basic=_basic,
    properties=(
        Property(
            "b-stable",
            "No edge outranks the weakest pair at both of its ends, in the order by weight, then "
            "by vertex numbers. Such a b-matching weighs at least half of a heaviest one.",
            _certified("strict"),
        ),
        Property(
            "b-stable by weight",
            "No edge is heavier than the weakest pair at both of its ends.",
            _certified("weak"),
        ),
    ),
    titles=PAIR_TITLES,
    arrays=("capacity", "starts", "mates"),
    params=("b",),
    needs=("b",),
    matrix=_matrix,
    symmetric=True,
    extras=lambda graph, result: {"capacity": result.capacity.tolist()},
)
