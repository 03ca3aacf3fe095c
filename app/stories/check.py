"""Compare a story with the record that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.errors import ParameterError
from gpucore.format import counted
from gpucore.record import Record
from gpucore.record.activity import activity_of
from gpucore.record.pace import pace_of
from gpucore.record.replay import record_kind
from gpucore.record.words import describe

from ..gallery import entry

if TYPE_CHECKING:
    from .format import Stop, Story


def check_story(story: Story, record: Record, vertices: int) -> None:
    """Raise ParameterError if a stop claims what the record does not hold.

    Parameters
    ----------
    story : Story
    record : Record
    vertices : int
        Number of vertices of its graph.
    """
    codes = {event.code.name: int(event.code) for event in record_kind(_family(record)).events}
    events = counted(record.num_events, "event")
    for number, stop in enumerate(story.stops, 1):
        place = f"stop {number} of {story.title!r}"
        if stop.step > record.num_events:
            raise ParameterError(f"{place} is at step {stop.step:,}, and the run has {events}")
        if stop.time and stop.time[1] > record.num_events:
            raise ParameterError(
                f"{place} shows the time up to step {stop.time[1]:,}, and the run has {events}"
            )
        seen = {*stop.vertices, *(end for edge in stop.edges for end in edge)}
        if seen and max(seen) >= vertices:
            raise ParameterError(
                f"{place} points at vertex {max(seen)}, and the graph has "
                f"{counted(vertices, 'vertex')}"
            )
        _check_event(stop, record, codes, place)
        _check_warps(stop, record, place)
        for kind, wanted in stop.counts.items():
            code = _code(kind, codes, place)
            found = int(np.count_nonzero(record.events["kind"][: stop.step] == code))
            if found != wanted:
                raise ParameterError(
                    f"{place} counts {wanted} events {kind} up to step {stop.step}, and the "
                    f"record has {found}"
                )


def _check_warps(stop: Stop, record: Record, place: str) -> None:
    """Raise ParameterError if the warps' times are others than a stop says."""
    if stop.lanes is not None and stop.lanes not in record.events["warp"]:
        raise ParameterError(f"{place} draws the lanes of warp {stop.lanes}, which has no event")
    if stop.tail:
        pace = pace_of(activity_of(record, record_kind(_family(record))))
        tail = None if pace is None else pace.tail
        found = None if tail is None else {"warp": tail.warp, "percent": round(100 * tail.time)}
        if found != stop.tail:
            raise ParameterError(f"{place} has the tail {stop.tail}, and the record has {found}")
    if stop.beside:
        _check_beside(stop, [record, entry(stop.beside["record"]).record()], place)


def _check_beside(stop: Stop, records: list[Record], place: str) -> None:
    prints = {str(record.header["graph"]["fingerprint"]) for record in records}
    if len(prints) > 1 or {record.clock for record in records} != {"ns"}:
        raise ParameterError(f"{place} puts runs beside each other that have no common clock")
    found = {
        "microseconds": [round(float(record.events["time"][-1]) / 1000, 1) for record in records],
        "iterations": [1 + int(record.events["iteration"].max()) for record in records],
    }
    for name, numbers in found.items():
        if stop.beside.get(name, numbers) != numbers:
            raise ParameterError(
                f"{place} has {name} {stop.beside[name]}, and the records have {numbers}"
            )


def _check_event(stop: Stop, record: Record, codes: dict[str, int], place: str) -> None:
    """Raise ParameterError if the event at a stop is another one than it expects."""
    if not stop.expect:
        return
    if stop.step == 0:
        raise ParameterError(f"{place} expects an event at step 0, before the first one")
    at = stop.step - 1
    wanted = dict(stop.expect)
    wanted["kind"] = _code(wanted["kind"], codes, place)
    if any(int(record.events[name][at]) != value for name, value in wanted.items()):
        raise ParameterError(
            f"{place} expects {dict(stop.expect)} at step {stop.step}, and the record has: "
            f"{describe(record, at)}"
        )


def _code(kind: str, codes: dict[str, int], place: str) -> int:
    if kind not in codes:
        raise ParameterError(f"{place} names events {kind!r}; there are {', '.join(codes)}")
    return codes[kind]


def _family(record: Record) -> str:
    return str(record.header["family"])
