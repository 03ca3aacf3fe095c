"""Helpers for simulated machines: their log as columns, and in the kernels' layout."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpucore.record import RawRecord

NAMES = ("iteration", "warp", "kind", "lane", "a", "b", "c", "value", "batch")


def columns(events: list[tuple[int, ...]]) -> dict[str, np.ndarray]:
    """Turn events into columns."""
    return {
        name: np.array(
            [event[i] for event in events], dtype=np.float32 if name == "value" else np.int32
        )
        for i, name in enumerate(NAMES)
    }


def raw_record(machine: Any, capacity: int | None = None, level: str = "events") -> RawRecord:
    """Lay the log out as the kernels do; events past `capacity` are lost."""
    kept = machine.logged[:capacity] if level == "events" else []
    log = columns(kept)
    events = np.zeros((len(kept), 8), np.uint32)
    for word, name in enumerate(("iteration", "warp", "kind", "a", "b", "c", "value", "batch")):
        events.view(np.int32)[:, word] = log[name].view(np.int32)
    events[:, 2] |= log["lane"].astype(np.uint32) << 8
    warps = 1 + max((warp for _, warp in machine.rows), default=0)
    rows = np.zeros((len(machine.steps), warps, 8), np.uint32)
    for place, words in machine.rows.items():
        rows[place] = words
    lost = len(machine.logged) - len(kept) if level == "events" else 0
    times = np.arange(len(kept), dtype=np.uint64) // 3 + 1000
    iterations = np.full(warps, len(machine.steps), np.int64)
    return RawRecord(level, rows, iterations, events, lost, 0, times, "steps")
