"""What the lab on b-matching needs: runs to watch, and exercises on them.

Source of the algorithm: Khan, Pothen and others, "Efficient approximation algorithms for weighted
b-matching", SIAM J. Sci. Comput. 38(5), 2016.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import gpucore
from gpucore.families.bmatching.certificate import certify_result
from gpucore.families.bmatching.order import Kind
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.loading import load
from gpucore.params import is_number
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_matching

from ..kit import watching
from ..kit.book import exercise
from ..kit.exercises import Verdict, judge
from ..kit.lines import Line, lines
from ..kit.pictures import Picture

#: The values of b of the curves.
VALUES = tuple(range(1, 11))


@dataclass(frozen=True)
class Watched(watching.Watched):
    """A run with its graph and its record."""

    result: BMatchingResult

    def falls(self) -> list[tuple[int, int, float]]:
        """Return holder, proposer and weight of each offer that fell out, in order."""
        events = self.record.events
        which = events["kind"] == Kind.DROP
        columns = (events[name][which].tolist() for name in ("b", "c", "value"))
        return list(zip(*columns, strict=True))

    def mates(self) -> str:
        """Return the mates of every vertex, one line each."""
        rows = range(self.graph.num_vertices)
        return "\n".join(f"{v}: {_listed(self.result.mates_of(v).tolist())}" for v in rows)


def loaded(graph: Graph | str) -> Graph:
    """Return a graph, or the one of a name, with positive weights."""
    return for_matching(load(graph) if isinstance(graph, str) else graph)


def watch(
    graph: Graph | str, b: Any, *, variant: str = "eager", schedule: int | None = None
) -> Watched:
    """Run b-Suitor on the host executor and record every offer.

    Parameters
    ----------
    graph : Graph or str
        A graph, or a name that :func:`gpucore.load` understands.
    b : int, str or sequence of int
        How many mates a vertex may have.
    variant : str
        Of the kernels.
    schedule : int, optional
        Seed of a random schedule; without one, warps go one after the other.
    """
    return Watched.of("bmatching", loaded(graph), schedule, b=b, variant=variant)


def star(*weights: float) -> Graph:
    """Return vertex 0 with a neighbour for each weight: 1, 2, and so on.

    Examples
    --------
    >>> star(3, 5).neighbours(0)[0].tolist()
    [1, 2]
    """
    leaves = np.arange(1, len(weights) + 1)
    return Graph.from_edges(
        len(weights) + 1,
        np.zeros(len(weights), np.int64),
        leaves,
        np.array(weights, np.float32),
        name=f"star of {len(weights) + 1}",
    )


@exercise("bmatching/first-to-fall")
def first_to_fall(guess: Any, made: Watched) -> Verdict:
    """Answer: whose offer falls out first."""
    holder, proposer, weight = made.falls()[0]
    first = int(np.flatnonzero(made.record.events["kind"] == Kind.DROP)[0])
    story = "; ".join(made.sentence(event) for event in range(first + 1))
    because = f"The record: {story}. The worst offer goes, and here that is {weight:g}."
    mates = made.result.mates_of(holder).tolist()
    known = {mate: f"{mate} is a mate of {holder} in the end." for mate in mates}
    known[holder] = f"{holder} is the vertex that holds the offers."
    return judge(guess, proposer, because, known=known)


@exercise("bmatching/unlike-suitor")
def unlike_suitor(guess: Any, name: str) -> Verdict:
    """Answer: how many vertices have other mates by b-Suitor with b = 1 than by Suitor."""
    graph = loaded(name)
    matching: Any = gpucore.run("suitor", graph, device="host")
    made = watch(graph, 1).result
    alone = np.full(graph.num_vertices, -1)
    has = np.diff(made.starts) == 1
    alone[has] = made.mates
    truth = int(np.count_nonzero(alone != matching.mate))
    because = (
        f"Both match {made.cardinality} pairs of weight {made.weight:g}. A stack with one slot "
        "is Suitor's bid: the better offer stays, the other one goes on."
    )
    return judge(guess, truth, because)


@exercise("bmatching/results")
def results(guess: Any, runs: Sequence[Watched]) -> Verdict:
    """Answer: how many different b-matchings the runs of one graph end in."""
    ends = {made.result.starts.tobytes() + made.result.mates.tobytes() for made in runs}
    first = runs[0]
    b = first.result.capacity
    by_weight: Any = gpucore.run("bgreedy", first.graph, certify=False, b=b)
    same = np.array_equal(by_weight.mates, first.result.mates)
    falls = sorted(len(made.falls()) for made in runs)
    because = (
        f"On the way {falls[0]} to {falls[-1]} offers fell out, but a stack only exchanges an "
        "offer for a better one: whoever comes last, the best b offers stay."
    )
    if same:
        because += " It is the b-matching of the greedy algorithm, which takes edges by weight."
    known = {len(runs): "The orders of events differ, not where they end."}
    return judge(guess, len(ends), because, known=known if len(ends) == 1 else None)


def events_of(runs: Iterable[Watched]) -> str:
    """Return a table of the events of runs, one line each."""
    lines_ = [f"{'variant':10}{'taken':>8}{'refused':>9}{'fallen out':>12}{'iterations':>12}"]
    for made in runs:
        counts = [made.count(kind) for kind in (Kind.PROPOSE, Kind.OUTBID, Kind.DROP)]
        steps = len(made.record.steps["iteration"])
        row = f"{made.result.variant:10}{counts[0]:8}{counts[1]:9}{counts[2]:12}{steps:12}"
        lines_.append(row)
    return "\n".join(lines_)


@exercise("bmatching/more-falls")
def more_falls(guess: Any, eager: Watched, delayed: Watched) -> Verdict:
    """Answer: how many offers fall out in the delayed run."""
    one, other = len(eager.falls()), len(delayed.falls())
    edges = eager.result.cardinality
    because = (
        f"Eager had {one} falls. Taken less fallen is {2 * edges} in both runs, twice the {edges} "
        "matched edges. The variants differ in when a fallen offer is made again, not in the rule."
    )
    return judge(guess, other, because, known={one: "That is the eager run."})


@exercise("bmatching/part-of-weight")
def part_of_weight(guess: Any, name: str, b: int) -> Verdict:
    """Answer: the weight with this b, in percent of that of all edges."""
    weight, _, whole = curve(name)
    truth = round(100 * weight[VALUES.index(b)] / whole)
    first = weight[0] / whole
    because = (
        f"b = 1 already has {first:.0%}. Every further mate is a lighter edge, so the curve bends."
    )
    if is_number(guess) and abs(guess - truth) <= 5:
        return Verdict(True, f"It is {truth} percent. {because}")
    return judge(guess, truth, because)


def curve(name: str) -> tuple[list[float], list[float], float]:
    """Return the weights for b = 1 to 10, upper bounds of them, and the weight of all edges."""
    graph = loaded(name)
    weights, bounds = [], []
    for b in VALUES:
        result: Any = gpucore.run("bsuitor_serial", graph, certify=False, b=b)
        weights.append(result.weight)
        bounds.append(float(certify_result(graph, result).figures["upper_bound"]))
    return weights, bounds, float(graph.weights.sum(dtype=np.float64)) / 2


def against_b(*names: str) -> Picture:
    """Draw the weight against b, as a share of the weight of all edges; dashed: the upper bound."""
    drawn = {}
    for name in names:
        weights, bounds, whole = curve(name)
        drawn[name] = Line(VALUES, [weight / whole for weight in weights])
        bound = [min(1.0, bound / whole) for bound in bounds]
        drawn[f"{name}: at most"] = Line(VALUES, bound, formula=True)
    return lines(drawn, label="b", ticks=VALUES)


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers)) or "none"
