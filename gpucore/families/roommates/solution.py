"""Matchings of roommates as files, and the properties that anybody's may have."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.certify import Certificate
from gpucore.certify.reported import with_reported
from gpucore.families.roommates.certificate import certify_roommates
from gpucore.families.roommates.result import RoommatesResult
from gpucore.members import sides
from gpucore.solutions.form import Answer, Property, SolutionForm, Table, only
from gpucore.solutions.match import mates_of

if TYPE_CHECKING:
    from gpucore.problems.roommates.roommates import Roommates

#: Checks without which mates are no matching.
_BASIC = ("well formed", "cycles", "answer follows", "mutually listed")


def _table(problem: Roommates, result: RoommatesResult, most: int | None) -> Table:
    (members,) = sides(problem)
    one = np.flatnonzero(result.mate > np.arange(result.mate.size))
    other = result.mate[one]
    pairs = {"person": members.labels(one[:most]), "mate": members.labels(other[:most])}
    return Table("pairs", pairs, one.size)


def _result(problem: Roommates, answer: Answer) -> RoommatesResult:
    """Return the result that pairs mean; without a proof that none is stable, singles are alone."""
    n = problem.num_vertices
    mate = mates_of(problem, answer)  # type: ignore[arg-type]  # it needs the number of members
    given = answer.arrays.get("successor")
    if given is None:
        successor = np.where(mate < 0, np.arange(n), mate).astype(np.int32)
    else:
        successor = given
    result: RoommatesResult = answer.result(RoommatesResult, mate=mate, successor=successor)
    return result


def _certify(problem: Roommates, result: RoommatesResult) -> Certificate:
    return certify_roommates(problem, result.mate, result.successor)


def _basic(problem: Roommates, result: RoommatesResult) -> Certificate:
    found = _certify(problem, result)
    solvable = {"solvable": not found.figures.get("parties")}
    return with_reported(only(found, _BASIC), result, solvable)


def _extras(problem: Roommates, result: RoommatesResult) -> dict[str, Any]:
    return {"successor": result.successor.tolist()}


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
    arrays=("mate", "successor"),
    matrix=lambda problem, result: _matrix(result),
    symmetric=True,
    extras=_extras,
)


def _matrix(result: RoommatesResult) -> tuple[tuple[int, int], Any, Any, Any]:
    n = result.mate.size
    one = np.flatnonzero(result.mate > np.arange(n))
    return (n, n), result.mate[one], one, np.ones(one.size, np.int64)
