"""Charts as data: JSON-able, drawn as SVG here and by Bokeh in the app."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from gpucore.bench.profiles import performance_profiles

#: How the points of a series are joined.
Mark = Literal["line", "step", "dot", "bar"]


@dataclass(frozen=True)
class Series:
    """One row of points: its name, places and values, perhaps with limits of a deviation."""

    name: str
    x: list[float]
    y: list[float]
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Chart:
    """A chart.

    Attributes
    ----------
    title, x_label, y_label : str
        Texts.
    series : list of Series
        Rows of points.
    mark : {"line", "step", "dot", "bar"}
        How points are drawn; a step holds its value to the right.
    x_log, y_log : bool
        Whether the axes are logarithmic.
    categories : list of str
        Names of the places 0, 1, ... on the axis; empty for numbers.
    """

    title: str
    x_label: str
    y_label: str
    series: list[Series]
    mark: Mark = "line"
    x_log: bool = False
    y_log: bool = False
    categories: list[str] = field(default_factory=list)

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON."""
        return asdict(self)


def chart_of(data: Mapping[str, Any]) -> Chart:
    """Return the chart of :meth:`Chart.as_dict`."""
    return Chart(**{**data, "series": [Series(**row) for row in data["series"]]})


def by_instance(
    title: str,
    values: Mapping[str, Mapping[str, float]],
    y_label: str,
    *,
    order: Sequence[str] | None = None,
    mark: Mark = "dot",
    y_log: bool = True,
) -> list[Chart]:
    """Return a chart with a place for every instance, or nothing without values.

    Parameters
    ----------
    values : mapping
        ``values[series][instance]``.
    order : sequence of str, optional
        Instances in their order.
    """
    names = list(order or dict.fromkeys(name for row in values.values() for name in row))
    places = {name: number for number, name in enumerate(names)}
    series = [
        Series(label, [float(places[n]) for n in row if n in places], [row[n] for n in row])
        for label, row in values.items()
        if row and set(row) <= set(places)
    ]
    if not series:
        return []
    return [Chart(title, "", y_label, series, mark, y_log=y_log, categories=names)]


def profile(title: str, times: Mapping[str, Mapping[str, float]]) -> list[Chart]:
    """Return a performance profile: share of instances over the ratio to the best time."""
    instances = list(dict.fromkeys(name for row in times.values() for name in row))
    rows = {label: [row.get(n, math.inf) for n in instances] for label, row in times.items()}
    if not instances or len(rows) < 2:
        return []
    profiles = performance_profiles(rows)
    end = max((float(p.ratios[-1]) for p in profiles if len(p.ratios)), default=1.0) * 1.1
    series = []
    for one in profiles:
        x = [1.0, *map(float, one.ratios), end]
        y = [one.wins, *((i + 1) / one.problems for i in range(len(one.ratios)))]
        series.append(Series(one.method, x, [*y, y[-1]]))
    return [Chart(title, "time by the best time", "share of instances", series, "step", True)]


def in_order(title: str, ratios: Mapping[str, Mapping[str, float]], y_label: str) -> list[Chart]:
    """Return series of ratios, each sorted from the largest to the smallest."""
    series = [
        Series(label, [float(i + 1) for i in range(len(row))], sorted(row.values(), reverse=True))
        for label, row in ratios.items()
        if row
    ]
    if not series:
        return []
    # Nothing lies between two instances, so no line joins them.
    words = "instance, in the order of each series"
    return [Chart(title, words, y_label, series, "dot", y_log=True)]
