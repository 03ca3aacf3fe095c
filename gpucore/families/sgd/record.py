"""Records of factorisations: every update and every deferred rating, with the step of its schedule.

An iteration of the record is one launch, a pass of an online schedule for example; the header's
``passes`` say to which sweep each belongs. The column ``batch`` is the step inside the pass at
which the schedule has the event, and ``c`` is the number of the rating among all ratings, in the
order of the items. Events are in the order in which they were logged. A worker logs an update while
it holds its locks, or before the next barrier. So updates that share a user or an item are in the
order in which they happened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.sgd.timeline import Kind, sgd_timeline
from gpucore.params import is_whole
from gpucore.record.causes import causes_first
from gpucore.record.constraints import Dependencies, pair
from gpucore.record.kind import Band, EventKind, RecordKind
from gpucore.record.record import (
    Columns,
    Record,
    elapsed,
    event_columns,
    make_header,
    reordered,
    row_columns,
    sum_by_iteration,
)
from gpucore.record.timeline import damaged
from gpucore.record.words import parts_of

if TYPE_CHECKING:
    from gpucore.families.sgd.factors import Factors
    from gpucore.families.sgd.log import Log
    from gpucore.families.sgd.work import Pass
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.record.recorder import RawRecord


#: The eight words of a row. ``turns`` and ``barriers`` are the most of a worker of the warp.
ROW_WORDS = (
    "updates",
    "user_busy",
    "item_busy",
    "turns",
    "lane_slots",
    "atomics",
    "barriers",
    "scanned",
)

EVENTS = (
    EventKind(
        Kind.UPDATE,
        "is updated",
        "done",
        "the rating of {a} for {b} is processed; the prediction was off by {value}",
    ),
    EventKind(
        Kind.DEFER_USER,
        "is locked",
        "tried",
        "the rating of {a} for {b} is deferred: {a} was locked",
        atomic=True,
    ),
    EventKind(
        Kind.DEFER_ITEM,
        "is deferred",
        "undone",
        "the rating of {a} for {b} is deferred: {b} was locked",
        atomic=True,
    ),
)
BANDS = (
    Band("done", "updates"),
    Band("tried", "users locked"),
    Band("undone", "items locked"),
)

#: Letters of users and of items, which the paper calls movies.
SIDES = ("u", "m")
#: Steps that the kernel of tiles counts for every diagonal.
TILE_STEPS = 1 << 12


def places_of(train: Ratings, ratings: Ratings) -> np.ndarray:
    """Return the number of each training rating among all ratings, both in the order of the items.

    Returns
    -------
    ndarray of int64, shape (training ratings,)
        Rising.
    """
    keys = []
    for part in (train, ratings):
        starts, users, _ = part.by_item()
        items = np.repeat(np.arange(part.num_items, dtype=np.int64), np.diff(starts))
        keys.append(items * part.num_users + users)
    return np.searchsorted(keys[1], keys[0])


def sgd_record(
    raw: RawRecord,
    ratings: Ratings,
    train: Ratings,
    *,
    algorithm: str,
    params: Mapping[str, Any],
    device: Mapping[str, Any],
    passes: Sequence[Pass],
    lanes: int,
    log: Log,
    factors: Factors,
) -> Record | None:
    """Make the record of a factorisation.

    Parameters
    ----------
    raw : RawRecord
        From :meth:`gpucore.record.Recorder.collect`.
    ratings, train : Ratings
        All ratings, and those for training, on n vertices.
    algorithm, params, device
        See :func:`gpucore.record.record.make_header`.
    passes : sequence of Pass
        One for each launch.
    lanes : int
        Neighbouring lanes that process a rating together.
    log : Log
        Errors and times of the sweeps.
    factors : Factors
        The result.

    Returns
    -------
    Record or None
        None if nothing was recorded. ``final`` has the ``updates`` of each vertex, the components
        of the vectors as ``v0``, ``v1``, ..., float32, and ``bias`` if there are biases. The header
        has ``barriers`` of the launches of the first sweep, as
        :class:`~gpucore.families.sgd.work.Pass` has them; those of other sweeps are the same.
    """
    if raw.level == "off":
        return None
    header = make_header(
        raw, ratings, family="sgd", algorithm=algorithm, params=params, device=device
    )
    header["parts"] = parts_of(ratings.num_users, ratings.num_items, SIDES)
    header["passes"] = [{"sweep": p.sweep, "name": p.name, "left": p.left} for p in passes]
    header["rmse"] = [float(value) for value in log.rmse]
    header["test_rmse"] = [float(value) for value in log.test_rmse if np.isfinite(value)]
    header["seconds"] = [float(value) for value in log.seconds]
    header["mean"] = float(factors.mean)
    header["train"] = train.num_ratings
    header["lanes"] = lanes
    if raw.level == "events":
        header["barriers"] = [list(p.barriers) for p in passes if p.sweep == 0]
    header["consistent"] = True
    events = event_columns(raw)
    events["c"] = places_of(train, ratings)[events["c"]].astype(np.int32)
    events["b"] += np.int32(ratings.num_users)
    events["batch"] = _steps_of_tiles(events, passes)
    events = locks_first(events | {"time": elapsed(raw.times)})
    warps = row_columns(raw, ROW_WORDS, floats=())
    updates = (train.degrees * len(log.seconds)).astype(np.int32)
    return Record(
        header=header,
        steps=_steps(passes, log.rmse, warps),
        warps=warps,
        events=events,
        initial={},
        final={"updates": updates, **_components(factors, params["k"])},
    )


def locks_first(events: Columns) -> dict[str, np.ndarray]:
    """Return events in an order in which the update that has a lock precedes those it locks out.

    A worker that finds a lock taken logs so at once, the one that has it only after its update. The
    updates themselves stay in their order, and so do the attempts at one rating.
    """
    kind, launch = events["kind"], events["iteration"]
    updated = kind == Kind.UPDATE
    late = np.flatnonzero(~updated)
    before, after = [], []
    # Who was locked out of the item had the lock of the user for a moment.
    for end, code, holds in (
        ("a", Kind.DEFER_USER, updated | (kind == Kind.DEFER_ITEM)),
        ("b", Kind.DEFER_ITEM, updated),
    ):
        locked = late[kind[late] == code]
        place = pair(events[end], launch)
        held = np.flatnonzero(holds)
        held = held[np.argsort(place[held], kind="stable")]
        first = np.searchsorted(place[held], place[locked], side="left")
        last = np.searchsorted(place[held], place[locked], side="right")
        # The first one logged; without this pair it might move behind those that it locked out.
        mine = first < last
        before.append(held[first[mine]])
        after.append(locked[mine])
    own = np.argsort(events["c"], kind="stable")
    again = events["c"][own][1:] == events["c"][own][:-1]
    updates = np.flatnonzero(updated)
    certain = Dependencies(
        np.concatenate([own[:-1][again], updates[:-1]]),
        np.concatenate([own[1:][again], updates[1:]]),
        complete=True,
    )
    # Each event is a batch of its own thread: only the pairs above order them.
    alone = {"warp": np.arange(len(kind)), "iteration": launch}
    seen = Dependencies(np.concatenate(before), np.concatenate(after), complete=True)
    order, _ = causes_first(alone, np.zeros(len(kind), np.int32), certain, [seen])
    return reordered(events, order, events.get("time"))


def retold(record: Record, _problem: Any) -> Record:
    """Return a record with its events in the order of a record made now."""
    return replace(record, events=locks_first(record.events))


def _components(factors: Factors, k: int) -> dict[str, np.ndarray]:
    """Return each component of the vectors, and the biases if there are any, of all vertices."""
    vectors = np.concatenate((factors.users, factors.items)).astype(np.float32)
    found = {f"v{i}": np.ascontiguousarray(vectors[:, i]) for i in range(k)}
    return found | ({"bias": factors.biases} if factors.biases.size else {})


def vectors_of(record: Record, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the vectors of the n users and items at the end of a run, and their biases.

    Returns
    -------
    vectors : ndarray of float32, shape (n, padded k)
    biases : ndarray of float32, shape (n,) or (0,)

    Raises
    ------
    RecordError
        The record does not have all of them.
    """
    params, final = record.header["params"], record.final
    k = params.get("k")
    if not is_whole(k) or not 8 <= k <= 128:
        raise damaged("it does not have its k")
    names = [f"v{i}" for i in range(k)] + ["bias"] * bool(params.get("biases"))
    columns = [final.get(name) for name in names]
    if any(c is None or c.dtype != np.float32 or len(c) != n for c in columns):
        raise damaged("it lacks components")
    vectors = np.zeros((n, 1 << (k - 1).bit_length()), np.float32)
    for i in range(k):
        vectors[:, i] = final[f"v{i}"]
    return vectors, final["bias"] if "bias" in names else np.zeros(0, np.float32)


