"""Replay records of any family."""

from __future__ import annotations

from typing import Any

from gpucore.errors import ParameterError, RecordError
from gpucore.family import get_family
from gpucore.record.kind import RecordKind
from gpucore.record.record import Record
from gpucore.record.timeline import Timeline


def record_kind(family: str) -> RecordKind:
    """Return the declaration of a family's records; RecordError for an unknown family."""
    try:
        return get_family(family).load_record()
    except ParameterError:
        raise RecordError(
            f"the family {family[:40]!r} has no words for its events; update Warplens, or make "
            "the record again"
        ) from None


def timeline_of(record: Record) -> Timeline:
    """Return a record's state changes; RecordError if it is damaged or its family is unknown."""
    return record_kind(record.header["family"]).timeline(record)


def retold(record: Record, problem: Any) -> Record:
    """Return a record as one made now, see :class:`gpucore.record.kind.RecordKind`.

    Parameters
    ----------
    record : Record
        It may be from a file of an earlier version.
    problem
        What it was made on, prepared for the family.
    """
    make = record_kind(record.header["family"]).retold
    return record if make is None or not record.num_events else make(record, problem)
