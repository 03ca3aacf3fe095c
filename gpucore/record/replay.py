"""From a record to its replay, whichever family it is of."""

from __future__ import annotations

from gpucore.errors import ParameterError, RecordError
from gpucore.family import get_family
from gpucore.record.kind import RecordKind
from gpucore.record.record import Record
from gpucore.record.timeline import Timeline


def record_kind(family: str) -> RecordKind:
    """Return what the records of a family consist of; RecordError if it is not known here."""
    try:
        return get_family(family).load_record()
    except ParameterError:
        raise RecordError(
            f"the family {family[:40]!r} has no words for its events; update Warpscope, or make "
            "the record again"
        ) from None


def timeline_of(record: Record) -> Timeline:
    """Return the state changes of a record; RecordError if it is damaged or of no known family."""
    return record_kind(record.header["family"]).timeline(record)
