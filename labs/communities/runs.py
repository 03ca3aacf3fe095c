"""What the lab on the Louvain method needs: runs to watch, and exercises on them.

Source of the method: Blondel, Guillaume, Lambiotte, Lefebvre, "Fast unfolding of communities in
large networks", 2008; on GPUs: Naim, Manne, Halappanavar, Tumeo, IPDPS 2017.
Of Leiden: Traag, Waltman, van Eck, "From Louvain to Leiden: guaranteeing well-connected
communities", Scientific Reports 9:5233 (2019).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpucore.errors import WarplensError
from gpucore.families.communities.certificate import certify_communities
from gpucore.families.communities.hierarchy import Kind
from gpucore.families.communities.result import CommunityResult
from gpucore.families.communities.timeline import CommunityTimeline, communities_timeline
from gpucore.loading import load
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.prepare import for_communities

from ..kit import watching
from ..kit.book import exercise
from ..kit.exercises import Verdict, judge

#: A community as a reader's rule sees it: its name, the weight of the vertex's edges into it, and
#: the sum of its members' strengths (without the vertex itself).
Community = tuple[int, float, float]
Rule = Callable[[list[Community], float, float], int]

#: Gains that differ by less are equal.
CLOSE = 1e-9


@dataclass(frozen=True)
class Watched(watching.Watched):
    """A run with its graph and its record."""

    result: CommunityResult

    @property
    def timeline(self) -> CommunityTimeline:
        """States of the run, one after every event."""
        timeline = communities_timeline(self.record)
        assert isinstance(timeline, CommunityTimeline)
        return timeline


def watch(graph: Graph | str, *, variant: str = "relaxed", **params: Any) -> Watched:
    """Run the Louvain kernels on the host executor and record every move.

    Parameters
    ----------
    graph : Graph or str
        A graph, or a name that :func:`gpucore.load` understands.
    variant : str
        Of the kernels; in "relaxed" all vertices of a sweep decide at the same time.
    **params
        Of :func:`gpucore.run`.
    """
    loaded = for_communities(load(graph) if isinstance(graph, str) else graph)
    return Watched.of("louvain", loaded, variant=variant, **params)


def triangles(count: int = 2) -> Graph:
    """Return triangles in a row, each joined to the next one by an edge.

    Examples
    --------
    >>> triangles(2).num_edges
    7
    """
    corner = 3 * np.arange(count)
    u = np.concatenate([corner, corner, corner + 1, corner[:-1] + 2])
    v = np.concatenate([corner + 1, corner + 2, corner + 2, corner[1:]])
    return Graph.from_edges(3 * count, u, v, name=f"{count} triangles")


def edge() -> Graph:
    """Return two vertices and the edge between them."""
    return Graph.from_edges(2, [0], [1], name="an edge")


@exercise("communities/communities")
def communities(guess: Any, made: Watched) -> Verdict:
    """Answer: how many communities the run ends with."""
    truth, q = made.result.num_communities, made.result.modularity
    because = (
        f"With them modularity is {q:.3f}. All vertices in one community would have 0: nothing is "
        "inside that chance would not have put there."
    )
    known = {
        1: "One community has no edge outside, but it is no better than chance.",
        made.graph.num_vertices: "That is how the run begins: every vertex alone.",
    }
    return judge(guess, truth, because, known=known)


@exercise("communities/first-movers")
def first_movers(guess: Any, made: Watched) -> Verdict:
    """Answer: how many vertices move in the first sweep."""
    events = made.record.events
    steps = made.record.steps
    first = (steps["stage"] == 0) & (steps["sweep"] == steps["sweep"][0])
    mine = first[events["iteration"]]
    truth = int((mine & (events["kind"] == Kind.MOVE)).sum())
    held = int((mine & (events["kind"] == Kind.HELD)).sum())
    because = (
        f"All look at the same moment, and each would join a neighbour. But {held} had to wait: of "
        "two vertices that are both alone, only the one that goes to the smaller number may move. "
        "Otherwise they would swap places, sweep after sweep, for ever."
    )
    known = {truth + held: "That many want to; if all did, some would only swap places."}
    return judge(guess, truth, because, known=known if held else None)


@exercise("communities/contraction")
def contraction(guess: Any, made: Watched) -> Verdict:
    """Answer: the change of modularity when communities become vertices."""
    modularity = made.timeline.modularity
    merges = np.flatnonzero(made.record.events["kind"] == Kind.MERGE)
    change = float(np.abs(modularity[merges + 1] - modularity[merges]).max(initial=0.0))
    because = (
        f"In the record the largest change at a contraction is {change:g}. The edges inside become "
        "a loop, which counts at the new vertex as they did at its members: nothing is lost."
    )
    return judge(guess, 0 if change < CLOSE else 1, because)


def in_pieces(made: Watched) -> int:
    """Return how many communities of a run are not connected, by the certificate's code."""
    found = certify_communities(made.graph, made.result.community, connected=True)
    return int(found.figures["disconnected"])


