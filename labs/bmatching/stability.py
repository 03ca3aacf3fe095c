"""Stability: the exercise in which the reader says when an edge blocks a b-matching.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
section 3: greedy b-matching is a stable assignment, many to many.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import gpucore
from gpucore.problems.graph.graph import Graph
from gpucore.problems.preferences.preferences import Preferences

from ..kit.book import exercise
from ..kit.exercises import Verdict, judge
from .runs import loaded, watch

#: A reader's rule: weight of an edge, weights of the mates at each end, b; whether it blocks.
Rule = Callable[[float, list[float], list[float], int], bool]


def blocks(weight: float, mine: list[float], theirs: list[float], b: int) -> bool:
    """Return whether both ends of an edge would take it: each has room, or a worse mate."""
    return all(len(own) < b or weight > min(own) for own in (mine, theirs))


@exercise("bmatching/stability-rule")
def rule(blocking: Rule, *, graphs: int = 12) -> Verdict:
    """Compare a reader's rule with ours, on greedy b-matchings and on damaged ones.

    Parameters
    ----------
    blocking : callable
        Takes the weight of an edge that is not in the b-matching, the weights of the mates' edges
        at one end and at the other, and b; returns whether the edge blocks.
    graphs : int
        Random graphs to try, each with b = 1, 2, 3.
    """
    asked = found = 0
    for seed in range(graphs):
        graph = loaded(f"gnp:n=14,p=0.4,seed={seed + 1}")
        for b in (1, 2, 3):
            for damaged in (False, True):
                for edge in _edges(graph, b, damaged, seed):
                    weight, mine, theirs = edge
                    truth = blocks(weight, mine, theirs, b)
                    try:
                        answer = bool(blocking(weight, list(mine), list(theirs), b))
                    except (TypeError, ValueError, IndexError) as error:
                        return Verdict(False, f"Your rule failed for {_case(*edge, b)}: {error}.")
                    if answer != truth:
                        return Verdict(False, f"{_case(*edge, b)}. {_why(*edge, b)}")
                    asked, found = asked + 1, found + truth
                    if truth and not damaged:
                        return Verdict(False, f"{_case(*edge, b)} blocks a greedy b-matching.")
    return Verdict(
        True,
        f"{asked:,} edges judged as we do. {found} of them block, all in b-matchings from which we "
        "had removed an edge; no edge blocks a greedy one. Where no edge blocks, no two vertices "
        "would rather have each other: the assignment is stable.",
    )


def _edges(
    graph: Graph, b: int, damaged: bool, seed: int
) -> list[tuple[float, list[float], list[float]]]:
    """Return the edges outside of the greedy b-matching, with the mates' weights at both ends.

    From a damaged b-matching an edge was removed.
    """
    result: Any = gpucore.run("bgreedy", graph, certify=False, b=b)
    u, v, weight = graph.edges()
    chosen = np.array([b_ in result.mates_of(a) for a, b_ in zip(u, v, strict=True)], bool)
    if damaged and chosen.any():
        taken = np.flatnonzero(chosen)
        chosen[taken[seed % len(taken)]] = False
    of: list[list[float]] = [[] for _ in range(graph.num_vertices)]
    for e in np.flatnonzero(chosen).tolist():
        of[u[e]].append(float(weight[e]))
        of[v[e]].append(float(weight[e]))
    return [(float(weight[e]), of[u[e]], of[v[e]]) for e in np.flatnonzero(~chosen).tolist()]


def _case(weight: float, mine: list[float], theirs: list[float], b: int) -> str:
    return (
        f"b = {b}, an edge of weight {weight:.3g}, mates of weights {_listed(mine)} at one end and "
        f"{_listed(theirs)} at the other"
    )


def _why(weight: float, mine: list[float], theirs: list[float], b: int) -> str:
    ends = []
    for own in (mine, theirs):
        if len(own) < b:
            ends.append(f"has {len(own)} of {b} mates, so it has room")
        elif weight > min(own):
            ends.append(f"is full, but {min(own):.3g} is worse than {weight:.3g}")
        else:
            ends.append("is full of better mates")
    verdict = "it blocks" if blocks(weight, mine, theirs, b) else "it does not block"
    return f"One end {ends[0]}; the other {ends[1]}: {verdict}."


def _listed(weights: list[float]) -> str:
    return ", ".join(f"{weight:.3g}" for weight in sorted(weights, reverse=True)) or "none"


@exercise("bmatching/stability-assigned-alike")
def assigned_alike(guess: Any, name: str, b: int) -> Verdict:
    """Answer: how many vertices have other partners in the stable assignment with b places."""
    graph = loaded(name)
    made = watch(graph, b).result
    room = np.clip(b, 1, np.maximum(1, np.diff(graph.indptr))).astype(np.int32)
    instance = Preferences.from_graph(graph, man_capacity=room, woman_capacity=room)
    found: Any = gpucore.run("gale_shapley", instance, certify=False)
    truth = sum(
        sorted(found.women[found.men == v].tolist()) != made.mates_of(v).tolist()
        for v in range(graph.num_vertices)
    )
    because = (
        f"Every vertex is a resident with {b} places to fill and a hospital with {b} places, and "
        f"ranks its neighbours by weight. Gale and Shapley's method makes {len(found.men)} pairs, "
        f"each edge twice: {made.cardinality} edges. It knows ranks only, no weights."
    )
    return judge(guess, truth, because)
