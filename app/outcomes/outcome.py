"""A finished run with everything that a page shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpucore.certify.work import attended, certified
from gpucore.family import get_runner
from gpucore.progress import Cancel, Progress
from gpucore.record import Record, Timeline
from gpucore.record.ranks import with_own_warps
from gpucore.record.replay import retold, timeline_of
from gpucore.result import Result

from ..devices import POLICIES
from ..limits import PageLimits
from .loading import Loaded
from .record_files import check_sizes, damaged
from .replay import no_events_reason, replay

if TYPE_CHECKING:
    from ..view import View


@dataclass(frozen=True)
class Outcome:
    """A finished run, ready to be shown.

    Attributes
    ----------
    loaded : Loaded
    result : Result
    timeline : Timeline or None
        State changes, if events were recorded.
    message : bytes
        For the player; empty if nothing is played.
    refusal : str
        Why nothing is played.
    """

    loaded: Loaded
    result: Result
    timeline: Timeline | None
    message: bytes
    refusal: str

    @property
    def title(self) -> str:
        """Title of the run: graph, algorithm, variant."""
        return _title(self.loaded, self.result)


def outcome_of(loaded: Loaded, result: Result, view: View, limits: PageLimits) -> Outcome:
    """Return an outcome: make the message of a result for the browser."""
    record = result.record
    if record is None or not record.num_events:
        why = no_events_reason(view, loaded.prepared, limits)
        why = why or "This run has no events, so there is nothing to play."
        return Outcome(loaded, result, None, b"", why)
    record = with_own_warps(record)
    timeline = timeline_of(record)
    message, refusal = replay(
        view,
        loaded.prepared,
        loaded.positions,
        record,
        timeline,
        title=_title(loaded, result),
        limits=limits,
    )
    return Outcome(loaded, result, timeline, message, refusal)


def recorded_outcome(
    record: Record,
    loaded: Loaded,
    view: View,
    limits: PageLimits,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> Outcome:
    """Return the outcome of a record on its graph, certified here, in the present words.

    Raises
    ------
    Cancelled, RecordError
    """
    check_sizes(record, loaded.prepared)
    with damaged():
        record = retold(record, loaded.prepared)
        result = view.result(record, loaded.prepared)
        certify = get_runner(record.header["algorithm"]).certify
        with attended(progress, cancel):
            result = certified(certify, loaded.prepared, result)
        return outcome_of(loaded, result, view, limits)


def where(result: Result) -> str:
    """Return where and how a result was computed."""
    device = result.device
    words = [str(device.get("model") or device.get("name") or "")]
    if device.get("policy"):
        policy = str(device["policy"])
        label = POLICIES[policy].label.lower() if policy in POLICIES else policy
        words.append(f"warps {label}, seed {device.get('seed')}")
    return ", ".join(word for word in words if word)


def _title(loaded: Loaded, result: Result) -> str:
    return f"{loaded.label}: " + ", ".join(filter(None, (result.algorithm, result.variant)))