@exercise("communities/pieces")
def pieces(guess: Any, made: Watched) -> Verdict:
    """Answer: how many communities of a run are in several pieces."""
    truth, count = in_pieces(made), made.result.num_communities
    because = (
        f"{truth} of {count} communities are in several pieces. A vertex that held one together "
        "moved to another community, for a gain of its own; the others stayed. Contraction then "
        "makes one vertex of the pieces, and from then on nothing can part them."
    )
    known = {0: "Look again: nothing in Louvain's rule asks whether the rest stays connected."}
    return judge(guess, truth, because, known=known)


def parts_of(made: Watched) -> str:
    """Return into how many parts a Leiden run divided the communities of its first stage."""
    first = made.record.header["stages"][0]
    joins = int((made.record.events["kind"] == Kind.JOIN).sum())
    return (
        f"{first['vertices']} vertices in {first['communities']} connected parts after the first "
        f"stage; {joins} joins in all; {in_pieces(made)} communities in pieces at the end"
    )


def busy_lanes(made: Watched) -> str:
    """Return how many of the active lanes had an edge to read."""
    warps = made.record.warps
    share = warps["edges"].sum() / max(1, warps["lane_slots"].sum())
    return f"{made.result.variant}: {share:.0%} of the lanes had an edge to look at"


@exercise("communities/rule")
def rule(choose: Rule, *, graphs: int = 12) -> Verdict:
    """Try a reader's rule on small graphs, and compare every choice with the best one.

    Parameters
    ----------
    choose : callable
        Takes a list of :data:`Community`, the vertex's strength, and the sum of all strengths;
        returns the name of the community to join.
    graphs : int
        Small random graphs to try.
    """
    for seed in range(graphs):
        graph = for_communities(load(f"gnp:n={6 + seed},p=0.45,seed={seed}"))
        try:
            flaw = _first_flaw(graph, choose)
        except WarplensError as error:
            flaw = str(error)
        if flaw:
            return Verdict(False, f"On a graph of {graph.num_vertices} vertices: {flaw}")
    return Verdict(
        True,
        f"On {graphs} random graphs your rule always found the community that raises modularity "
        "most. The kernel computes the same: the weight that is there, less the weight that chance "
        "would put there.",
    )


def _first_flaw(graph: Graph, choose: Rule, sweeps: int = 3) -> str:
    """Let every vertex choose in turn; return what is wrong with the first bad choice."""
    community = np.arange(graph.num_vertices)
    strength = np.array([graph.neighbours(v)[1].sum() for v in range(graph.num_vertices)])
    two_m = float(strength.sum())
    for vertex in np.tile(np.arange(graph.num_vertices), sweeps).tolist():
        ids, weights = graph.neighbours(vertex)
        others = np.arange(graph.num_vertices) != vertex
        offers = []
        for name in np.unique([community[vertex], *community[ids]]).tolist():
            into = float(weights[community[ids] == name].sum())
            offers.append((name, into, float(strength[others & (community == name)].sum())))
        k = float(strength[vertex])
        gains = {name: into - k * total / two_m for name, into, total in offers}
        chosen = choose(list(offers), k, two_m)
        if chosen not in gains:
            raise WarplensError(f"your rule chose {chosen!r}, which is no community near {vertex}")
        best = max(gains, key=lambda name: gains[name])
        if gains[chosen] < gains[best] - CLOSE:
            return _explain(vertex, chosen, best, offers, k, two_m)
        community[vertex] = chosen
    return ""


def _explain(
    vertex: int, chosen: int, best: int, offers: list[Community], k: float, two_m: float
) -> str:
    """Explain why one community is better for a vertex than the one that was chosen."""

    def worth(name: int) -> str:
        _, into, total = next(offer for offer in offers if offer[0] == name)
        expected = k * total / two_m
        return f"{into:g} there, {expected:.2f} by chance"

    return (
        f"vertex {vertex} chose community {chosen} ({worth(chosen)}), but {best} is better "
        f"({worth(best)}). What counts is the difference."
    )
