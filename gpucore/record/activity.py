"""What each warp did when: a record's events and rows as intervals of time.

A record has the time of every event, and says for every warp and iteration whether there was work.
It does not say when a warp was at a barrier, nor when it began to read. So an interval is one of:

- WORK, from a warp's first event of an iteration to its last one, and from any event to the next
  where warps do not wait for each other: their family says so, or iterations overlap in a block;
- ATOMIC, the moment of an event that follows an atomic operation (:attr:`EventKind.atomic`);
- WAIT, from its last event of an iteration to the last one of all warps that it meets, if it has
  work later, and if no two iterations of the run overlap among these warps;
- BETWEEN, from then to its first event of its next iteration: a barrier, a launch, or reading;
- UNTIMED, an iteration in which it had work (its row counts some) but no event;
- IDLE, everything else: it has no work.

Warps meet in their block if its size is among the parameters, or all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from gpucore.record.balance import num_warps
from gpucore.record.kind import RecordKind
from gpucore.record.ranks import ranks_of, with_own_warps
from gpucore.record.record import Record

#: Columns of a row that show no work: whose it is, and what a warp counts that only waits.
NO_WORK = ("rank", "iteration", "warp", "turns", "lane_slots", "barriers")


class Doing(IntEnum):
    """What a warp does in an interval; the page's axis has the same numbers."""

    IDLE = 0
    WORK = 1
    ATOMIC = 2
    WAIT = 3
    BETWEEN = 4
    UNTIMED = 5


@dataclass(frozen=True)
class Activity:
    """The intervals of all warps, by warp and time; together they are the whole run of each.

    Attributes
    ----------
    warps : int
        Number of warps.
    block : int
        Warps in a block; 0 if that is not known.
    clock : ndarray of int64, shape (events,)
        The time of each event; its number where the record has no times.
    warp, begin, end : ndarray of int32, shape (intervals,)
        The warp, and the events at which the interval begins and ends, as places in `clock`.
    doing : ndarray of uint8, shape (intervals,)
        See :class:`Doing`; moments of atomic operations are not among them.
    atomic : ndarray of int32, shape (moments,)
        Events that follow an atomic operation.
    """

    warps: int
    block: int
    clock: np.ndarray
    warp: np.ndarray
    begin: np.ndarray
    end: np.ndarray
    doing: np.ndarray
    atomic: np.ndarray

    @property
    def lengths(self) -> np.ndarray:
        """How long each interval is, in the clock's unit; int64."""
        return self.clock[self.end] - self.clock[self.begin]

    @property
    def span(self) -> int:
        """How long the run is, from its first event to its last."""
        return int(self.clock[-1] - self.clock[0]) if len(self.clock) else 0


def activity_of(record: Record, kind: RecordKind) -> Activity:
    """Return what each warp of a record did when; no intervals without events."""
    record = with_own_warps(record)
    count = record.num_events
    clock = np.asarray(record.events.get("time", np.arange(count)), np.int64)
    codes = [int(event.code) for event in kind.events if event.atomic]
    atomic = np.flatnonzero(np.isin(record.events["kind"], codes)).astype(np.int32)
    warps = max(num_warps(record.warps) if record.warps else 0, _highest(record) + 1)
    block = _block(record)
    free = str(record.header.get("variant")) in kind.free
    found = _parts(record, warps, block, free) if count else ()
    parts = [part for part in found if len(part[0])]
    none = [np.empty(0, np.int64)]
    columns = [np.concatenate([part[i] for part in parts] or none) for i in range(4)]
    order = np.lexsort((columns[1], columns[0]))
    warp, begin, end, doing = (column[order].astype(np.int32) for column in columns)
    return Activity(warps, block, clock, warp, begin, end, doing.astype(np.uint8), atomic)


def _highest(record: Record) -> int:
    return int(np.max(record.events["warp"], initial=-1)) if record.num_events else -1


def _block(record: Record) -> int:
    """Return how many warps are in a block; 0 if unknown, and where workers are no warps."""
    threads = record.header.get("params", {}).get("threads_per_block")
    on_gpu = record.header.get("device", {}).get("name") in ("cuda", "host")
    return threads // 32 if isinstance(threads, int) and on_gpu and ranks_of(record) == 1 else 0


@dataclass(frozen=True)
class _Pairs:
    """One entry for each warp and iteration with work, by warp, then iteration."""

    warp: np.ndarray
    iteration: np.ndarray
    first: np.ndarray
    last: np.ndarray

    @property
    def timed(self) -> np.ndarray:
        """Whether the entry has an event."""
        return self.last >= 0

    def only(self, kept: np.ndarray) -> _Pairs:
        """Return some of the entries."""
        return _Pairs(self.warp[kept], self.iteration[kept], self.first[kept], self.last[kept])


