"""The two runs of the equivalence page, linked step by step, and the check of the claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

import gpucore
from gpucore.device import get_device
from gpucore.errors import GraphError
from gpucore.families.marriage.equivalence import Claim, Compared, chains, lemma_31, pointer
from gpucore.families.marriage.equivalence_runs import Proposals, Rounds
from gpucore.families.marriage.order import Kind as Marries
from gpucore.families.matching.order import Kind as Suits
from gpucore.format import counted
from gpucore.problems.graph.graph import Graph
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.problems.preferences.preferences import Preferences
from gpucore.progress import Cancel, check
from gpucore.record import Record
from gpucore.record.replay import timeline_of

from ....clock import Track, align
from ....layout.rails import in_order
from ....limits import PageLimits
from ....outcomes import replay
from ....pages import get_view
from .linked import Ledger, linked_payload
from .records import Pair, Turn, chain_records, pointer_record

if TYPE_CHECKING:
    from ....outcomes.loading import Loaded

#: The pairs of runs: by proposals, or by rounds.
MODES = {"proposals": "By proposals", "rounds": "By rounds"}
#: The alignments of both sides: the first two for proposals, the last for rounds.
ALIGNMENTS = ("proposal", "look", "round")


@dataclass(frozen=True)
class PairedRuns:
    """A finished pair of runs.

    Attributes
    ----------
    message : bytes
        For :class:`app.families.marriage.equivalence.linked.Linked`.
    verdict : str
        HTML: whether the claim holds on this graph.
    """

    message: bytes
    verdict: str


#: The nouns of the proposing and of the other side.
_ON_GRAPH, _AMONG_PEOPLE = ("vertex ", "vertex "), ("man ", "woman ")


def _by_heaviest(graph: Graph, *, first: bool) -> np.ndarray:
    u, v, weight = graph.edges()
    heaviest = np.zeros(graph.num_vertices)
    for ends in (u, v):
        np.maximum.at(heaviest, ends, weight)
    return np.argsort(-heaviest if first else heaviest, kind="stable")


#: Orders of the first turns: label, and the order of a graph's vertices by seed.
ORDERS: dict[str, tuple[str, Callable[[Graph, int], np.ndarray]]] = {
    "number": ("By number", lambda graph, _: np.arange(graph.num_vertices)),
    "random": (
        "At random",
        lambda graph, seed: np.random.default_rng(seed).permutation(graph.num_vertices),
    ),
    "light": ("Light edges first: long chains", lambda graph, _: _by_heaviest(graph, first=False)),
    "heavy": ("Heavy edges first: few chains", lambda graph, _: _by_heaviest(graph, first=True)),
    "degree": (
        "Most neighbours first",
        lambda graph, _: np.argsort(-graph.degrees, kind="stable"),
    ),
}


def run_both(
    loaded: Loaded, mode: str, order: np.ndarray, limits: PageLimits, stop: Cancel
) -> PairedRuns:
    """Run both sides of a claim on a graph, and compare them.

    Parameters
    ----------
    loaded : Loaded
        A weighted graph of n vertices.
    mode : str
        One of :data:`MODES`.
    order : ndarray of int, shape (n,)
        The vertices in the order of their first turns; rounds ignore it.

    Raises
    ------
    GraphError
        No edge has a weight above 0.
    Cancelled
    """
    graph = loaded.prepared
    people = Preferences.from_graph(graph).graph()
    if not people.num_edges:
        raise GraphError("the graph has no edge of a weight above 0, so no vertex can propose")
    greedy = lemma_31(graph)
    check(stop)
    make = _proposals if mode == "proposals" else _rounds
    pair, tables, ledger, claim, summary = make(graph, people, order)
    check(stop)
    messages = [
        _message(graph, loaded.positions, pair.graph, limits),
        _message(people, _beside_mates(graph, loaded.positions, greedy), pair.people, limits),
    ]
    message = linked_payload(messages, tables, ledger, vertices=graph.num_vertices)
    return PairedRuns(message, _verdict(claim, summary, greedy))


def _message(
    graph: Graph, positions: np.ndarray | None, record: Record, limits: PageLimits
) -> bytes:
    view, timeline = get_view(record.header["family"]), timeline_of(record)
    message, refusal = replay.replay(
        view, graph, positions, record, timeline, title=graph.name or "graph", limits=limits
    )
    if refusal:
        raise GraphError(refusal)
    return message


def _beside_mates(
    graph: Graph, positions: np.ndarray | None, greedy: Compared[np.ndarray]
) -> np.ndarray | None:
    """Return places on two rails: mates beside each other, in the order in which they are drawn."""
    n = graph.num_vertices
    places = in_order((n, n))
    if places is None:
        return None
    across = np.arange(n) if positions is None else positions[:, 0]
    mate = np.where(greedy.on_graph >= 0, greedy.on_graph, np.arange(n))
    least = np.minimum(np.arange(n), mate)
    order = np.lexsort((across, least, (across + across[mate]) / 2))
    along = places[:n, 0].copy()
    places[order, 0] = places[n + order, 0] = along
    return places


Tables = dict[str, tuple[str, list[np.ndarray]]]
Shown = tuple[Pair, Tables, Ledger, "Claim", str]


def _proposals(graph: Graph, people: PreferenceGraph, order: np.ndarray) -> Shown:
    """Return Suitor beside McVitie and Wilson's algorithm."""
    found: Compared[Proposals] = chains(graph, order)
    pair, left, right = chain_records(graph, people, found, order)
    steps = min(len(left), len(right))
    ends = [side[:steps] for side in pair.ends]
    by_proposal = [np.concatenate([[0], side]).astype(np.int32) for side in ends]
    looks: np.ndarray = np.arange(pair.people.num_events + 1)
    by_look: list[np.ndarray] = [
        by_proposal[0][np.searchsorted(ends[1], looks, side="right")],
        np.array(looks),
    ]
    names = graph.names or [str(v) for v in range(graph.num_vertices)]
    on_graph = ("", "") if graph.names else _ON_GRAPH
    rows = [
        (_step(one, *on_graph, names), _step(other, *_AMONG_PEOPLE, names), one == other)
        for one, other in zip(left, right, strict=False)
    ]
    ledger = Ledger(
        "proposals",
        "Step",
        ("Suitor on the graph", "McVitie–Wilson on its men and women"),
        rows,
        (ends[0], ends[1]),
    )
    tables: Tables = {
        "proposal": ("proposal by proposal", by_proposal),
        "look": ("each look into a list", by_look),
    }
    ours, theirs = found.on_graph.steps(), found.on_preferences.steps()
    alike = sum(one == other for one, other in zip(ours, theirs, strict=False))
    displacing = int(np.count_nonzero(found.on_graph.displaced >= 0))
    summary = f"{alike:,} of {max(len(ours), len(theirs)):,} proposals alike"
    summary += f", {displacing:,} of which displace another." if displacing else "."
    return pair, tables, ledger, found.claim, summary


