"""What the lab on the Suitor algorithm needs: runs to watch, and exercises on them.

Source of the algorithm: Manne and Halappanavar, "New effective multithreaded matching algorithms",
IPDPS 2014, section III.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpucore.errors import WarplensError
from gpucore.families.matching.certificate import certify_matching
from gpucore.families.matching.order import Kind
from gpucore.families.matching.result import MatchingResult
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching
from gpucore.record.words import describe

from ..kit import watching
from ..kit.book import exercise
from ..kit.exercises import Verdict, judge

#: A neighbour as a reader's rule sees it: its number, the edge's weight, the best bid it holds.
Neighbour = tuple[int, float, float]
Rule = Callable[[list[Neighbour]], int | None]


@dataclass(frozen=True)
class Watched(watching.Watched):
    """A run with its graph and its record."""

    result: MatchingResult


def watch(
    graph: Graph | str, *, variant: str = "nosync", seed: int | None = None, **params: Any
) -> Watched:
    """Run the Suitor kernels on the host executor and record every proposal.

    Parameters
    ----------
    graph : Graph or str
        A graph, or a name that :func:`gpucore.load` understands.
    variant : str
        Of the kernels.
    seed : int, optional
        Of a random schedule; without one, warps go one after the other.
    **params
        Of :func:`gpucore.run`.
    """
    loaded = for_matching(load(graph) if isinstance(graph, str) else graph)
    return Watched.of("suitor", loaded, seed, variant=variant, **params)


def path(*weights: float) -> Graph:
    """Return a path whose edges have these weights, from left to right.

    Examples
    --------
    >>> path(3, 4, 5).num_vertices
    4
    """
    ends = np.arange(len(weights))
    names = f"path of {len(weights) + 1}"
    return Graph.from_edges(
        len(weights) + 1, ends, ends + 1, np.array(weights, np.float32), name=names
    )


@exercise("matching/mate-of-{vertex}")
def mate_of(guess: Any, vertex: int, made: Watched) -> Verdict:
    """Answer: the mate of a vertex of a path."""
    truth = int(made.result.mate[vertex])
    because = _because(vertex, truth, made)
    heaviest = made.graph.neighbours(vertex)
    favourite = int(heaviest[0][np.argmax(heaviest[1])])
    known = {
        favourite: f"{favourite} is at the end of its heaviest edge, but {favourite} "
        "holds a better bid."
    }
    return judge(guess, truth, because, known=known)


def _because(vertex: int, mate: int, made: Watched) -> str:
    if mate < 0:
        return f"Every neighbour of {vertex} ends with a better bid, so {vertex} stays alone (-1)."
    record = made.record
    mine = [
        describe(record, event)
        for event in range(record.num_events)
        if vertex in (record.events["a"][event], record.events["c"][event])
    ]
    return f"The record: {'; then '.join(mine)}."


@exercise("matching/displaced")
def displaced(guess: Any, made: Watched) -> Verdict:
    """Answer: how many suitors were displaced in the run."""
    proposals = made.count(Kind.PROPOSE_FREE) + made.count(Kind.DISPLACE)
    truth = made.count(Kind.DISPLACE)
    because = (
        f"Of {proposals} accepted proposals {truth} displaced a suitor, who then had to propose "
        "again. Bids only grow, so this ends."
    )
    known = {proposals: "Those are all accepted proposals; most went to vertices that were free."}
    return judge(guess, truth, because, known=known, rough=0.5)


@exercise("matching/different-matchings")
def different_matchings(guess: Any, runs: Iterable[Watched]) -> Verdict:
    """Answer: how many different matchings the runs of one graph end in."""
    all_runs = list(runs)
    truth = len({run.result.mate.tobytes() for run in all_runs})
    counts = sorted({run.count(Kind.DISPLACE) for run in all_runs})
    because = (
        f"The {len(all_runs)} ways there differ (displaced suitors: "
        f"{', '.join(map(str, counts))}), the end does not: a bid is only replaced by a better "
        "one, so whoever comes last, the best bid is the one that stays."
    )
    known = {len(all_runs): "The order of events differs in each run, but not where they end."}
    return judge(guess, truth, because, known=known)


@exercise("matching/rule")
def rule(choose: Rule, *, graphs: int = 20) -> Verdict:
    """Run the Suitor algorithm with a reader's rule, and certify the result.

    Parameters
    ----------
    choose : callable
        Takes a list of (neighbour, weight, bid that the neighbour holds), returns the neighbour to
        propose to, or None.
    graphs : int
        Small random graphs to try; the verdict names the smallest on which the rule fails.
    """
    for seed in range(graphs):
        graph = for_matching(load(f"gnp:n={4 + seed // 2},p=0.6,seed={seed}"), seed=seed)
        flaw = _tried(graph, choose, f"a graph of {graph.num_vertices} vertices (seed {seed})")
        if flaw:
            return Verdict(False, flaw)
    for seed in range(graphs):
        graph = _equal_weights(5 + seed // 2, seed)
        place = f"a graph of {graph.num_vertices} vertices with equal weights (seed {seed})"
        # Of equal edges, the first or the last: each ends well where the turns go the same way.
        flaws = [_tried(graph, choose, place, last=last) for last in (False, True)]
        if all(flaws):
            return Verdict(False, f"{flaws[0]} {_TIES}")
    return Verdict(
        True,
        f"On {2 * graphs} random graphs, half of them with equal weights, your rule ends in a "
        "certified matching. It asks of a neighbour only what the kernel asks: is my edge "
        "heavier than the bid you hold, and is it the heaviest of those?",
    )


_TIES = "An equal bid is no better one; of equal edges take always the first, or always the last."


def _tried(graph: Graph, choose: Rule, place: str, *, last: bool = False) -> str:
    """Return what is wrong where a rule was tried; empty if nothing is."""
    try:
        flaw = _flaw(graph, play(graph, choose, last=last))
    except WarplensError as error:
        return f"On {place}: {error}"
    return f"On {place} {flaw}" if flaw else ""


def _equal_weights(vertices: int, seed: int) -> Graph:
    """Return a random graph on which every choice is a tie."""
    u, v = np.triu_indices(vertices, 1)
    kept = np.random.default_rng(seed).random(len(u)) < 0.5
    u, v = u[kept], v[kept]
    return Graph.from_edges(vertices, u, v, np.ones(len(u), np.float32))


def play(graph: Graph, choose: Rule, *, last: bool = False) -> list[int]:
    """Let every vertex propose by a rule, the last or the first one first; return the suitors.

    Raises
    ------
    WarplensError
        The rule names no neighbour, or it never ends.
    """
    n = graph.num_vertices
    suitor, bid = [-1] * n, [0.0] * n
    waiting = list(range(n) if last else range(n - 1, -1, -1))
    for _ in range(4 * (graph.num_edges + n)):
        if not waiting:
            return suitor
        u = waiting.pop()
        ids, weights = graph.neighbours(u)
        offers = {int(v): float(w) for v, w in zip(ids, weights, strict=True)}
        v = choose([(v, w, bid[v]) for v, w in offers.items()])
        if v is None:
            continue
        if v not in offers:
            raise WarplensError(f"your rule chose {v!r}, which is no neighbour of {u}")
        if suitor[v] >= 0:
            waiting.append(suitor[v])
        suitor[v], bid[v] = u, offers[v]
    raise WarplensError(
        "it never ends: vertices displace each other in a circle. A proposal must be better than "
        "the bid that the neighbour holds, or bids do not grow."
    )


def _flaw(graph: Graph, suitor: list[int]) -> str | None:
    """Return what is wrong with suitors as a matching, or None."""
    for v, s in enumerate(suitor):
        if s >= 0 and suitor[s] != v:
            return (
                f"{s} is the suitor of {v}, but {v} is not the suitor of {s}: that is no matching. "
                "A vertex proposed to a neighbour that was not its heaviest one to accept."
            )
    if _dominated(graph, suitor):
        return None
    return (
        "it is a matching, but an edge is left that is heavier than the matched edges at both its "
        "ends. Its two ends should have proposed to each other."
    )


def _dominated(graph: Graph, suitor: list[int]) -> bool:
    """Return whether every edge has an end whose matched edge is at least as heavy."""
    mate = np.array(suitor, np.int32)
    if len(np.unique(graph.weights)) > 1:
        return certify_matching(graph, mate).ok
    # Among equal weights the certificate expects the kernel's order by numbers; a reader's rule
    # sees no numbers but its neighbours', so any maximal matching will do.
    u, v = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr)), graph.indices
    return bool(np.all((mate[u] >= 0) | (mate[v] >= 0)))