def _pairs(record: Record) -> _Pairs:
    """Return the warps and iterations that have work: events, or a row that counts some."""
    events, rows = record.events, _rows_with_work(record)
    of_events = np.stack([events["warp"], events["iteration"]]).astype(np.int64)
    of_rows = np.stack([rows["warp"], rows["iteration"]]).astype(np.int64) if rows else of_events
    both = np.concatenate([of_events, of_rows], axis=1)
    (warp, iteration), place = np.unique(both, axis=1, return_inverse=True)
    place = place.reshape(-1)[: of_events.shape[1]]
    number = np.arange(len(place))
    first = np.full(len(warp), len(place))
    last = np.full(len(warp), -1)
    np.minimum.at(first, place, number)
    np.maximum.at(last, place, number)
    return _Pairs(warp, iteration, first, last)


def _rows_with_work(record: Record) -> Mapping[str, np.ndarray]:
    counts = [record.warps[name] for name in record.warps if name not in NO_WORK]
    if not counts:
        return record.warps
    kept = np.any(np.stack(counts), axis=0)
    return {name: column[kept] for name, column in record.warps.items()}


def _parts(record: Record, warps: int, block: int, free: bool) -> Iterator[tuple[np.ndarray, ...]]:
    """Yield intervals of one kind: warp, begin, end and what is done, without empty ones."""
    pairs = _pairs(record)
    opens, closes, met = _windows(pairs, block)
    met &= not free
    onward = Doing.WORK if free or (block and not met.any()) else Doing.BETWEEN
    # Where iterations overlap, nothing says when one without events was.
    kept = pairs.timed | met
    pairs, opens, closes, met = pairs.only(kept), opens[kept], closes[kept], met[kept]
    newest = np.append(True, pairs.warp[1:] != pairs.warp[:-1])
    oldest = np.append(newest[1:], True)[: len(newest)]
    final = record.num_events - 1
    # Where the entry's own time ends: when all have ended the iteration, or at its last event.
    whole = np.where(pairs.timed, pairs.last, closes)
    ends = np.where(met & ~oldest, closes, whole)
    before = np.where(newest, 0, np.append(0, ends[:-1]))
    begins = np.where(met, np.maximum(opens, before), before)
    untimed = np.where(pairs.timed, begins, ends)
    first = np.where(pairs.timed, pairs.first, untimed)
    steps = (
        (before, begins, Doing.IDLE),
        (begins, untimed, Doing.UNTIMED),
        (untimed, np.where(newest, first, untimed), Doing.BETWEEN),
        (untimed, np.where(newest, untimed, first), onward),
        (first, whole, Doing.WORK),
        (whole, ends, Doing.WAIT),
        (np.where(oldest, ends, final), np.full(len(ends), final), Doing.IDLE),
    )
    for begin, end, doing in steps:
        real = end > begin
        yield pairs.warp[real], begin[real], end[real], np.full(np.count_nonzero(real), doing)
    idle = np.setdiff1d(np.arange(warps), pairs.warp)
    nothing = np.zeros(len(idle), np.int64)
    yield idle, nothing, nothing + final, np.full(len(idle), Doing.IDLE)


def _windows(pairs: _Pairs, block: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return when the iteration of each entry opens and closes for the warps that meet in it.

    Returns
    -------
    opens, closes : ndarray of int64
        The last event of earlier iterations, and the last one of this iteration.
    met : bool
        Whether no two iterations overlap, so that these moments say something.
    """
    for size in (0, block):
        group = pairs.warp // size if size else np.zeros_like(pairs.warp)
        keys = np.stack([group, pairs.iteration])
        (groups, _), place = np.unique(keys, axis=1, return_inverse=True)
        place = place.reshape(-1)
        first = np.full(len(groups), np.iinfo(np.int64).max)
        last = np.full(len(groups), -1)
        np.minimum.at(first, place, pairs.first)
        np.maximum.at(last, place, pairs.last)
        fresh = np.append(True, groups[1:] != groups[:-1])
        # The last event so far: an iteration without any lasts no time that is known.
        lift = groups * (len(place) + last.max(initial=0) + 2)
        last = np.maximum(np.maximum.accumulate(last + lift) - lift, 0)
        before = np.where(fresh, 0, np.append(0, last[:-1]))
        met = bool(np.all(fresh | (first > before)))
        if met or not block:
            break
    return before[place], last[place], np.full(len(pairs.warp), met)
