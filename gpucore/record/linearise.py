"""Put logged events into an order in which they can have happened.

A kernel draws an event's slot *after* the atomic operation that the event describes, so two
operations on one target may be logged in the opposite order of their execution. Only a partial
order is certain:

* a warp's batches (events of one warp instruction) are ordered; within a batch
  lanes are unordered, but the events of one lane are in the order of their slots (where lanes have
  diverged, a batch may be a whole loop);
* the record's kind adds pairs *(before, after)* of events: what is displaced must have been
  installed before, for instance.

The true order satisfies both, so a consistent order exists. Two steps find one.

1. *Settle*, vectorised: give every event the largest slot among itself and all events that must
   precede it, by passing slots along the constraints until nothing changes.  Only operations in
   flight at the same time can be out of order, so a few rounds suffice.
2. *Repair*: sort by settled slot; where constraints are still broken (among events that share
   one settled slot, or if step 1 was cut short), sort the stretch between the two ends
   topologically (Kahn 1962, with a heap: the earliest position first).

Step 2 alone is correct; step 1 keeps its stretches short. If events were lost or the constraints
contradict each other, the order satisfies the constraints where it can, and is marked inexact.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass

import numpy as np

#: Largest number of rounds of settling; the repair does the rest.
SETTLE_ROUNDS = 64


@dataclass(frozen=True)
class Constraints:
    """Pairs of nodes; the first of a pair must come before the second.

    Attributes
    ----------
    before, after : ndarray of int64, shape (pairs,)
        Node numbers.  Nodes below the number of events are events; others are helpers, which
        express "all of these before all of those" with few pairs.
    nodes : int
        Number of nodes, helpers included.
    """

    before: np.ndarray
    after: np.ndarray
    nodes: int


def linearise(
    warp: np.ndarray,
    iteration: np.ndarray,
    batch: np.ndarray,
    before: np.ndarray,
    after: np.ndarray,
    lane: np.ndarray | None = None,
) -> tuple[np.ndarray, bool]:
    """Find an order of events that respects batches and dependencies.

    Parameters
    ----------
    warp, iteration, batch : ndarray of int, shape (events,)
        The warp of each event, the warp's iteration, and the batch in it, in slot order.  A warp's
        iterations are ordered, and so are the batches of an iteration.
    before, after : ndarray of int, shape (pairs,)
        The family's dependencies: event ``before[i]`` happened before event ``after[i]``.
    lane : ndarray of int, shape (events,), optional
        The lane of each event; without it, no lane has two events in one batch.

    Returns
    -------
    order : ndarray of int64, shape (events,)
        Event numbers in an order that respects the constraints.
    consistent : bool
        False if the constraints contradict each other; `order` then breaks some.
    """
    events = len(warp)
    if lane is not None:
        first, second = lanes_in_turn(warp, iteration, batch, lane)
        before, after = np.concatenate([before, first]), np.concatenate([after, second])
    constraints = add_program_order(warp, iteration, batch, before, after)
    settled = settle(events, constraints)
    order = np.argsort(settled, kind="stable")
    order, consistent = repair(order, constraints)
    return order[order < events], consistent


def lanes_in_turn(
    warp: np.ndarray, iteration: np.ndarray, batch: np.ndarray, lane: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return pairs of successive events of one lane in one batch: a lane's slots are in order.

    A lane draws each slot from one counter, so its next slot is always higher.
    """
    sequence = np.lexsort((lane, batch, iteration, warp))  # stable: of equals, by slot
    same = np.ones(max(len(sequence) - 1, 0), dtype=bool)
    for column in (warp, iteration, batch, lane):
        same &= column[sequence][1:] == column[sequence][:-1]
    return sequence[:-1][same], sequence[1:][same]


def add_program_order(
    warp: np.ndarray,
    iteration: np.ndarray,
    batch: np.ndarray,
    before: np.ndarray,
    after: np.ndarray,
) -> Constraints:
    """Add the order of each warp's batches to the dependencies.

    One helper node separates two successive batches of a warp: all events of the first precede it,
    all events of the second follow it.
    """
    events = len(warp)
    sequence = np.lexsort((batch, iteration, warp))
    new_warp, new_iteration, new_batch = (
        np.append(True, column[sequence][1:] != column[sequence][:-1])[:events]
        for column in (warp, iteration, batch)
    )
    new_batch |= new_iteration | new_warp
    group = np.cumsum(new_batch) - 1  # number of the batch, over all warps
    groups = int(group[-1]) + 1 if events else 0
    first_of_warp = np.zeros(groups + 1, dtype=bool)
    first_of_warp[group[new_warp]] = True
    first_of_warp[groups] = True
    # The helper before batch g is node events + g.
    has_predecessor = ~first_of_warp[group]
    has_successor = ~first_of_warp[group + 1]
    return Constraints(
        before=np.concatenate(
            [before, events + group[has_predecessor], sequence[has_successor]], dtype=np.int64
        ),
        after=np.concatenate(
            [after, sequence[has_predecessor], events + 1 + group[has_successor]], dtype=np.int64
        ),
        nodes=events + groups,
    )


