"""Size of an instance of stable roommates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.format import counted
from gpucore.members import Members, first_of
from gpucore.problem import Size

if TYPE_CHECKING:
    from gpucore.problems.roommates.roommates import Roommates


def size(problem: Roommates) -> Size:
    """Return the numbers of persons and pairs, and of one-sided entries that were left out."""
    persons, pairs = problem.num_vertices, problem.num_edges
    purged = int(problem.source.get("purged", 0))
    numbers = {"vertices": persons, "edges": pairs, "persons": persons, "purged": purged}
    words = f"{counted(persons, 'person')}, {counted(pairs, 'pair')}"
    left_out = f", {counted(purged, 'one-sided entry')} left out" if purged else ""
    return Size(numbers, words + left_out)


def members(problem: Roommates) -> tuple[Members]:
    """Return the persons."""
    return (Members("person", problem.num_vertices, problem.names, first_of(problem)),)
