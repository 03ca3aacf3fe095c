"""Queries of a results file for plots and tables of stable marriage."""

from __future__ import annotations

from typing import Any

from gpucore.bench.suite import Data
from gpucore.bench.summary import is_timed, sets_of

#: Methods on one thread; speed-ups are over the faster one.
SEQUENTIAL = ("gale_shapley", "mcvitie_wilson")


def runs_of(data: Data, experiment: dict[str, Any]) -> dict[str, dict[str, dict[str, Any]]]:
    """Return the measurements of an experiment's cases on its graphs.

    Returns
    -------
    dict
        ``runs[label][graph]``: the measurement and its "label"; failed runs are left out.
    """
    runs: dict[str, dict[str, dict[str, Any]]] = {}
    for case in experiment["cases"]:
        for graph, cases in data["measurements"].items():
            found = cases.get(case["key"], {})
            if is_timed(case["key"], found) and experiment["within"] in ["", *sets_of(data, graph)]:
                runs.setdefault(case["label"], {})[graph] = found | {"label": case["label"]}
    return runs


def fastest_sequential(data: Data, graph: str) -> float | None:
    """Return the time of the faster sequential method; None if none was measured."""
    found = (data["measurements"][graph].get(f"{runner}()@cpu", {}) for runner in SEQUENTIAL)
    return min((run["seconds"] for run in found if "seconds" in run), default=None)


def rate(found: dict[str, Any]) -> float:
    """Return considered places a second; see the paper's figures 7 and 8."""
    return float(found["figures"]["considered"] / max(found["seconds"], 1e-9))
