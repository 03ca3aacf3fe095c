"""Reports of watched kernels and programs, for whoever gathers them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar


class Report(Protocol):
    """What a watched kernel or a program did; prints as a text."""

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""


_gatherers: list[list[Report]] = []
_R = TypeVar("_R", bound=Report)


@contextmanager
def gathered() -> Iterator[list[Report]]:
    """Gather the reports of the calls inside."""
    reports: list[Report] = []
    _gatherers.append(reports)
    try:
        yield reports
    finally:
        _gatherers[:] = [other for other in _gatherers if other is not reports]


def handed_out(report: _R) -> _R:
    """Give a report to all that gather, and return it."""
    for reports in _gatherers:
        reports.append(report)
    return report
