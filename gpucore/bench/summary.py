"""Summary of a results file: a table, profiles, and the ratio to the bandwidth floor."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpucore.bench.profiles import Profile, geometric_mean, performance_profiles
from gpucore.bench.suite import Contest, Data
from gpucore.bench.verdicts import digests_of, is_certified
from gpucore.family import get_family


@dataclass(frozen=True)
class Row:
    """One graph of the summary.

    Attributes
    ----------
    graph : str
        Its name.
    vertices, edges : int
        Its size.
    floor : float
        Seconds that moving the least bytes takes at the measured copy bandwidth.
    champion, rival : float
        Seconds of our best method and of the best rival; NaN where not measured.
    rival_label : str
        Label of that rival.
    rival_quality : float
        The figure of merit of the rival's last run.
    spread : tuple of float
        Least and largest time of the champion's runs; NaN where not measured.
    quality : float
        The figure of merit (weight, ...) of all methods, NaN if they differ by more than rounding;
        where they need not agree, the worst of the champion's runs.
    same : bool
        Whether all methods except peers found the identical solution; where only qualities must
        agree, whether all methods, peers included, have the same one, equal to the graph's fact
        "expected".
    certified : bool
        Whether independent code accepted every solution that it checked.
    proved, solutions : int
        Number of measurements with all solutions accepted by independent code, and of all
        measurements; see :func:`gpucore.bench.judge.judge`.
    peer, peer_label : float and str
        Seconds and label of the fastest other library with published times on this graph.
    peer_quality : float
        The same figure of that library's solution.
    rate : float
        Edges, or another figure of the family, per second of the champion.
    """

    graph: str
    vertices: int
    edges: int
    floor: float
    champion: float
    rival: float
    rival_label: str
    quality: float
    same: bool
    certified: bool
    proved: int = 0
    solutions: int = 0
    peer: float = math.nan
    peer_label: str = ""
    peer_quality: float = math.nan
    rate: float = math.nan
    rival_quality: float = math.nan
    spread: tuple[float, float] = (math.nan, math.nan)

    @property
    def speed_up(self) -> float:
        """Speed-up of the champion over the best rival."""
        return self.rival / self.champion

    @property
    def peer_speed_up(self) -> float:
        """Speed-up of the champion over the fastest other library."""
        return self.peer / self.champion

    @property
    def gap(self) -> float:
        """Ratio of the champion's time to the floor."""
        return self.champion / self.floor


def is_timed(key: str, found: dict[str, Any]) -> bool:
    """Return whether a measurement has a time that reports may show.

    The first run on a device compiles kernels, so its time is never shown. A method on the
    processor compiles nothing; if older results have its first run only, that time counts.
    """
    return "seconds" in found and (found.get("warm", True) or key.endswith("@cpu"))


def case_times(
    data: Data, experiment: str, *, clock: str | None = None, within: str = ""
) -> dict[str, dict[str, float]]:
    """Return ``times[label][graph]`` in seconds, without failed, missing and unwarmed cases.

    Parameters
    ----------
    clock : {"seconds", "after"}, optional
        Time to return; None for the experiment's own. A method without "after" shares no beginning
        with the others; its whole time counts.
    within : str
        Only the graphs of this set; empty for all.
    """
    declared = data["experiments"].get(experiment, {"cases": []})
    clock = clock or declared.get("clock", "seconds")
    times: dict[str, dict[str, float]] = {}
    for case in declared["cases"]:
        found = {
            graph: cases[case["key"]].get(clock, cases[case["key"]]["seconds"])
            for graph, cases in data["measurements"].items()
            if is_timed(case["key"], cases.get(case["key"], {}))
            and (not within or within in sets_of(data, graph))
        }
        if found:
            times[case["label"]] = found
    return times


def least_bytes(data: Data, graph: str) -> float:
    """Return the bytes that any method must move, those that depend on the solution included."""
    facts = data["graphs"][graph]
    each = facts.get("bytes_each", {})
    return float(facts["least_bytes"]) + sum(
        size * common_measure(data, graph, name) for name, size in each.items()
    )


def common_measure(data: Data, graph: str, name: str) -> float:
    """Return a measure that is the same for every method; an empty name means the edges."""
    if not name:
        return int(data["graphs"][graph]["edges"])
    found = (case.get("figures", {}) for case in data["measurements"].get(graph, {}).values())
    return next((measures[name] for measures in found if name in measures), 0)


def sets_of(data: Data, graph: str) -> list[str]:
    """Return the sets of a graph; empty if its family has no sets."""
    sets: list[str] = data["graphs"][graph].get("sets", [])
    return sets


def all_sets(data: Data) -> list[str]:
    """Return the sets of all measured graphs, in the order of their first graph."""
    return list(dict.fromkeys(s for graph in data["measurements"] for s in sets_of(data, graph)))


def experiment_profiles(data: Data, experiment: str, within: str = "") -> list[Profile]:
    """Return the performance profiles over all graphs of the experiment."""
    times = case_times(data, experiment, within=within)
    graphs = [g for g in data["measurements"] if any(g in row for row in times.values())]
    table = {label: [row.get(g, math.inf) for g in graphs] for label, row in times.items()}
    return performance_profiles(table) if graphs else []