def settle(events: int, constraints: Constraints, rounds: int = SETTLE_ROUNDS) -> np.ndarray:
    """Return for each node the largest slot among it and its predecessors (helpers have none).

    Each round visits only constraints out of nodes that changed.
    """
    before, after = constraints.before, constraints.after
    slot = np.full(constraints.nodes, -1, dtype=np.int64)
    slot[:events] = np.arange(events)
    by_source = np.argsort(before, kind="stable")
    before, after = before[by_source], after[by_source]
    start = np.searchsorted(before, np.arange(constraints.nodes + 1))
    pairs = np.arange(len(before))
    for _ in range(rounds):
        late = pairs[slot[before[pairs]] > slot[after[pairs]]]
        if not len(late):
            break
        np.maximum.at(slot, after[late], slot[before[late]])
        changed = np.unique(after[late])
        pairs = _ranges(start[changed], start[changed + 1])
    return slot


def repair(order: np.ndarray, constraints: Constraints) -> tuple[np.ndarray, bool]:
    """Sort every stretch of `order` that breaks a constraint; keep the rest as it is.

    Returns
    -------
    order : ndarray of int64, shape (nodes,)
        Repaired copy.
    consistent : bool
        False if some constraints contradict each other.
    """
    order = order.copy()
    position = np.empty_like(order)
    position[order] = np.arange(len(order))
    source, target = position[constraints.before], position[constraints.after]
    broken = source >= target
    if not broken.any():
        return order, True
    consistent = True
    by_source = np.argsort(source, kind="stable")
    source, target = source[by_source], target[by_source]
    for low, high in _merge(target[broken[by_source]], source[broken[by_source]] + 1):
        first, last = np.searchsorted(source, [low, high])
        inside = target[first:last] < high
        inside &= target[first:last] >= low
        sources = source[first:last][inside] - low
        targets = target[first:last][inside] - low
        sequence, acyclic = _kahn(high - low, sources, targets)
        order[low:high] = order[low:high][sequence]
        consistent &= acyclic
    return order, consistent


def _merge(low: np.ndarray, high: np.ndarray) -> list[tuple[int, int]]:
    """Unite overlapping half-open intervals; ascending."""
    by_low = np.argsort(low, kind="stable")
    low, high = low[by_low], np.maximum.accumulate(high[by_low])
    begins = np.ones(len(low), dtype=bool)
    begins[1:] = low[1:] >= high[:-1]
    starts = np.flatnonzero(begins)
    ends = np.append(starts[1:], len(low)) - 1
    return list(zip(low[starts].tolist(), high[ends].tolist(), strict=True))


def _ranges(start: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """Concatenate ``arange(start[i], stop[i])`` for all i."""
    length = stop - start
    ends = np.cumsum(length)
    return np.arange(int(ends[-1]) if len(ends) else 0) + np.repeat(start - ends + length, length)


def _kahn(nodes: int, before: np.ndarray, after: np.ndarray) -> tuple[list[int], bool]:
    """Sort nodes topologically, the smallest ready one first; break cycles at the smallest."""
    waiting = np.bincount(after, minlength=nodes).tolist()
    by_source = np.argsort(before, kind="stable")
    successors = after[by_source].tolist()
    start = np.searchsorted(before[by_source], np.arange(nodes + 1)).tolist()
    ready = [node for node in range(nodes) if not waiting[node]]
    done = [False] * nodes
    sequence: list[int] = []
    stuck = 0  # after a cycle: nodes below it are done
    acyclic = True
    while len(sequence) < nodes:
        if ready:
            node = heapq.heappop(ready)
        else:
            acyclic = False
            while done[stuck]:
                stuck += 1
            node = stuck
        done[node] = True
        sequence.append(node)
        for index in range(start[node], start[node + 1]):
            successor = successors[index]
            waiting[successor] -= 1
            if not waiting[successor] and not done[successor]:
                heapq.heappush(ready, successor)
    return sequence, acyclic
