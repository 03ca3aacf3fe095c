"""Plots of the experiments in a results file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from gpucore.bench.plots.curves import levels_plot, overall_plot, speed_up_profile_plot
from gpucore.bench.plots.profile import profile_plot, time_plot
from gpucore.bench.plots.studies import (
    Grid,
    grid_plot,
    speed_up_plot,
    stage_plot,
)
from gpucore.bench.plots.svg import stack
from gpucore.bench.plots.tradeoff import Point, time_quality_plot
from gpucore.bench.profiles import geometric_mean
from gpucore.bench.suite import Data
from gpucore.bench.summary import (
    all_sets,
    case_times,
    experiment_profiles,
    is_timed,
    minimised,
)


def plots(data: Data, quality: str, peers: Sequence[dict[str, Any]] = ()) -> dict[str, str]:
    """Return an SVG for every experiment that has results, by experiment.

    Parameters
    ----------
    quality : str
        Name of the figure of merit.
    peers : sequence of dict
        Other libraries' published times, added to the plots of times.
    """
    drawn = {}
    for name, experiment in data["experiments"].items():
        sets = (all_sets(data) if experiment.get("by_set") else []) or [
            experiment.get("within", "")
        ]
        found = (
            _draw(data, name, experiment, quality, peers, within)
            for within in sets
            if case_times(data, name, within=within)
        )
        if parts := [picture for picture in found if picture is not None]:
            drawn[name] = stack(experiment["title"], parts)
    return drawn


def _draw(
    data: Data,
    name: str,
    experiment: dict[str, Any],
    quality: str,
    peers: Sequence[dict[str, Any]],
    within: str,
) -> str | None:
    """Return an experiment's plot; None if there are too few measurements."""
    title, kind = experiment["title"], experiment["plot"]
    if within and experiment.get("by_set"):
        title = f"{title}: {within}"
    times = case_times(data, name, within=within)
    if kind == "none":
        return None
    if kind == "profile":
        order = [case["label"] for case in experiment["cases"]]
        return profile_plot(title, experiment_profiles(data, name, within), order)
    if kind in ("speed-up profile", "overall speed-up"):
        return _draw_references(data, name, experiment, title, within)
    if kind == "time-quality":
        everyone = experiment.get("all_peers", False)
        points = time_quality(data, name, quality, peers if everyone else ())
        return time_quality_plot(title, points, smallest=minimised(data))
    if kind == "levels":
        return levels_plot(title, _levels(data, experiment))
    if kind == "speed-up":
        labels = {case["key"]: case["label"] for case in experiment["cases"]}
        base = labels[experiment["baseline"]]
        others = [g for label, row in times.items() if label != base for g in row]
        if not set(times.get(base, {})) & set(others):
            return None
        return speed_up_plot(title, times, base)
    if kind == "stages":
        stages = dict(_stages(data, experiment))
        return stage_plot(title, stages) if stages else None
    if kind in ("grid-quality", "grid-speed"):
        return _draw_grid(data, experiment, quality if kind == "grid-quality" else None)
    where = {case["key"].rpartition("@")[2] for case in experiment["cases"]}
    everyone = experiment.get("all_peers", False)
    beside = [peer for peer in peers if everyone or peer.get("where", "device") in where]
    return time_plot(title, times | _peer_times(data, beside))


def _draw_references(
    data: Data, name: str, experiment: dict[str, Any], title: str, within: str
) -> str | None:
    """Draw the speed-ups over the references: their profile, or their means."""
    labels = {case["key"]: case["label"] for case in experiment["cases"]}
    references = [labels[key] for key in experiment["references"]]
    if experiment["plot"] == "speed-up profile":
        return speed_up_profile_plot(title, case_times(data, name, within=within), references)
    times = {s: case_times(data, name, within=s) for s in all_sets(data) or [""]}
    return overall_plot(title, times, references)


def _levels(data: Data, experiment: dict[str, Any]) -> dict[str, dict[str, list[int]]]:
    """Return the levels of every phase, ``levels[graph][method]``, where all cases report them."""
    levels: dict[str, dict[str, list[int]]] = {}
    for graph, cases in data["measurements"].items():
        found = {
            case["label"]: cases.get(case["key"], {}).get("kept", {}).get("phase_levels")
            for case in experiment["cases"]
        }
        if all(found.values()):
            levels[graph] = found
    return levels


def time_quality(
    data: Data, experiment: str, quality: str, peers: Sequence[dict[str, Any]] = ()
) -> dict[str, dict[str, list[Point]]]:
    """Return ``points[graph][curve]``: seconds and quality of every case and every peer.

    Cases without a curve of their own are curves of one point.
    """
    points: dict[str, dict[str, list[Point]]] = {}
    for case in data["experiments"][experiment]["cases"]:
        for graph, cases in data["measurements"].items():
            found = cases.get(case["key"], {})
            if is_timed(case["key"], found) and quality in found["figures"]:
                line = case.get("line") or case["label"]
                point = Point(found["seconds"], float(found["figures"][quality]), case["label"])
                points.setdefault(graph, {}).setdefault(line, []).append(point)
    for peer in peers:
        if peer["graph"] in points and quality in peer:
            point = Point(peer["seconds"], float(peer[quality]), peer["method"])
            points[peer["graph"]].setdefault(peer["method"], []).append(point)
    return points


