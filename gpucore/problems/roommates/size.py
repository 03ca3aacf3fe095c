"""Size of an instance of stable roommates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.format import counted
from gpucore.members import Members, first_of
from gpucore.problem import Size

if TYPE_CHECKING:
    from gpucore.problems.roommates.roommates import Roommates


def size(problem: Roommates) -> Size:
    """Return the numbers of people and pairs, and of one-sided entries that were left out."""
    people, pairs = problem.num_vertices, problem.num_edges
    purged = int(problem.source.get("purged", 0))
    numbers = {"vertices": people, "edges": pairs, "people": people, "purged": purged}
    words = f"{counted(people, 'person')}, {counted(pairs, 'pair')}"
    left_out = f", {counted(purged, 'one-sided entry')} left out" if purged else ""
    return Size(numbers, words + left_out)


def members(problem: Roommates) -> tuple[Members]:
    """Return the people."""
    return (Members("person", problem.num_vertices, problem.names, first_of(problem)),)
