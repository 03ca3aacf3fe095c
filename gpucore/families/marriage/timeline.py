"""The state of engagements after any number of their events.

See :mod:`gpucore.families.marriage.record` for the record.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from gpucore.families.marriage.curves import Curves, curves_of
from gpucore.families.marriage.order import Events, Kind
from gpucore.families.marriage.seated import Pairs, Writes, seat_doubt, seat_writes
from gpucore.record.constraints import Lookup, pair
from gpucore.record.history import History
from gpucore.record.record import Record
from gpucore.record.timeline import (
    CONTRADICTION,
    OTHER_END,
    Changes,
    Timeline,
    check_events,
    damaged,
    extended,
    incomplete,
    make_timeline,
    named_changes,
)

#: Fields of the state and their values before the first event; men come before women.
FIELDS: dict[str, int] = {
    "mate": -1,  # the person to whom this one is engaged
    "place": 0,  # proposers: their place in the list; others: their rank of the mate
    "aim": -1,  # in rounds: the receiver of the current proposal
    "alone": 0,  # 1: at the end of the list
}

#: Sides that can propose.
PROPOSERS = ("men", "women")


@dataclass(frozen=True)
class MarriageTimeline(Timeline):
    """State changes, and curves over the events.

    Attributes
    ----------
    men, women : int
        Their numbers.
    proposers : {"men", "women"}
        The side that proposes.
    curves : Curves
        Pairs, mean ranks, proposals and places considered after 0, 1, ... events.
    """

    men: int = 0
    women: int = 0
    proposers: str = "men"
    curves: Curves = field(default_factory=lambda: Curves(*[np.zeros(1)] * 5))

    @property
    def pairs(self) -> np.ndarray:
        """Engaged pairs after 0, 1, ... events: int64, shape (events + 1,)."""
        return self.curves.pairs

    @property
    def men_rank(self) -> np.ndarray:
        """Mean rank that engaged men give their women: float64, shape (events + 1,), or NaN."""
        return self._rank_of("men")

    @property
    def women_rank(self) -> np.ndarray:
        """Mean rank that engaged women give their men: float64, shape (events + 1,), or NaN."""
        return self._rank_of("women")

    def _rank_of(self, side: str) -> np.ndarray:
        propose = self.proposers == side
        return self.curves.proposers_rank if propose else self.curves.receivers_rank


def marriage_timeline(record: Record) -> MarriageTimeline:
    """Turn the events of a record into state changes.

    Parameters
    ----------
    record : Record
        Of the marriage family, with M men and W women; n = M + W.

    Returns
    -------
    MarriageTimeline
        Fields mate, place, aim, alone, int32 of shape (n,), see :data:`FIELDS`; where people may
        have several partners also held, see :mod:`gpucore.families.marriage.seated`.  It is
        exact if no event was lost, the algorithm allows every event in its place, and the final
        state is the one that the kernels reported.

    Raises
    ------
    RecordError
        The record is not of this family, or is damaged.
    """
    men, women = _check(record)
    fields = {name: np.full(men + women, value, np.int32) for name, value in FIELDS.items()}
    events = record.events
    several = bool(record.header.get("several"))
    # Counters alone have no lists of the pairs, and nothing to replay.
    nothing = several and not record.num_events and "indptr" not in record.initial
    pairs = Pairs(record, men, women) if several and not nothing else None
    if pairs is not None:
        fields["held"] = np.zeros(pairs.count, np.int32)
    changes = named_changes(fields, _writes(events, pairs))
    timeline = make_timeline(fields, record.num_events, changes)
    doubt = _doubt(record, timeline, changes, pairs)
    if nothing:
        doubt = "people with several partners were recorded without events"
    return extended(
        MarriageTimeline,
        timeline,
        doubt=doubt,
        men=men,
        women=women,
        proposers=str(record.header["proposers"]),
        curves=curves_of(events, several=pairs is not None),
    )


def _writes(events: Events, pairs: Pairs | None) -> Writes:
    """Return the writes: events, the field, places, values."""
    kind, a, b, c = (events[name] for name in ("kind", "a", "b", "c"))
    place, rank = events["value"].astype(np.int32), events["batch"]
    engages, alone = (np.flatnonzero(kind == k) for k in (Kind.ENGAGE, Kind.ALONE))
    leaves = engages[c[engages] >= 0]
    looks = np.flatnonzero((kind != Kind.FAILED) & (kind != Kind.LEAVE))
    asks = np.flatnonzero(kind == Kind.PROPOSE)
    answers = np.flatnonzero((kind == Kind.ENGAGE) | (kind == Kind.REFUSE))
    writes: Writes = [
        (looks, "place", a[looks], place[looks]),
        (engages, "place", b[engages], rank[engages]),
        (asks, "aim", a[asks], b[asks]),
        (answers, "aim", a[answers], np.full(len(answers), -1)),
        (alone, "alone", a[alone], np.ones(len(alone), np.int32)),
    ]
    if pairs is not None:
        return writes + seat_writes(events, pairs)
    return [
        *writes,
        (leaves, "mate", c[leaves], np.full(len(leaves), -1)),
        (engages, "mate", a[engages], b[engages]),
        (engages, "mate", b[engages], a[engages]),
    ]


def _doubt(record: Record, timeline: Timeline, changes: Changes, pairs: Pairs | None) -> str:
    """Return why the timeline is not exact, empty if it is exact."""
    if lacking := incomplete(record):
        return lacking
    if not record.header.get("consistent", False):
        return CONTRADICTION
    if pairs is not None:
        return seat_doubt(record, timeline, changes, pairs)
    wrong = np.flatnonzero(_out_of_turn(record, timeline))
    if len(wrong):
        return f"{CONTRADICTION}: event {wrong[0]} cannot follow those before it"
    if not np.array_equal(timeline.state(len(timeline))["mate"], record.final["mate"]):
        return OTHER_END
    return ""


def _out_of_turn(record: Record, timeline: Timeline) -> np.ndarray:
    """Return which events the algorithm does not allow in their places; bool, shape (events,)."""
    events = record.events
    kind, a, b, c, rank = (events[name] for name in ("kind", "a", "b", "c", "batch"))
    now = np.arange(len(kind), dtype=np.int64)
    mate, place, aim, alone = (History.of(timeline, name) for name in FIELDS)
    is_ = {k: kind == k for k in Kind}
    # Only a free man acts, further down the list than before, except for answers.
    wrong = (mate.before(a, now) >= 0) | (alone.before(a, now) == 1)
    asked = aim.before(a, now)
    answered = is_[Kind.ENGAGE] | is_[Kind.REFUSE]
    further = place.before(a, now) < events["value"]
    if record.header["in_rounds"]:
        wrong |= np.where(answered, asked != b, asked >= 0)
        further |= answered
    wrong |= ~further & ~is_[Kind.ALONE]
    holds, held_rank = mate.before(b, now), place.before(b, now)
    better = (holds >= 0) & (held_rank < rank)
    wrong |= is_[Kind.ENGAGE] & ((holds != c) | better)
    wrong |= is_[Kind.REFUSE] & ((c >= 0) & (holds != c) | ~better)
    if record.header["in_rounds"]:
        better |= _asked_by_better(events)
    wrong |= is_[Kind.SKIP] & ~better
    return np.asarray(wrong)


def _asked_by_better(events: Events) -> np.ndarray:
    """Return which events have a better proposal to their b in the same iteration."""
    b, rank, iteration = (events[name] for name in ("b", "batch", "iteration"))
    asks = np.flatnonzero(events["kind"] == Kind.PROPOSE)
    best_first = asks[np.argsort(rank[asks], kind="stable")]
    best = Lookup(pair(b[best_first], iteration[best_first]), best_first).find(pair(b, iteration))
    return (best >= 0) & (rank[best] < rank) if len(asks) else np.zeros(len(b), dtype=bool)


def _check(record: Record) -> tuple[int, int]:
    """Return the numbers of men and of women, or raise RecordError if the record is damaged."""
    check_events(record, "marriage", "a stable marriage")
    header, events = record.header, record.events
    try:
        men, women = (int(part["size"]) for part in header["parts"])
        " ".join(part["prefix"] for part in header["parts"])
        first = PROPOSERS.index(header["proposers"])
        rounds = bool(header["in_rounds"])
    except (TypeError, ValueError, KeyError):
        raise damaged("its header lacks men and women") from None
    n, mate = men + women, record.final.get("mate")
    if mate is None or mate.dtype != np.int32 or len(mate) != n or min(men, women) < 0:
        raise damaged(f"it lacks the final mates of {n} people")
    if n and not -1 <= int(mate.min()) <= int(mate.max()) < n:
        raise damaged(f"a mate is none of the {n} people")
    if "batch" not in events or events["batch"].dtype != np.int32:
        raise damaged("its events have no column 'batch'")
    if not np.isin(events["kind"], list(Kind)).all():
        raise damaged("it has an event of an unknown kind")
    if rounds and np.any(np.diff(events["iteration"]) < 0):
        raise damaged("its iterations go back")
    _check_people(
        events, (0, men) if first == 0 else (men, n), (men, n) if first == 0 else (0, men)
    )
    return men, women


def _check_people(events: Events, asking: tuple[int, int], asked: tuple[int, int]) -> None:
    """Raise RecordError if an event names a person of the wrong side, or no place of a list."""
    kind, c = events["kind"], events["c"]
    meets = kind != Kind.ALONE
    always = np.ones(len(kind), dtype=bool)
    names_c = meets & (c != -1)
    for name, which, (low, high) in (
        ("a", always, asking),
        ("b", meets, asked),
        ("c", names_c, asking),
    ):
        values = events[name][which]
        if np.any((values < low) | (values >= high)):
            raise damaged(f"an event names {name} outside of their side, {low} to {high - 1}")
    for name, side, which in (
        ("value", asked, meets & (kind != Kind.LEAVE)),
        ("batch", asking, meets),
    ):
        rank, most = events[name][which], side[1] - side[0]
        if not np.all((rank >= 1) & (rank <= most) & (rank == np.floor(rank))):
            raise damaged(f"a rank ({name}) is none from 1 to {most}")
    length = events["value"][~meets]
    if not np.all((length >= 0) & (length <= asked[1] - asked[0])):
        raise damaged("a list is longer than there are people")
