"""The charts of factorisations, besides the error."""

from __future__ import annotations

import numpy as np

from gpucore.families.sgd.record import Kind
from gpucore.record import Record, Timeline

from ...charts.spec import (
    ChartSet,
    Distribution,
    Drawing,
    Series,
    changes_of,
    count_above,
    drawn_by,
    sums_after,
)

_NO_EVENTS = (
    "This is computed from events, and this run was recorded as counters. Run fewer ratings to "
    "see it."
)


def updated(timeline: Timeline) -> np.ndarray:
    """Return how many updates there were after 0, 1, ... events; int64."""
    return sums_after(timeline, changes_of(timeline, "processed"))


def attempts(record: Record) -> np.ndarray:
    """Return how many ratings took 0, 1, 2, ... attempts in a sweep; empty without events."""
    events = record.events
    if not record.num_events:
        return np.zeros(0, np.int64)
    sweeps = np.array([p["sweep"] for p in record.header["passes"]], np.int64)
    most = 1 + int(events["c"].max(initial=0))
    key = sweeps[events["iteration"]] * most + events["c"]
    return np.bincount(np.unique(key, return_counts=True)[1])


def in_steps(record: Record) -> tuple[np.ndarray, np.ndarray]:
    """Return the updates and the deferrals in each time step of the first sweep.

    Returns
    -------
    updates, deferrals : ndarray of int64, shape (steps,)
        Empty without events.
    """
    events = record.events
    if not record.num_events:
        nothing = np.zeros(0, np.int64)
        return nothing, nothing
    sweeps = np.array([p["sweep"] for p in record.header["passes"]], np.int64)
    first = sweeps[events["iteration"]] == 0
    iteration, batch = (events[name][first].astype(np.int64) for name in ("iteration", "batch"))
    lengths = np.zeros(int(iteration.max(initial=0)) + 1, np.int64)
    np.maximum.at(lengths, iteration, batch + 1)
    step = np.cumsum(np.append(0, lengths))[iteration] + batch
    done = events["kind"][first] == Kind.UPDATE
    count = int(lengths.sum())
    return np.bincount(step[done], minlength=count), np.bincount(step[~done], minlength=count)


def lock_operations(record: Record) -> np.ndarray:
    """Return the atomic operations on each vertex, most of them on its lock.

    A lock is taken by one operation and given back by another; a lock in vain costs one. Items have
    locks in passes that lock both ends. A schedule that adds to items without locks has one
    operation on the item for every update.

    Returns
    -------
    ndarray of int64, shape (n,)
        Zeros without events or without locks.
    """
    events, steps = record.events, record.steps
    n, count = int(record.header["graph"]["n"]), record.num_steps
    found = np.zeros(n, np.int64)
    if not record.num_events:
        return found
    kinds = [
        np.bincount(events["iteration"][events["kind"] == kind], minlength=count) for kind in Kind
    ]
    updates, no_user = kinds[0], kinds[1]
    atomics = np.asarray(steps["atomics"])
    adds = (atomics == updates) & (updates > 0)
    locked = (atomics > 0) & ~adds
    both = (locked & (atomics != 2 * updates + no_user)) | adds
    weights = {Kind.UPDATE: (2, 2), Kind.DEFER_USER: (1, 0), Kind.DEFER_ITEM: (2, 1)}
    launch = events["iteration"]
    for kind, (on_user, on_item) in weights.items():
        mine = events["kind"] == kind
        found += on_user * np.bincount(events["a"][mine & locked[launch]], minlength=n)
        one = np.where(adds[launch], 1, on_item)[mine & both[launch]]
        items = events["b"][mine & both[launch]]
        found += np.bincount(items, weights=one, minlength=n).astype(np.int64)
    return found


CHARTS = ChartSet(
    series=(
        Series(
            "Deferred",
            "Ratings that wait for the next pass, because a lock was taken. Offline schedules "
            "defer none.",
            count_above("waiting"),
            _NO_EVENTS,
        ),
        Series("Updates", "Updates of a user and an item so far.", updated, _NO_EVENTS),
    ),
    distributions=(
        Distribution(
            "Attempts at a rating",
            "How often a rating was tried in a sweep, until both its ends were free.",
            "attempts",
            "ratings",
            attempts,
            _NO_EVENTS,
        ),
    ),
    drawings=(
        Drawing(
            "Time steps of the first sweep",
            "How many threads update, and how many try in vain, in each time step. The line is "
            "the number of threads.",
            drawn_by(f"{__package__}.plots", "occupancy"),
        ),
        Drawing(
            "Passes",
            "Updates and deferrals of each launch. The passes of a sweep become shorter; what they "
            "defer is left for the next one.",
            drawn_by(f"{__package__}.plots", "passes"),
        ),
        Drawing(
            "Hot addresses",
            "Atomic operations on each user and item, most of them on its lock, the busiest first. "
            "Those on one address are done one after the other.",
            drawn_by(f"{__package__}.plots", "hot_locks"),
        ),
        Drawing(
            "Error by sweep",
            "Training error, and error of the ratings that were held back.",
            drawn_by(f"{__package__}.plots", "errors"),
        ),
    ),
)
