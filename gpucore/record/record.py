"""Record of one run: columns of numbers and a header."""

from __future__ import annotations

import platform
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from gpucore.errors import RecordError
from gpucore.format import counted
from gpucore.record import storage
from gpucore.record.storage import SCHEMA, STATES, TABLES

if TYPE_CHECKING:
    from gpucore.record.recorder import RawRecord
    from gpucore.result import Result

Columns = Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Record:
    """Record of one run.

    Attributes
    ----------
    header : dict
        JSON-able: schema, family, algorithm, variant, params, graph (name, n, m, fingerprint,
        source), device, versions, level, lost (events, rows), consistent, created, clock
        (unit: "ns" or "steps").
    steps : mapping of str to ndarray, shape (steps,)
        One row per iteration, summed over the warps: iteration, the family's counters, and the
        objective so far.
    warps : mapping of str to ndarray, shape (rows,)
        One row per warp and iteration with work; ``rank`` is the number of the device.
    events : mapping of str to ndarray, shape (events,)
        iteration, warp, lane, kind, a, b, c, value, batch, time, rank; in a possible order of
        execution. Old records have no ``time`` (int64, see :func:`elapsed`).
    initial, final : mapping of str to ndarray, shape (n,)
        The state before the first and after the last event.
    """

    header: dict[str, Any]
    steps: Columns
    warps: Columns
    events: Columns
    initial: Columns
    final: Columns

    def __post_init__(self) -> None:
        for name in TABLES:
            lengths = {len(column) for column in getattr(self, name).values()}
            if len(lengths) > 1:
                raise RecordError(
                    f"the columns of table {name!r} have different lengths {sorted(lengths)}; "
                    "the record is damaged, make it again"
                )
        for name in (*TABLES, *STATES):
            for column in getattr(self, name).values():
                column.flags.writeable = False

    @property
    def num_events(self) -> int:
        """Number of stored events."""
        return len(next(iter(self.events.values()), ()))

    @property
    def num_steps(self) -> int:
        """Number of stored iterations."""
        return len(next(iter(self.steps.values()), ()))

    @property
    def clock(self) -> str | None:
        """Unit of the events' times, "ns" or "steps"; None without times."""
        if "time" not in self.events:
            return None
        return str(self.header["clock"]["unit"])

    @property
    def lost_events(self) -> int:
        """Number of events that did not fit into the buffer."""
        return int(self.header["lost"]["events"])

    def __repr__(self) -> str:
        header = self.header
        return (
            f"<Record of {header['algorithm']}/{header['variant']} on "
            f"{header['graph']['name'] or 'a graph'}: {counted(self.num_steps, 'step')}, "
            f"{counted(self.num_events, 'event')}, {self.lost_events} lost>"
        )

    def save(self, path: str | Path) -> None:
        """Write the record to one file, see :func:`gpucore.record.storage.save`."""
        storage.save(self.header, self._columns, path)

    def to_bytes(self) -> bytes:
        """Return the file that :meth:`save` writes."""
        return storage.to_bytes(self.header, self._columns)

    @property
    def _columns(self) -> dict[str, Columns]:
        return {part: getattr(self, part) for part in (*TABLES, *STATES)}

    @classmethod
    def load(cls, path: str | Path, *, max_bytes: int = storage.MAX_BYTES) -> Record:
        """Read a record from a file, see :func:`gpucore.record.storage.read`."""
        header, columns = storage.read(path, max_bytes=max_bytes)
        return cls(header=header, **columns)

    @classmethod
    def from_bytes(cls, name: str, content: bytes, *, max_bytes: int = storage.MAX_BYTES) -> Record:
        """Read a record from the bytes of a file, for instance of an upload."""
        header, columns = storage.from_bytes(name, content, max_bytes=max_bytes)
        return cls(header=header, **columns)


class About(TypedDict):
    """What ran; see :func:`make_header`."""

    algorithm: str
    params: Mapping[str, Any]
    device: Mapping[str, Any]


def about(result: Result) -> About:
    """Return what ran, as functions that make records take it."""
    return {"algorithm": result.algorithm, "params": result.params, "device": result.device}


