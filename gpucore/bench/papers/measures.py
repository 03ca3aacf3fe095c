"""Queries of results by case: times, ratios, and what they say about a statement."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from gpucore.bench.papers.declare import Finding
from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Case, Data
from gpucore.bench.summary import is_timed, sets_of

Rows = dict[str, dict[str, float]]
#: The least share of the instances for what a paper says of most of them. Just over a half is what
#: chance gives two methods that are equally fast.
MOST = 2 / 3


class Declared(NamedTuple):
    """A case as a results file declares it."""

    label: str
    key: str


def declared(data: Data, experiment: str) -> list[Declared]:
    """Return the cases of an experiment in a results file."""
    cases = data["experiments"].get(experiment, {"cases": []})["cases"]
    return [Declared(case["label"], case["key"]) for case in cases]


def found_of(data: Data, case: Case | Declared, within: str = "") -> dict[str, dict[str, Any]]:
    """Return a case's measurements by instance; those without a warm time are left out."""
    return {
        name: cases[case.key]
        for name, cases in data["measurements"].items()
        if is_timed(case.key, cases.get(case.key, {}))
        and (not within or within in sets_of(data, name))
    }


def times(data: Data, cases: Iterable[Case], *, clock: str = "seconds", within: str = "") -> Rows:
    """Return ``times[label][instance]`` in seconds of the cases that were measured.

    Parameters
    ----------
    clock : {"seconds", "after"}
        See :attr:`gpucore.bench.suite.Suite.before`; without "after" the whole time counts.
    """
    rows = {}
    for case in cases:
        row = {
            name: float(found.get(clock, found["seconds"]))
            for name, found in found_of(data, case, within).items()
        }
        if row:
            rows[case.label] = row
    return rows


def values(data: Data, cases: Iterable[Case], figure: str, within: str = "") -> Rows:
    """Return ``values[label][instance]`` of a figure; runs that were not warm count too."""
    rows: Rows = {}
    for case in cases:
        for name, measured in data["measurements"].items():
            figures = measured.get(case.key, {}).get("figures", {})
            if figures.get(figure) is not None and (not within or within in sets_of(data, name)):
                rows.setdefault(case.label, {})[name] = float(figures[figure])
    return rows


def ratio(above: Mapping[str, float], below: Mapping[str, float]) -> dict[str, float]:
    """Return the ratios of two rows where both have values."""
    return {
        name: max(above[name], 1e-9) / max(below[name], 1e-9) for name in above if name in below
    }


def speed_ups(rows: Rows, champion: str) -> Rows:
    """Return how many times as fast as each other method the champion is."""
    if champion not in rows:
        return {}
    found = {label: ratio(row, rows[champion]) for label, row in rows.items() if label != champion}
    return {label: row for label, row in found.items() if row}


def number(value: float) -> str:
    """Return a number with three digits.

    >>> number(0.0123), number(41.66), number(1234.5)
    ('0.0123', '41.7', '1,234')
    """
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def span(row: Iterable[float], unit: str = "×") -> str | None:
    """Return the least, the largest and the mean of some values; None without any.

    >>> span([1.0, 3.0])
    '1 to 3 ×, mean 2 (geometric 1.73), 2 instances'
    """
    found = list(row)
    if not found:
        return None
    mean = sum(found) / len(found)
    words = f"{number(min(found))} to {number(max(found))} {unit}, mean {number(mean)}"
    if min(found) > 0:
        words += f" (geometric {number(geometric_mean(found))})"
    return f"{words}, {len(found)} instance{'s' * (len(found) > 1)}"


def percent(shares: Iterable[float]) -> str | None:
    """Return the mean of some shares in percent; None without any."""
    found = list(shares)
    return f"{sum(found) / len(found):.1%}" if found else None


def mostly(row: Mapping[str, float], *, least: float = 1.0, share: float = 1.0) -> Finding | None:
    """Return whether at least a share of the values is above a bound.

    Parameters
    ----------
    row : mapping
        A ratio for each instance.
    least : float
        The bound.
    share : float
        The share of the instances that must be above it.
    """
    if not row:
        return None
    above = sum(value > least for value in row.values())
    words = f"on {above} of {len(row)} instances; {span(row.values())}"
    return Finding(above >= share * len(row), words)


def between(value: float | None, low: float, high: float, words: str) -> Finding | None:
    """Return whether a number lies between two others."""
    return None if value is None else Finding(low <= value <= high, words)
