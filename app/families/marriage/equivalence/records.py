"""Records of the sequential runs of :mod:`gpucore.families.marriage.equivalence`.

Lanes of kernels propose at the same time, in a different order on each side, so their records
cannot be linked step by step. The records here are of the runs on which the claims are checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.marriage.order import Kind as Marries
from gpucore.families.marriage.record import marriage_record
from gpucore.families.matching.order import Kind as Suits
from gpucore.families.matching.record import matching_record
from gpucore.problems.graph.graph import Graph
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.record import Record
from gpucore.record.recorder import RawRecord

if TYPE_CHECKING:
    from gpucore.families.marriage.equivalence import Compared
    from gpucore.families.marriage.equivalence_runs import Proposals, Rounds
    from gpucore.problems.preferences.preferences import Preferences

#: An event: step, kind, a, b, c, value and batch.
Row = tuple[int, int, int, int, int, float, int]

_DEVICE = {"name": "one step after the other"}


@dataclass(frozen=True)
class Turn:
    """One step of a chain: a proposal, or the end of a list.

    Attributes
    ----------
    who, whom, displaced : int
        `whom` is -1 at the end of a list, `displaced` if no one is displaced.
    """

    who: int
    whom: int
    displaced: int


@dataclass(frozen=True)
class Pair:
    """Two records of one computation, and the events that correspond.

    Attributes
    ----------
    graph : Record
        Record of the weighted graph.
    people : Record
        Record of its instance of stable marriage.
    ends : tuple of ndarray of int64, shape (steps,) each
        Number of events of each record after each common step.
    """

    graph: Record
    people: Record
    ends: tuple[np.ndarray, np.ndarray]


def turns(proposals: Proposals, order: np.ndarray) -> list[Turn]:
    """Return the proposals, and between them the ends of lists."""
    chains: dict[int, list[tuple[int, int, int]]] = {}
    for step, turn in zip(proposals.steps(), proposals.turn.tolist(), strict=True):
        chains.setdefault(turn, []).append(step)
    found = []
    for turn in order.tolist():
        current = turn
        for step in chains.get(turn, ()):
            found.append(Turn(*step))
            current = step[2]
        if current >= 0:
            found.append(Turn(current, -1, -1))
    return found


def chain_records(
    graph: Graph, people: PreferenceGraph, chains: Compared[Proposals], order: np.ndarray
) -> tuple[Pair, list[Turn], list[Turn]]:
    """Return Suitor beside McVitie and Wilson's algorithm, in steps of one proposal.

    Returns
    -------
    pair : Pair
    left, right : list of Turn
        The steps of each side.
    """
    left, right = (turns(side, order) for side in (chains.on_graph, chains.on_preferences))
    suitor = list(_suitor_rows(graph, left))
    wilson = list(_wilson_rows(people.preferences, right))
    ends = _last(suitor, len(left)), _last(wilson, len(right))
    holder = np.full(graph.num_vertices, -1, np.int32)
    husband = np.full(graph.num_vertices, -1, np.int32)
    for side, who in ((left, holder), (right, husband)):
        for turn in side:
            if turn.whom >= 0:
                who[turn.whom] = turn.who
    wife = np.full(graph.num_vertices, -1, np.int32)
    wife[husband[husband >= 0]] = np.flatnonzero(husband >= 0)
    records = (
        _of_graph(graph, suitor, "suitor", holder),
        _of_people(people, wilson, "mw", wife),
    )
    return Pair(*records, ends), left, right


def _last(rows: list[Row], steps: int) -> np.ndarray:
    """Return the number of events up to the end of each step."""
    return np.searchsorted([row[0] for row in rows], np.arange(steps), side="right")


def _suitor_rows(graph: Graph, steps: list[Turn]) -> Iterator[Row]:
    weights = _weights(graph)
    for step, turn in enumerate(steps):
        if turn.whom < 0:
            yield step, Suits.EXHAUSTED, turn.who, -1, -1, 0.0, 0
            continue
        kind = Suits.DISPLACE if turn.displaced >= 0 else Suits.PROPOSE_FREE
        weight = weights[turn.who, turn.whom]
        yield step, kind, turn.who, turn.whom, turn.displaced, weight, 0


def _wilson_rows(lists: Preferences, steps: list[Turn]) -> Iterator[Row]:
    """Yield events; SKIP events belong to the proposal that follows."""
    begin, women, her_rank = (
        array.tolist() for array in (lists.indptr, lists.women, lists.her_rank)
    )
    men, at = lists.num_men, begin[:-1]
    for step, turn in enumerate(steps):
        man, end = turn.who, begin[turn.who + 1]
        while at[man] < end and women[at[man]] != turn.whom:
            place = at[man]
            who = (man, men + women[place], -1)
            yield step, Marries.SKIP, *who, float(place - begin[man] + 1), her_rank[place]
            at[man] += 1
        place = at[man]
        at[man] += 1
        if turn.whom < 0:
            yield step, Marries.ALONE, man, -1, -1, 0.0, 0
            continue
        who = (man, men + turn.whom, turn.displaced)
        yield step, Marries.ENGAGE, *who, float(place - begin[man] + 1), her_rank[place]


def pointer_record(graph: Graph, rounds: Rounds) -> Record:
    """Return the record of the pointer algorithm in rounds."""
    weights = _weights(graph)
    lists: list[list[int]] = [[] for _ in range(graph.num_vertices)]
    for (v, u), weight in sorted(weights.items(), key=lambda item: (-item[1], -item[0][1])):
        if weight > 0 and u != v:
            lists[v].append(u)
    mate = np.full(graph.num_vertices, -1, np.int32)
    before = np.zeros(graph.num_vertices, np.int32)
    rows: list[Row] = []
    for number, place in enumerate(rounds.place):
        points = [
            row[at - 1] if at <= len(row) else -1 for row, at in zip(lists, place, strict=True)
        ]
        moved = np.flatnonzero(place != before).tolist()
        for v in moved:
            u = points[v]
            kind = Suits.POINT if u >= 0 else Suits.EXHAUSTED
            rows.append((number, kind, v, u, -1, weights.get((v, u), 0.0), 0))
        for v in moved:
            u = points[v]
            if u >= 0 and points[u] == v and mate[v] < 0:
                mate[v], mate[u] = u, v
                rows.append((number, Suits.MATCH, min(u, v), max(u, v), -1, weights[v, u], 1))
        before = place
    return _of_graph(graph, rows, "ld", mate)


def _weights(graph: Graph) -> dict[tuple[int, int], float]:
    u, v, weight = (array.tolist() for array in graph.edges())
    found = dict(zip(zip(u, v, strict=True), weight, strict=True))
    return found | dict(zip(zip(v, u, strict=True), weight, strict=True))


def _of_graph(graph: Graph, rows: list[Row], algorithm: str, holder: np.ndarray) -> Record:
    weights = _weights(graph)
    bid = [weights[int(s), v] if s >= 0 else 0.0 for v, s in enumerate(holder)]
    made = matching_record(
        _raw(rows),
        graph,
        algorithm=algorithm,
        params={"variant": "sequential"},
        device=_DEVICE,
        suitor=holder,
        bid=np.array(bid, np.float32),
    )
    assert made is not None
    return made


def _of_people(people: PreferenceGraph, rows: list[Row], variant: str, wife: np.ndarray) -> Record:
    params = {"variant": variant, "proposers": "men"}
    about: dict[str, Any] = {"params": params, "device": _DEVICE, "rounds": ()}
    made = marriage_record(_raw(rows), people, algorithm="marriage", wife=wife, **about)
    assert made is not None
    return made


def _raw(rows: list[Row]) -> RawRecord:
    """Return events in the form that kernels write: one warp, one lane."""
    words = np.zeros((len(rows), 8), np.int32)
    for column, word in ((0, 0), (1, 2), (2, 3), (3, 4), (4, 5), (6, 7)):
        words[:, word] = [row[column] for row in rows]
    words[:, 6] = np.array([row[5] for row in rows], np.float32).view(np.int32)
    return RawRecord(
        level="events",
        rows=np.zeros((0, 1, 8), np.uint32),
        iterations=np.zeros(1, np.int64),
        events=words.view(np.uint32),
        lost_events=0,
        merged_rows=0,
        times=np.arange(len(rows), dtype=np.uint64),
        clock="steps",
    )
