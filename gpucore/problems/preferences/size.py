"""Size of an instance of stable marriage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.format import counted
from gpucore.members import Members, sides, two_sides
from gpucore.problem import Size
from gpucore.problems.preferences.prepare import as_preferences

if TYPE_CHECKING:
    from gpucore.problems.preferences.graph import PreferenceGraph
    from gpucore.problems.preferences.preferences import Preferences


def size(problem: Preferences | PreferenceGraph) -> Size:
    """Return the numbers of men, women and pairs, and of one-sided entries that were left out."""
    given = as_preferences(problem)
    numbers = {
        "vertices": problem.num_vertices,
        "edges": problem.num_edges,
        "men": given.num_men,
        "women": given.num_women,
    }
    people = ", ".join(counted(side.count, side.noun) for side in sides(problem))
    words = f"{people}, {counted(problem.num_edges, 'pair')}"
    if "purged" in given.source:
        numbers["purged"] = purged = int(given.source["purged"])
        words += f", {counted(purged, 'one-sided entry')} left out" if purged else ""
    return Size(numbers, words)


def members(problem: Preferences | PreferenceGraph) -> tuple[Members, Members]:
    """Return both sides, in the words of the instance."""
    given = as_preferences(problem)
    one, other = given.source.get("sides", ("man", "woman"))
    if [step["step"] for step in given.source.get("prepared", ())].count("swapped") % 2:
        one, other = other, one
    return two_sides(given, (one, given.num_men), (other, given.num_women))
