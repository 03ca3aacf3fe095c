"""Matchings of roommates as files, and the properties that anybody's may have.

With capacities (the parameter ``b``) a solution is one of stable fixtures, and a person may have
several mates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.certify import Certificate
from gpucore.certify.reported import with_reported
from gpucore.families.roommates.certificate import certify_roommates
from gpucore.families.roommates.fixtures import FixturesResult
from gpucore.families.roommates.fixtures_certificate import certify_fixtures
from gpucore.families.roommates.methods import check_b
from gpucore.families.roommates.result import RoommatesResult
from gpucore.members import sides
from gpucore.result import from_pairs
from gpucore.solutions.form import Answer, Property, SolutionForm, Table, only
from gpucore.solutions.match import MATE_TITLES, PAIR_TITLES, mates_of, numbered_pairs, once_each

if TYPE_CHECKING:
    from gpucore.problems.roommates.roommates import Roommates

    Found = RoommatesResult | FixturesResult

#: Checks without which mates are no matching, with and without capacities.
_BASIC = ("well formed", "cycles", "answer follows", "odd parties", "mutually listed", "capacities")


def _pairs(result: Found) -> tuple[NDArray[np.int64], NDArray[np.integer]]:
    """Return the ends of each pair, the smaller first."""
    if isinstance(result, FixturesResult):
        return result.pairs()
    one = np.flatnonzero(result.mate > np.arange(result.mate.size))
    return one, result.mate[one]


def _table(problem: Roommates, result: Found, most: int | None) -> Table:
    (members,) = sides(problem)
    one, other = _pairs(result)
    pairs = {"person": members.labels(one[:most]), "mate": members.labels(other[:most])}
    return Table("pairs", pairs, one.size)


def _result(problem: Roommates, answer: Answer) -> Found:
    """Return the result that pairs mean; without a proof that none is stable, singles are alone."""
    n, alone = problem.num_vertices, np.arange(problem.num_vertices, dtype=np.int32)
    given = answer.arrays.get("successor")
    if "b" in answer.params or "capacity" in answer.arrays:
        capacity = answer.arrays.get("capacity")
        if capacity is None:
            capacity = check_b(answer.params["b"], n)
        starts, mates = _mates(problem, answer)
        fixtures: FixturesResult = answer.result(
            FixturesResult,
            capacity=capacity,
            starts=starts,
            mates=mates,
            successor=alone if given is None else given,
        )
        return fixtures
    mate = mates_of(problem, answer)  # type: ignore[arg-type]  # it needs the number of members
    successor = np.where(mate < 0, alone, mate).astype(np.int32) if given is None else given
    result: RoommatesResult = answer.result(RoommatesResult, mate=mate, successor=successor)
    return result


def _mates(problem: Roommates, answer: Answer) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return starts and mates of pairs, each of which stands at both ends."""
    if "starts" in answer.arrays and "mates" in answer.arrays:
        return answer.arrays["starts"], answer.arrays["mates"]
    (members,) = sides(problem)
    u, v = once_each(*numbered_pairs(answer, members, members, PAIR_TITLES + MATE_TITLES))
    return from_pairs(problem.num_vertices, u, v)


def _certify(problem: Roommates, result: Found) -> Certificate:
    if isinstance(result, FixturesResult):
        return certify_fixtures(
            problem, result.capacity, result.starts, result.mates, result.successor
        )
    return certify_roommates(problem, result.mate, result.successor)


def _basic(problem: Roommates, result: Found) -> Certificate:
    found = _certify(problem, result)
    solvable = {"solvable": not found.figures.get("parties")}
    return with_reported(only(found, _BASIC), result, solvable)


def _extras(problem: Roommates, result: Found) -> dict[str, Any]:
    """Return the proof, which certifies that no matching is stable, and capacities."""
    extras = {"successor": result.successor.tolist()}
    if isinstance(result, FixturesResult):
        extras["capacity"] = result.capacity.tolist()
    return extras


def _matrix(problem: Roommates, result: Found) -> tuple[tuple[int, int], Any, Any, Any]:
    one, other = _pairs(result)
    n = problem.num_vertices
    return (n, n), other, one, np.ones(one.size, np.int64)


SOLUTION = SolutionForm(
    table=_table,
    result=_result,
    basic=_basic,
    properties=(
        Property(
            "stable",
            "No two prefer each other to their mates; or a proof shows that no matching is stable.",
            _certify,
        ),
    ),
    titles=(("person", "mate"),),
    arrays=("mate", "successor", "capacity", "starts", "mates"),
    params=("b",),
    matrix=_matrix,
    symmetric=True,
    extras=_extras,
)
