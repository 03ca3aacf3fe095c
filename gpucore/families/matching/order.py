"""Order constraints between events, and chains of displacements, of the matching family.

Suitor algorithm: Manne and Halappanavar, "New effective multithreaded matching algorithms"
(IPDPS 2014), section III; on GPUs: Naim, Manne, Halappanavar, Tumeo and Langguth, "Optimizing
approximate weighted matching on Nvidia Kepler K40" (HiPC 2015), sections 2.2 and 4.

Bids at a vertex only grow, so a suitor that was displaced never returns: the pair *(target,
suitor)* names one installation.  The suitors of a target form a chain, in which each displaces
the one before; a vertex, once displaced, goes on to its next best candidate, so its own
proposals form a chain too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.matching.floors import Floors, after_floors, bid_key, rows_of
from gpucore.record.constraints import NOTHING_KNOWN, Dependencies, Lookup, pair

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.part import GraphPart


class Kind(IntEnum):
    """Kinds of the matching family's events, numbered as in ``kernels/matching.cuh``."""

    PROPOSE_FREE = 1
    DISPLACE = 2
    OUTBID = 3
    EXHAUSTED = 4
    MOVE = 5
    POINT = 6
    MATCH = 7


Events = Mapping[str, np.ndarray]


def dependencies(events: Events) -> Dependencies:
    """Return the constraints of the algorithm on the order of events.

    Parameters
    ----------
    events : mapping of str to ndarray, shape (events,)
        Columns iteration, warp, kind, a, b, c, value, in slot order.

    Returns
    -------
    Dependencies
        Installation before displacement at the same target; installation before the outbidding
        it causes, and that before the displacement; a vertex's displacement before its next
        proposal; its proposals from best to worst; the pointing of both ends before a match.
    """
    return Dependencies.of(
        [_target_chains(events), _proposer_chains(events), _moves(events), _matches(events)]
    )


def _target_chains(events: Events) -> Dependencies:
    """Order the events at each target by its suitor at the time."""
    kind, a, b, c = (events[name] for name in ("kind", "a", "b", "c"))
    installs = np.flatnonzero((kind == Kind.PROPOSE_FREE) | (kind == Kind.DISPLACE))
    displaces = np.flatnonzero(kind == Kind.DISPLACE)
    outbids = np.flatnonzero(kind == Kind.OUTBID)
    installed = Lookup(pair(b[installs], a[installs]), installs)
    displaced = Lookup(pair(b[displaces], c[displaces]), displaces)

    ended = installed.find(pair(b[displaces], c[displaces]))
    cause = installed.find(pair(b[outbids], c[outbids]))
    ending = displaced.find(pair(b[outbids], c[outbids]))
    has_ending = ending >= 0  # a last suitor is never displaced
    known, caused = ended >= 0, cause >= 0
    return Dependencies(
        before=np.concatenate([ended[known], cause[caused], outbids[has_ending]]),
        after=np.concatenate([displaces[known], outbids[caused], ending[has_ending]]),
        complete=bool(known.all() and caused.all() and installed.unique and displaced.unique),
    )


def _proposer_chains(events: Events) -> Dependencies:
    """Order a vertex's proposals from best to worst, its displacements in between.

    A vertex always proposes to the best candidate that would accept it, and it only loses
    candidates, so successive proposals get worse (weight, then number of the target).  With
    outdated bids it may propose to a lost candidate again, but in vain.  "No candidate left" comes
    last.
    """
    kind, a, b, c = (events[name] for name in ("kind", "a", "b", "c"))
    own = np.flatnonzero((kind >= Kind.PROPOSE_FREE) & (kind <= Kind.EXHAUSTED))
    last = kind[own] == Kind.EXHAUSTED
    in_vain = kind[own] == Kind.OUTBID
    worse = -events["value"][own].astype(np.float64)
    sequence = own[np.lexsort((in_vain, -b[own].astype(np.int64), worse, last, a[own]))]
    successive = a[sequence][1:] == a[sequence][:-1]
    first, second = sequence[:-1][successive], sequence[1:][successive]

    # If the first of two successive proposals installed a suitor, its displacement lies between.
    displaces = np.flatnonzero(kind == Kind.DISPLACE)
    displaced = Lookup(pair(b[displaces], c[displaces]), displaces)
    was_suitor = kind[first] != Kind.OUTBID
    end = displaced.find(pair(b[first[was_suitor]], a[first[was_suitor]]))
    known = end >= 0
    return Dependencies(
        before=np.concatenate([first, end[known]]),
        after=np.concatenate([second, second[was_suitor][known]]),
        complete=bool(known.all()),
    )