def _steps_of_tiles(events: Mapping[str, np.ndarray], passes: Sequence[Pass]) -> np.ndarray:
    """Return the step of each event: a diagonal of tiles begins after the longest tile before."""
    step: np.ndarray = events["batch"].astype(np.int64)
    for number, launch in enumerate(passes):
        if launch.name != "tiles":
            continue
        mine = events["iteration"] == number
        begins = np.concatenate([[0], np.asarray(launch.barriers, np.int64)])
        diagonal = step[mine] // TILE_STEPS
        step[mine] = begins[np.minimum(diagonal, len(begins) - 1)] + step[mine] % TILE_STEPS
    return step.astype(np.int32)


def _steps(
    passes: Sequence[Pass], rmse: Sequence[float], warps: Mapping[str, np.ndarray]
) -> dict[str, np.ndarray]:
    """Return the sums over the warps of every pass; the objective is that after its sweep."""
    count = max(len(passes), int(warps["iteration"].max(initial=-1)) + 1)
    sweep = np.array([p.sweep for p in passes] + [0] * (count - len(passes)), np.int32)
    last = np.append(sweep[1:] != sweep[:-1], True)
    found = {"iteration": np.arange(count, dtype=np.int32), "sweep": sweep}
    found |= sum_by_iteration(warps, ROW_WORDS, count)
    found["left"] = np.array([p.left for p in passes] + [0] * (count - len(passes)), np.int64)
    found["objective"] = np.asarray(rmse, np.float64)[sweep + last]
    return found


RECORD = RecordKind(EVENTS, BANDS, sgd_timeline, sides=SIDES, nouns=("user", "item"), retold=retold)
