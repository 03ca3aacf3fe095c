"""Records of runs on several ranks: how many there were, and warps with numbers of their own."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from gpucore.errors import RecordError

if TYPE_CHECKING:
    from gpucore.record.record import Record

#: Columns of the table of rounds in the header's entry "ranks", each with a value a round and rank.
COLUMNS = ("compute", "wait", "communication", "bytes", "messages")


def ranks_of(record: Record) -> int:
    """Return how many ranks made a record; 1 for a run on one device.

    Raises
    ------
    RecordError
        The table of the ranks is damaged.
    """
    found = record.header.get("ranks")
    if found is None:
        return 1
    count = found.get("count") if isinstance(found, dict) else None
    if not isinstance(count, int) or count < 1 or not _whole(found, count, record):
        raise RecordError("the record's table of ranks is damaged; make the record again")
    return count


def _whole(found: dict[str, object], count: int, record: Record) -> bool:
    """Return whether bounds and table have a value for each rank."""
    bounds = found.get("bounds")
    n = int(record.header["graph"]["n"])
    if not isinstance(bounds, list) or len(bounds) != count + 1:
        return False
    if not all(isinstance(bound, int) for bound in bounds):
        return False
    if bounds[0] != 0 or bounds[-1] != n or sorted(bounds) != bounds:
        return False
    try:
        shapes = {np.asarray(found[name], np.float64).shape for name in COLUMNS}
    except (KeyError, TypeError, ValueError):
        return False
    return len(shapes) == 1 and shapes.pop()[1:] == (count,)


def table_of(record: Record) -> dict[str, np.ndarray]:
    """Return the table of a run on ranks: for each of :data:`COLUMNS` float64, (rounds, ranks)."""
    return {name: np.asarray(record.header["ranks"][name], np.float64) for name in COLUMNS}


def with_own_warps(record: Record) -> Record:
    """Return a record whose warps have different numbers on different ranks.

    Warps of rank 0 keep theirs, those of rank 1 follow, and so on.
    """
    if ranks_of(record) == 1 or "rank" not in record.warps:
        return record
    rows, events = dict(record.warps), dict(record.events)
    each = 1 + int(max(part["warp"].max(initial=0) for part in (rows, events) if "warp" in part))
    for part in (rows, events):
        if "warp" in part:
            part["warp"] = (part["warp"] + each * part["rank"]).astype(part["warp"].dtype)
    return dataclasses.replace(record, warps=rows, events=events)