def summarise(
    data: Data,
    contest: Contest,
    quality: str,
    peers: Sequence[dict[str, Any]] = (),
    *,
    rated: str = "",
) -> list[Row]:
    """Return one row for every measured graph, in the order of measuring.

    Parameters
    ----------
    data : dict
        Content of a results file.
    contest : Contest
        The compared methods.
    quality : str
        Name of the figure that must be equal for all.
    peers : sequence of dict
        Published times of other libraries; see :func:`gpucore.bench.results.read_peers`.
    rated : str
        See :class:`gpucore.bench.suite.Suite`.
    """
    ours = case_times(data, contest.experiment, clock="seconds").get(contest.champion, {})
    rivals = rival_times(data, contest)
    bandwidth = data["copy"]["bandwidth"]
    rows = []
    for name, cases in data["measurements"].items():
        graph = data["graphs"][name]
        done = [case for case in cases.values() if "seconds" in case]
        best = min(
            ((row[name], label) for label, row in rivals.items() if name in row), default=None
        )
        ours_all = [case for case in done if not case["peer"]]  # peers may break ties differently
        same = len({digest for case in ours_all for digest in digests_of(case)}) == 1
        if contest.agree == "nothing":
            common = _worst(data, contest, name)
        else:
            common = _common(ours_all if contest.agree == "solution" else done, quality)
        if contest.agree == "quality":
            same = math.isfinite(common) and common == graph.get("expected", common)
        rows.append(
            Row(
                graph=name,
                vertices=graph["vertices"],
                edges=graph["edges"],
                floor=least_bytes(data, name) / bandwidth,
                champion=ours.get(name, math.nan),
                rival=math.nan if best is None else best[0],
                rival_label="" if best is None else best[1],
                quality=common,
                same=same,
                certified=bool(done) and all(case["certified"] is not False for case in done),
                proved=sum(is_certified(case) for case in done),
                solutions=len(done),
                rate=common_measure(data, name, rated) / ours.get(name, math.nan),
                rival_quality=_quality_of(data, contest, name, best and best[1], quality),
                spread=_spread(_measured(data, (contest.experiment,), contest.champion, name)),
                **_fastest_peer(name, quality, peers),
            )
        )
    return rows


def with_measured(
    data: Data, quality: str, published: Sequence[dict[str, Any]] = ()
) -> list[dict[str, Any]]:
    """Return times of other libraries: those of the experiment "peers", and published ones.

    Returns
    -------
    list of dict
        As :func:`gpucore.bench.results.read_peers` returns them; measured ones have ``runs`` too.
    """
    cases = data["experiments"].get("peers", {"cases": []})["cases"]
    measured = [
        {
            "method": case["label"],
            "graph": graph,
            "seconds": found[case["key"]]["seconds"],
            "runs": found[case["key"]]["runs"],
            **_known(quality, found[case["key"]]["figures"].get(quality)),
        }
        for graph, found in data["measurements"].items()
        for case in cases
        if case["peer"] and is_timed(case["key"], found.get(case["key"], {}))
    ]
    return [*measured, *published]


def _known(name: str, value: Any) -> dict[str, Any]:
    return {} if value is None else {name: value}


def rival_times(
    data: Data, contest: Contest, clock: str = "seconds"
) -> dict[str, dict[str, float]]:
    """Return ``times[label][graph]`` of all rivals of the champion."""
    rows = {
        label: row
        for experiment in contest.rivals
        for label, row in case_times(data, experiment, clock=clock).items()
    }
    rows.pop(contest.champion, None)
    return rows


def _common(cases: list[dict[str, Any]], quality: str) -> float:
    """Return the common quality of all cases; NaN if they differ."""
    values = [case["figures"].get(quality, math.nan) for case in cases]
    values += [q for case in cases for q in case.get("qualities", ()) if q is not None]
    agree = bool(values) and all(math.isclose(v, values[0], rel_tol=1e-6) for v in values)
    return values[0] if agree else math.nan


def minimised(data: Data) -> bool:
    """Return whether a smaller quality is better in a family's results."""
    return get_family(data["family"]).objective[1] == "min"


def _worst(data: Data, contest: Contest, graph: str) -> float:
    """Return the worst quality of the champion's runs; NaN if it was not measured."""
    worst = max if minimised(data) else min
    for case in data["experiments"].get(contest.experiment, {"cases": []})["cases"]:
        if case["label"] == contest.champion:
            found = data["measurements"][graph].get(case["key"], {})
            return worst(found.get("qualities", [math.nan]))
    return math.nan


def _measured(
    data: Data, experiments: Sequence[str], label: str | None, graph: str
) -> dict[str, Any]:
    """Return the measurement of the case with this label; empty if there is none."""
    for experiment in experiments:
        for case in data["experiments"].get(experiment, {"cases": []})["cases"]:
            if case["label"] == label and case["key"] in data["measurements"][graph]:
                found: dict[str, Any] = data["measurements"][graph][case["key"]]
                return found
    return {}


def _quality_of(data: Data, contest: Contest, graph: str, label: str | None, quality: str) -> float:
    figures = _measured(data, contest.rivals, label, graph).get("figures", {})
    return float(figures.get(quality) or math.nan)


def _spread(found: dict[str, Any]) -> tuple[float, float]:
    """Return the least and the largest time of a measurement's runs."""
    runs = found.get("runs") or [math.nan]
    return min(runs), max(runs)


def _fastest_peer(graph: str, quality: str, peers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    here = [peer for peer in peers if peer["graph"] == graph]
    best = min(here, key=lambda peer: peer["seconds"], default=None)
    if best is None:
        return {}
    return {
        "peer": best["seconds"],
        "peer_label": best["method"],
        "peer_quality": best.get(quality, math.nan),
    }


def mean_speed_up(rows: list[Row]) -> float:
    """Return the geometric mean of the champion's speed-ups; NaN if nothing is comparable."""
    known = [row.speed_up for row in rows if math.isfinite(row.speed_up)]
    return geometric_mean(known) if known else math.nan