def _moves(events: Events) -> Dependencies:
    """Put the events of a vertex in its old warp before its move to the new warp.

    The receiving warp logs the move before it begins an iteration, so its own events follow by
    program order.  The warps of a block count iterations together as long as they exchange
    vertices: in the old warp, all events of earlier iterations come before.
    """
    kind, warp, iteration = events["kind"], events["warp"], events["iteration"]
    moves = np.flatnonzero(kind == Kind.MOVE)
    own = np.flatnonzero((kind >= Kind.PROPOSE_FREE) & (kind <= Kind.EXHAUSTED))
    freed = np.flatnonzero(kind == Kind.DISPLACE)
    event = np.concatenate([own, freed])
    if not len(moves) or not len(event):
        return NOTHING_KNOWN
    vertex = np.concatenate([events["a"][own], events["c"][freed]])
    sequence = np.lexsort((iteration[event], warp[event], vertex))
    event, vertex = event[sequence], vertex[sequence]
    stays, stay = np.unique(pair(vertex, warp[event]), return_inverse=True)
    where = pair(events["a"][moves], events["b"][moves])
    moved_from = np.minimum(np.searchsorted(stays, where), len(stays) - 1)
    # Both are ascending in (stay, iteration), so one search finds the last event before the move.
    span = np.int64(iteration.max()) + 2
    last = np.searchsorted(stay * span + iteration[event], moved_from * span + iteration[moves]) - 1
    known = (last >= 0) & (stays[moved_from] == where)
    known[known] = stay[last[known]] == moved_from[known]
    return Dependencies(event[last[known]], moves[known], complete=True)


def _matches(events: Events) -> Dependencies:
    """Put the POINT events of both ends before their match, and those of a vertex in rounds."""
    kind, a, b = (events[name] for name in ("kind", "a", "b"))
    points = np.flatnonzero((kind == Kind.POINT) | (kind == Kind.EXHAUSTED))
    matches = np.flatnonzero(kind == Kind.MATCH)
    sequence = points[np.lexsort((events["iteration"][points], a[points]))]
    successive = a[sequence][1:] == a[sequence][:-1]
    # The last POINT event of an end is the one that led to the match.
    final = Lookup(a[sequence][::-1].astype(np.int64), sequence[::-1])
    ends = [final.find(end[matches].astype(np.int64)) for end in (a, b)]
    known = [end >= 0 for end in ends]
    return Dependencies(
        before=np.concatenate(
            [sequence[:-1][successive]] + [e[k] for e, k in zip(ends, known, strict=True)]
        ),
        after=np.concatenate([sequence[1:][successive]] + [matches[k] for k in known]),
        complete=bool(all(k.all() for k in known)),
    )


def seen_taken(events: Events, graph: Graph | GraphPart) -> Dependencies:
    """Return what the graph adds to :func:`dependencies`: causes before what they cause.

    "No candidate left" comes after the bids, or the matches, that took the candidates; a vertex
    points to its candidate after the matches of heavier ones, and before that of the candidate.
    """
    kind, a, b, value = (events[name] for name in ("kind", "a", "b", "value"))
    matches, points = np.flatnonzero(kind == Kind.MATCH), np.flatnonzero(kind == Kind.POINT)
    exhausted = np.flatnonzero(kind == Kind.EXHAUSTED)
    matched = Lookup(np.concatenate([a[matches], b[matches]]).astype(np.int64), np.tile(matches, 2))

    which, neighbour, weight = rows_of(graph, a[exhausted])
    event, vertex = exhausted[which], a[exhausted][which]
    installs = np.flatnonzero((kind == Kind.PROPOSE_FREE) | (kind == Kind.DISPLACE))
    bids = Floors(b[installs], value[installs], a[installs], installs)
    taken = matched.find(neighbour.astype(np.int64))

    of, other, its = rows_of(graph, a[points])
    heavier = bid_key(its, other) > bid_key(value[points], b[points])[of]
    gone = matched.find(other.astype(np.int64))
    gone[~heavier] = -1
    ends = matched.find(b[points].astype(np.int64))
    return Dependencies.of(
        [
            after_floors(bids, event, neighbour, weight, vertex),
            Dependencies(taken[taken >= 0], event[taken >= 0], complete=True),
            Dependencies(gone[gone >= 0], points[of][gone >= 0], complete=True),
            Dependencies(points[ends >= 0], ends[ends >= 0], complete=True),
        ]
    )


