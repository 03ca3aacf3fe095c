"""Other problems that proposals solve: greedy matchings, hospitals, stable roommates.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
sections 2.1 and 3.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import gpucore
from gpucore.errors import WarplensError
from gpucore.families.marriage import equivalence
from gpucore.families.roommates.certificate import certify_result
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.roommates.roommates import Roommates

from ..kit.book import exercise
from ..kit.exercises import Verdict, judge
from .runs import marry, name_of


def beside(graph: Graph) -> str:
    """Return Suitor's proposals and those of McVitie and Wilson, line by line beside each other."""
    found = equivalence.chains(graph)
    left = [_sentence(step, "", "") for step in found.on_graph.steps()]
    right = [_sentence(step, "man ", "woman ") for step in found.on_preferences.steps()]
    lines = [f"{'Suitor, on the graph':34}McVitie and Wilson, on lists"]
    for i in range(max(len(left), len(right))):
        one, other = (side[i] if i < len(side) else "" for side in (left, right))
        lines.append(f"{one:34}{other}")
    return "\n".join(lines)


def _sentence(step: tuple[int, int, int], proposer: str, receiver: str) -> str:
    a, b, left = step
    return f"{proposer}{a} asks {receiver}{b}" + (f", who leaves {proposer}{left}" * (left >= 0))


@exercise("marriage/greedy-proposals")
def proposals(guess: Any, graph: Graph) -> Verdict:
    """Answer: how many proposals McVitie and Wilson's men make on a graph's instance."""
    truth = int(equivalence.chains(graph).on_preferences.proposer.size)
    because = (
        f"Suitor makes {suitor_proposals(graph)}. There are twice as many people as vertices, but "
        "a vertex proposes as its man does, and listens as its woman does. Nothing happens twice."
    )
    return judge(guess, truth, because, known={2 * truth: "Only the men propose."})


def suitor_proposals(graph: Graph) -> int:
    """Return how many proposals Suitor makes on a graph, vertex by vertex."""
    return int(equivalence.chains(graph).on_graph.proposer.size)


def claims(name: str) -> str:
    """Run the claims of section 3 on a graph; return a line for each."""
    graph = for_matching(load(name))
    return "\n".join(
        f"{'holds' if claim.holds else 'FAILS'}  {claim.title} ({claim.detail})"
        for claim in equivalence.claims(graph)
    )


def placed(preferences: Preferences) -> str:
    """Return the assignment, one line for each hospital."""
    made, men = marry(preferences), preferences.num_men
    room = preferences.woman_capacity
    lines = []
    for woman in range(preferences.num_women):
        guests = [name_of(preferences, m) for m in made.men[made.women == woman].tolist()]
        places = 1 if room is None else int(room[woman])
        parts = ", ".join(guests) or "nobody"
        lines.append(f"{name_of(preferences, men + woman)} ({places} places): {parts}")
    return "\n".join(lines)


@exercise("marriage/greedy-first-choices")
def first_choices(guess: Any, preferences: Preferences) -> Verdict:
    """Answer: how many residents get the first hospital of their list."""
    made = marry(preferences)
    parts, truth = [], 0
    for man, woman in zip(made.men.tolist(), made.women.tolist(), strict=True):
        ranks = preferences.rank(man, woman)
        assert ranks is not None
        truth += ranks[0] == 1
        parts.append(f"{name_of(preferences, man)} number {ranks[0]}")
    because = (
        f"Choices they get: {', '.join(parts)}. The lists were "
        f"purged of {preferences.source['purged']} entries first: a resident and a hospital must "
        "list each other."
    )
    return judge(guess, truth, because)


def quartet(last: Sequence[int] = (0, 1, 2)) -> Roommates:
    """Return four people: three who prefer each other in a circle, and one whom all rank last."""
    return Roommates.from_lists([[1, 2, 3], [2, 0, 3], [0, 1, 3], list(last)], name="quartet")


@exercise("marriage/greedy-stable-rooms")
def stable_rooms(guess: Any, problem: Roommates) -> Verdict:
    """Answer: how many of the three ways to pair four people are stable."""
    truth, parts = 0, []
    for mates in ((1, 0, 3, 2), (2, 3, 0, 1), (3, 2, 1, 0)):
        pair = _blocking(problem, mates)
        truth += pair is None
        rooms = ", ".join(f"{a} with {b}" for a, b in enumerate(mates) if a < b)
        parts.append(
            f"{rooms}: " + ("stable" if pair is None else f"{pair[0]} and {pair[1]} leave")
        )
    found: Any = gpucore.run("irving", problem, certify=False)
    if found.solvable != (truth > 0):
        raise WarplensError("Irving's algorithm and the trial of all ways do not agree")
    proof = certify_result(problem, found)
    answer = next(check.detail for check in proof.checks if check.name == "answer follows")
    because = f"{'; '.join(parts)}. Irving's algorithm need not try them all: it finds {answer}."
    return judge(guess, truth, because, known={1: "With men and women there always is one."})


def _blocking(problem: Roommates, mates: Sequence[int]) -> tuple[int, int] | None:
    """Return two people who would rather share with each other than with their mates."""
    lists = problem.lists()
    ranks = [{other: place for place, other in enumerate(row)} for row in lists]
    worst = np.iinfo(np.int64).max
    for a, row in enumerate(lists):
        for b in row:
            mine, theirs = (ranks[x].get(mates[x], worst) for x in (a, b))
            if ranks[a][b] < mine and ranks[b][a] < theirs:
                return a, b
    return None