def _peer_times(data: Data, peers: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the peers' times on the graphs that were measured here."""
    times: dict[str, dict[str, float]] = {}
    for peer in peers:
        if peer["graph"] in data["measurements"]:
            times.setdefault(peer["method"], {})[peer["graph"]] = peer["seconds"]
    return times


def _stages(data: Data, experiment: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield the graphs with the stages of the experiment's first case."""
    key = experiment["cases"][0]["key"]
    for graph, cases in data["measurements"].items():
        if stages := cases.get(key, {}).get("kept", {}).get("stages"):
            yield graph, stages


def _draw_grid(data: Data, experiment: dict[str, Any], quality: str | None) -> str | None:
    """Draw the mean over all graphs at all pairs of values: of the quality, else of the speed."""
    rows = grid_ratios(data, experiment, quality)
    pairs = {pair for row in rows.values() for pair in row}
    whole = [row for row in rows.values() if len(row) == len(pairs)]  # a mean needs all pairs
    if not whole:
        return None
    values: dict[float, dict[float, float]] = {}
    for place, line in pairs:
        mean = sum(row[place, line] for row in whole) / len(whole)
        values.setdefault(line, {})[place] = mean
    reference = "the best"
    if quality and _has_baseline(data, experiment, rows):
        reference = experiment["baseline"].partition("(")[0]
    graphs = f"{len(whole)} graph{'s' * (len(whole) > 1)}"
    what = f"{quality or 'speed'} relative to {reference}, mean of {graphs}"
    axes = (experiment["axes"][0], experiment["axes"][1])
    return grid_plot(experiment["title"], Grid(axes, values), what)


def grid_ratios(
    data: Data, experiment: dict[str, Any], quality: str | None
) -> dict[str, dict[tuple[float, float], float]]:
    """Return the quality, or the speed, on every graph relative to a reference.

    The reference is the baseline's quality if it was measured on all these graphs, otherwise the
    best value on each graph.

    Returns
    -------
    dict
        ``ratios[graph][values of the two axes]``.
    """
    merits = _grid_merits(data, experiment, quality)
    best = min if quality and minimised(data) else max
    references = {graph: best(found.values()) for graph, found in merits.items()}
    if quality and _has_baseline(data, experiment, merits):
        key = experiment["baseline"]
        references = {
            graph: float(data["measurements"][graph][key]["figures"][quality]) for graph in merits
        }
    return {
        graph: {pair: value / references[graph] for pair, value in found.items()}
        for graph, found in merits.items()
        if references[graph] != 0
    }


def _grid_merits(
    data: Data, experiment: dict[str, Any], quality: str | None
) -> dict[str, dict[tuple[float, float], float]]:
    """Return quality or speed at all measured pairs of values, by graph."""
    merits: dict[str, dict[tuple[float, float], float]] = {}
    along, line = experiment["axes"]
    for graph, cases in data["measurements"].items():
        for case in (cases.get(case["key"], {}) for case in experiment["cases"]):
            if "seconds" in case and (quality or case.get("warm", True)):
                pair = (case["params"][along], case["params"][line])
                merits.setdefault(graph, {})[pair] = _merit(case, quality)
    return merits


def _has_baseline(data: Data, experiment: dict[str, Any], graphs: Iterable[str]) -> bool:
    key = experiment["baseline"]
    return all("seconds" in data["measurements"][graph].get(key, {}) for graph in graphs)


def _merit(case: dict[str, Any], quality: str | None) -> float:
    return float(case["figures"][quality]) if quality else 1.0 / case["seconds"]


def peer_speed_ups(
    data: Data,
    experiment: str,
    peers: Sequence[dict[str, Any]],
    *,
    clock: str | None = None,
    more: Mapping[str, Mapping[str, float]] | None = None,
) -> list[dict[str, Any]]:
    """Return the speed-ups of our methods over each peer.

    Peers are published methods, and the experiment's methods on the processor.

    Parameters
    ----------
    clock
        As for :func:`gpucore.bench.summary.case_times`.
    more : mapping
        Times of further methods of ours, ``more[method][graph]``.

    Returns
    -------
    list of dict
        ``method`` (ours), ``peer``, ``graphs`` (that both were measured on), ``mean`` (geometric)
        and ``least``.
    """
    found = []
    times = case_times(data, experiment, clock=clock)
    cases = data["experiments"].get(experiment, {"cases": []})["cases"]
    beside = {case["label"] for case in cases if case["key"].endswith("@cpu")}
    against = {label: row for label, row in times.items() if label in beside}
    against |= _peer_times(data, peers)
    ours = {label: row for label, row in times.items() if label not in beside}
    for method, row in {**(more or {}), **ours}.items():
        for peer, theirs in against.items():
            ratios = [theirs[graph] / row[graph] for graph in theirs if graph in row]
            if ratios and math.isfinite(max(ratios)):
                found.append(
                    {
                        "method": method,
                        "peer": peer,
                        "graphs": len(ratios),
                        "mean": geometric_mean(ratios),
                        "least": min(ratios),
                    }
                )
    return found