def ties(events: Events) -> np.ndarray:
    """Return 1 for proposals whose bid is as much as that of the vertex they name; uint8.

    Of equal bids the one of the larger number wins.
    """
    kind, a, b, c, value = (events[name] for name in ("kind", "a", "b", "c", "value"))
    installs = np.flatnonzero((kind == Kind.PROPOSE_FREE) | (kind == Kind.DISPLACE))
    named = np.flatnonzero((kind == Kind.DISPLACE) | (kind == Kind.OUTBID))
    held = Lookup(pair(b[installs], a[installs]), installs).find(pair(b[named], c[named]))
    found = np.zeros(len(kind), np.uint8)
    found[named] = (held >= 0) & (value[held] == value[named])
    return found


@dataclass(frozen=True)
class Chains:
    """Chains of displacements: a proposal, the next proposal of the displaced vertex, and so on.

    Attributes
    ----------
    offsets : ndarray of int64, shape (chains + 1,)
        Chain ``i`` consists of ``events[offsets[i]:offsets[i + 1]]``, in order of time.
    events : ndarray of int64
        Event numbers; every proposal (and "no candidate left") is in exactly one chain.
    lengths : ndarray of int64, shape (chains,)
        Displacements in each chain.
    """

    offsets: np.ndarray
    events: np.ndarray
    lengths: np.ndarray

    def __len__(self) -> int:
        return len(self.lengths)

    def __getitem__(self, chain: int) -> np.ndarray:
        return self.events[self.offsets[chain] : self.offsets[chain + 1]]

    def histogram(self) -> np.ndarray:
        """Return how many chains have 0, 1, 2, ... displacements."""
        return np.bincount(self.lengths)


def suitor_chains(events: Events) -> Chains:
    """Follow every displaced or outbid vertex to its next proposal.

    Parameters
    ----------
    events : mapping of str to ndarray, shape (events,)
        Columns kind, a, c of a record, in order of time.

    Returns
    -------
    Chains
        Ordered by their first events.
    """
    kind, a, c = (events[name] for name in ("kind", "a", "c"))
    own = np.flatnonzero((kind >= Kind.PROPOSE_FREE) & (kind <= Kind.EXHAUSTED))
    count = len(own)
    # The vertex that needs a partner after the event: the displaced one, or the outbid proposer.
    goes_on = np.where(
        kind[own] == Kind.DISPLACE, c[own], np.where(kind[own] == Kind.OUTBID, a[own], -1)
    )
    searching = np.flatnonzero(goes_on >= 0)
    span = np.int64(count + 1)
    sequence = np.lexsort((np.arange(count), a[own]))
    keys = a[own][sequence].astype(np.int64) * span + sequence
    index = np.searchsorted(keys, goes_on[searching].astype(np.int64) * span + searching + 1)
    found = index < count
    found[found] = a[own][sequence[index[found]]] == goes_on[searching[found]]
    first = np.arange(count)  # first event of the chain, reached by doubling the stride
    first[sequence[index[found]]] = searching[found]
    while np.any(first[first] != first):
        first = first[first]
    by_chain = np.argsort(first, kind="stable")
    heads, begins = np.unique(first[by_chain], return_index=True)
    lengths = np.bincount(first, weights=kind[own] == Kind.DISPLACE, minlength=count)[heads]
    return Chains(
        offsets=np.append(begins, count).astype(np.int64),
        events=own[by_chain],
        lengths=lengths.astype(np.int64),
    )
