"""One record of all ranks, and their figures."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.record.recorder import RawRecord, Recorder, merge_ranks

if TYPE_CHECKING:
    from gpucore.ranks.rounds import Rounds
    from gpucore.ranks.world import World


def watch_events(world: World, recorder: Recorder) -> None:
    """Let the engine note how many events this rank has recorded after each round."""
    if recorder.level == "events":
        world.events_so_far = recorder.events_so_far


def merged_record(world: World, raw: RawRecord, table: Rounds) -> RawRecord | None:
    """Return the raw record of all ranks on rank 0, None elsewhere; every rank calls.

    Events are ordered by round, then rank, then slot: what a message causes lies in a later round.
    Ranks have clocks of their own. In the merged record a round begins on all ranks at the same
    time, when the slowest one has finished the round before.
    """
    parts = world.comm.gather((raw, table.marks))
    if parts is None:
        return None
    merged = merge_ranks([part for part, _ in parts])
    if merged.level != "events":
        return merged
    rounds = np.concatenate(
        [np.searchsorted(marks, np.arange(len(part.events)), side="right") for part, marks in parts]
    )
    times = _aligned(merged.times.astype(np.int64), rounds, merged.event_rank)
    order = np.lexsort((merged.event_rank, rounds))  # stable: then by slot
    return replace(
        merged,
        events=merged.events[order],
        times=times[order].astype(np.uint64),
        event_rank=merged.event_rank[order],
    )


def _aligned(times: np.ndarray, rounds: np.ndarray, ranks: np.ndarray) -> np.ndarray:
    """Shift the times of each rank and round, so that rounds begin together and do not overlap."""
    groups = rounds.astype(np.int64) << 16 | ranks.astype(np.int64)
    keys, group = np.unique(groups, return_inverse=True)
    first = np.full(len(keys), np.iinfo(np.int64).max)
    last = np.zeros(len(keys), np.int64)
    np.minimum.at(first, group, times)
    np.maximum.at(last, group, times)
    lengths = np.zeros(int(rounds.max(initial=0)) + 1, np.int64)
    np.maximum.at(lengths, keys >> 16, last - first + 1)
    begins = np.cumsum(lengths) - lengths
    return times - first[group] + begins[rounds]


def rank_figures(world: World, table: Rounds) -> dict[str, Any]:
    """Return the figures of every run on ranks.

    They are the number of ranks, the transport, rounds, bytes and messages, and by rank the seconds
    of compute, wait and communication.
    """
    seconds = {
        f"{name}_seconds": [sum(column) for column in zip(*getattr(table, name), strict=True)]
        for name in ("compute", "wait", "communication")
    }
    return {
        "ranks": world.comm.size,
        "transport": world.transport,
        "rounds": len(table),
        "bytes_sent": table.total("bytes"),
        "messages": table.total("messages"),
        **seconds,
    }


def rank_header(world: World, bounds: np.ndarray, table: Rounds) -> dict[str, Any]:
    """Return the entry "ranks" of a record's header, JSON-able.

    It has the first vertices of the ranks (``bounds``) and a table with a row a round and a column
    a rank: ``bytes``, ``messages``, and the seconds of ``compute``, ``wait``, ``communication``.
    """
    return {
        "count": world.comm.size,
        "transport": world.transport,
        "bounds": bounds.tolist(),
        **table.as_dict(),
    }