def make_header(
    raw: RawRecord,
    graph: Any,
    *,
    family: str,
    algorithm: str,
    params: Mapping[str, Any],
    device: Mapping[str, Any],
    fingerprint: str | None = None,
) -> dict[str, Any]:
    """Return the header of a record: the facts needed to cite and repeat the run.

    Parameters
    ----------
    raw : RawRecord
        The raw data.
    graph : Graph or GraphPart
        The problem.
    family, algorithm : str
        Names of both.
    params, device : mapping
        Parameters of the run, its variant among them, and
        :meth:`gpucore.device.Device.describe`, JSON-able.
    fingerprint : str, optional
        Fingerprint of the problem, if it is not an attribute of it.

    Returns
    -------
    dict
        See :attr:`Record.header`.
    """
    return {
        "schema": SCHEMA,
        "family": family,
        "algorithm": algorithm,
        "variant": str(params.get("variant", "")),
        "params": dict(params),
        "graph": {
            "name": graph.name,
            "n": graph.num_vertices,
            "m": graph.num_edges,
            "fingerprint": graph.fingerprint if fingerprint is None else fingerprint,
            "source": dict(graph.source),
        },
        "device": dict(device),
        "versions": versions(),
        "level": raw.level,
        "lost": {"events": raw.lost_events, "rows": raw.merged_rows},
        "clock": {"unit": raw.clock},
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def versions() -> dict[str, str]:
    """Return the versions that a run depends on."""
    others = {"numpy": np.__version__, "python": platform.python_version()}
    return {"warplens": own_version(), **others}


@cache
def own_version() -> str:
    """Return the installed version; it is read from a file."""
    try:
        return version("warplens")
    except PackageNotFoundError:  # a checkout that is not installed
        return "unknown"


def event_columns(raw: RawRecord) -> dict[str, np.ndarray]:
    """Split events into columns.

    Parameters
    ----------
    raw : RawRecord
        Raw data with events as kernels write them (:mod:`gpucore.record.recorder`).

    Returns
    -------
    dict of str to ndarray, shape (events,)
        iteration, warp, a, b, c, batch (int32), kind, lane (uint8), value (float32), rank (int16).
    """
    words = np.ascontiguousarray(raw.events, dtype=np.uint32)
    signed = words.view(np.int32)
    return {
        "iteration": signed[:, 0].copy(),
        "warp": signed[:, 1].copy(),
        "lane": (words[:, 2] >> 8).astype(np.uint8),
        "kind": (words[:, 2] & 0xFF).astype(np.uint8),
        "a": signed[:, 3].copy(),
        "b": signed[:, 4].copy(),
        "c": signed[:, 5].copy(),
        "value": words.view(np.float32)[:, 6].copy(),
        "batch": signed[:, 7].copy(),
        "rank": raw.event_rank.astype(np.int16),
    }


def reordered(
    columns: Columns, order: np.ndarray, times: np.ndarray | None
) -> dict[str, np.ndarray]:
    """Return the columns of events in another order, and their times; see :func:`elapsed`.

    Old records have no `times`.
    """
    ordered = {name: column[order] for name, column in columns.items()}
    return ordered if times is None else ordered | {"time": elapsed(times[order])}


def elapsed(times: np.ndarray) -> np.ndarray:
    """Return events' times relative to the first event, never decreasing.

    A warp reads the time after the operation that the event describes. So the times of two events
    may contradict their order if the operations overlapped; the later event then gets the time of
    the event before it.

    Parameters
    ----------
    times : ndarray of uint64, shape (events,)
        :attr:`RawRecord.times`, in the order of the record.

    Returns
    -------
    ndarray of int64, shape (events,)
        Times from 0, never decreasing.
    """
    risen = np.maximum.accumulate(times)
    return (risen - risen[:1]).astype(np.int64)


def row_columns(raw: RawRecord, words: tuple[str, ...], floats: tuple[str, ...]) -> Columns:
    """Split rows into columns; rows of idle warps are left out.

    Parameters
    ----------
    raw : RawRecord
        Raw data with rows as kernels write them, shape (iterations, warps, 8).
    words : tuple of str
        Names of the family's columns in the 8 words.
    floats : tuple of str
        The words that hold a float32.

    Returns
    -------
    dict of str to ndarray, shape (rows,)
        iteration and warp (int32), rank (int16) and the words (int64 or float32), by iteration,
        then warp.
    """
    iteration, warp = np.nonzero(raw.rows.any(axis=2))
    busy = raw.rows[iteration, warp]
    columns: dict[str, np.ndarray] = {
        "iteration": iteration.astype(np.int32),
        "warp": warp.astype(np.int32),
        "rank": raw.warp_rank[warp].astype(np.int16),
    }
    for i, name in enumerate(words):
        word = np.ascontiguousarray(busy[:, i])
        columns[name] = word.view(np.float32) if name in floats else word.astype(np.int64)
    return columns


def sum_by_iteration(warps: Columns, names: tuple[str, ...], steps: int) -> dict[str, np.ndarray]:
    """Add up the warps' rows of each iteration: int64, or float64 for floats."""
    sums = {}
    for name in names:
        total = np.bincount(warps["iteration"], weights=warps[name], minlength=steps)
        whole = np.issubdtype(warps[name].dtype, np.integer)
        sums[name] = total.astype(np.int64) if whole else total
    return sums
