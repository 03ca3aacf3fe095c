"""What the player's axis of warps shows: intervals, lanes, and the numbers of a record."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.record import Record
from gpucore.record.activity import Activity, Doing, activity_of
from gpucore.record.pace import Pace, Tail, pace_of
from gpucore.record.ranks import ranks_of, with_own_warps
from gpucore.record.replay import record_kind
from gpucore.record.wire import encode
from gpucore.record.words import naming, sentence_columns

from ...clock import shown_time

#: Columns of the events that its lanes need.
_COLUMNS = ("kind", "iteration", "warp", "a", "b", "c", "value")
#: A shorter end of the run is no tail.
_TAIL = 0.05
#: A smaller share of the warps' time is not written.
_SHARE = 0.005
_SPENT = {
    Doing.WORK: "at work",
    Doing.BETWEEN: "before the next event",
    Doing.WAIT: "waiting for other warps",
    Doing.UNTIMED: "in turns without an event",
    Doing.IDLE: "without work",
}


def axis_of(record: Record) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the entry "axis" of the player's header, and arrays; nothing without events."""
    if not record.num_events or "lane" not in record.events:
        return {}, {}
    activity = activity_of(record, record_kind(str(record.header["family"])))
    events = with_own_warps(record).events
    own = {"axis/row": events["warp"]} if ranks_of(record) > 1 else {}
    arrays = {
        "axis/warp": activity.warp,
        "axis/begin": activity.begin,
        "axis/end": activity.end,
        "axis/doing": activity.doing,
        "axis/atomic": activity.atomic,
        **own,
        "axis/lane": events["lane"],
        "axis/batch": events["batch"],
    }
    on_cpu = record.header["device"].get("name") == "cpu"
    axis = {
        "warps": activity.warps,
        "block": activity.block,
        "noun": "thread" if on_cpu else "warp",
        # Then "batch" is something else: each event is a step of its own.
        "single": "batch" in sentence_columns(record),
        "facts": facts_of(activity, pace_of(activity), "thread" if on_cpu else "warp"),
    }
    return {"axis": axis}, arrays


def axis_message(record: Record) -> bytes:
    """Pack the axis of a record that is shown below that of another run."""
    axis, arrays = axis_of(record)
    time, unit = shown_time(record)
    turn = "iteration"
    events = {f"events/{name}": record.events[name] for name in _COLUMNS if name in record.events}
    meta = {**axis, **naming(record), "unit": unit, "turn": turn}
    return encode(meta, {**arrays, **events, "series/time": time} if unit else arrays | events)


def facts_of(activity: Activity, pace: Pace | None, noun: str = "warp") -> list[str]:
    """Return the numbers of a run's warps in sentences."""
    if pace is None:
        return []
    facts = []
    if pace.tail is not None and pace.tail.time >= _TAIL:
        facts.append(_tail(pace.tail, len(activity.clock), noun))
    if activity.warps > 2:
        facts.append(
            f"After {pace.half:.0%} of the time half of the {noun}s that had work have none left."
        )
    spent = [
        f"{pace.shares[doing]:.0%} {text}"
        for doing, text in _SPENT.items()
        if pace.shares[doing] >= _SHARE
    ]
    whose = f"all {activity.warps:,} {noun}s" if activity.warps > 1 else f"the {noun}"
    return [*facts, f"The time of {whose}: {', '.join(spent)}."]


def _tail(tail: Tail, events: int, noun: str) -> str:
    alone = "works alone" if tail.works else "is the last one that has work,"
    return (
        f"{noun.capitalize()} {tail.warp} {alone} for {tail.time:.0%} of the run, "
        f"with {tail.events:,} of {events:,} events."
    )
