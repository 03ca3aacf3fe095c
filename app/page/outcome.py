"""A finished run with everything that a page shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpucore.record.ranks import with_own_warps
from gpucore.record.replay import timeline_of
from gpucore.result import Result

from .loading import Loaded
from .replay import no_events_reason, replay

if TYPE_CHECKING:
    from gpucore.record import Timeline

    from ..limits import PageLimits
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
        loaded.prepared,
        loaded.positions,
        record,
        timeline,
        title=_title(loaded, result),
        limits=limits,
    )
    return Outcome(loaded, result, timeline, message, refusal)


def _title(loaded: Loaded, result: Result) -> str:
    return f"{loaded.label}: {result.algorithm}, {result.variant}"