def _step(turn: Turn, asks: str, asked: str, names: list[str] | tuple[str, ...]) -> str:
    who = asks + names[turn.who]
    if turn.whom < 0:
        return f"{who} finds no partner"
    text = f"{who} asks {asked}{names[turn.whom]}"
    return text + (f", who leaves {asks}{names[turn.displaced]}" if turn.displaced >= 0 else "")


def _rounds(graph: Graph, people: PreferenceGraph, _: np.ndarray) -> Shown:
    """Return the pointer algorithm beside Gale and Shapley's kernel."""
    found: Compared[Rounds] = pointer(graph)
    left = pointer_record(graph, found.on_graph)
    device = get_device("host", policy="sequential")
    result = gpucore.run("marriage", people, device=device, record="events", variant="gs")
    right = result.record
    assert right is not None
    number = [np.asarray(left.events["iteration"]), np.asarray(right.events["iteration"]) // 2]
    count = max(len(found.on_graph.place), len(found.on_preferences.place))
    ends = tuple(np.searchsorted(of, np.arange(count), side="right") for of in number)
    rows = [
        (_pointing(left, ends[0], i), _proposing(right, ends[1], i), _ahead(found, i))
        for i in range(count)
    ]
    heads = "Pointers on the graph", "Gale–Shapley on its men and women"
    ledger = Ledger("rounds", "Round", heads, rows, (ends[0], ends[1]))
    tables: Tables = {"round": ("round by round", align([Track(of) for of in number], "iteration"))}
    rounds = [len(side.place) for side in (found.on_graph, found.on_preferences)]
    kept = sum(_ahead(found, i) for i in range(count))
    summary = (
        f"In {kept} of {count} rounds every man is at least as far down his list as his vertex; "
        f"{counted(rounds[0], 'round')} of pointing, {rounds[1]} of proposals."
    )
    return Pair(left, right, (ends[0], ends[1])), tables, ledger, found.claim, summary


def _ahead(found: Compared[Rounds], number: int) -> bool:
    """Return whether no vertex is ahead of its man after a round."""
    points, asks = found.on_graph.place, found.on_preferences.place
    return bool(np.all(points[min(number, len(points) - 1)] <= asks[min(number, len(asks) - 1)]))


def _counts(record: Record, ends: np.ndarray, number: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the counts of each kind of event in a round, and up to its end."""
    kind = record.events["kind"]
    begin = ends[number - 1] if number else 0
    parts = kind[begin : ends[number]], kind[: ends[number]]
    return np.bincount(parts[0], minlength=8), np.bincount(parts[1], minlength=8)


def _pointing(record: Record, ends: np.ndarray, number: int) -> str:
    now, so_far = _counts(record, ends, number)
    pointing, matched = now[Suits.POINT], now[Suits.MATCH]
    points = _does(pointing, "vertex", "point") if pointing else "no vertex points"
    more = f" ({matched} now)" if matched else ""
    return f"{points}; edges matched: {so_far[Suits.MATCH]}{more}"


def _proposing(record: Record, ends: np.ndarray, number: int) -> str:
    now, _ = _counts(record, ends, number)
    if not now[Marries.PROPOSE]:
        return "no man is left to propose"
    kinds, c = record.events["kind"][: ends[number]], record.events["c"][: ends[number]]
    couples = int(np.count_nonzero((kinds == Marries.ENGAGE) & (c < 0)))
    return (
        f"{_does(now[Marries.PROPOSE], 'man', 'propose')}; pairs engaged: {couples} "
        f"({counted(now[Marries.ENGAGE], 'acceptance')} now)"
    )


def _does(count: int, noun: str, verb: str) -> str:
    return f"{counted(count, noun)} {verb}{'s' if count == 1 else ''}"


def _verdict(claim: Claim, summary: str, greedy: Compared[np.ndarray]) -> str:
    """Return sentences with figures: whether the claim holds on this graph."""
    holds = claim.holds and greedy.claim.holds
    pairs = int(np.count_nonzero(greedy.on_preferences >= 0))
    same = int(np.count_nonzero(greedy.on_graph == greedy.on_preferences))
    edges = int(np.count_nonzero(greedy.on_graph >= 0)) // 2
    more = (
        f"The {counted(edges, 'edge')} of the greedy matching are the "
        f"{counted(pairs, 'marriage')}, each edge twice: {same:,} of "
        f"{len(greedy.on_graph):,} vertices have the mate that their man has."
        if greedy.claim.holds
        else greedy.claim.detail
    )
    style = "good" if holds else "bad"
    failed = "" if claim.holds else f" {claim.detail}."
    return (
        f'<p class="sbs-verdict {style}">{escape(summary + failed)}</p>'
        f'<p class="ws-note">{escape(more)}</p>'
    )
