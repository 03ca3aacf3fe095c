"""The view of factorisations: parameters, measures of a run and of its warps.

The drawing of states and events is in ``player.js`` beside this file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gpucore.families.sgd.record import places_of, vectors_of
from gpucore.families.sgd.result import SgdResult
from gpucore.format import human_time
from gpucore.problems.graph.graph import Graph
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.ratings.split import split
from gpucore.record import Record
from gpucore.record.words import short
from gpucore.result import Result

from ...charts.spec import curve_of
from ...measures import Measure, rest
from ...sources.ratings import SOURCES
from ...view import Extras, View, as_recorded, filled
from .charts import CHARTS
from .choices import CHOICES
from .code import CODE
from .comparisons import COMPARISONS

#: More ratings are recorded as counters: a sweep has an event for each.
MOST_PLAYED = 20_000
#: Rows of the schedule that are shown even if they have nothing to do.
MOST_ROWS = 64
#: Schedules whose parameter counts something else than the rows of their picture.
_OTHER_ROWS = ("fast", "nl_batched")


def result(record: Record, graph: Graph) -> SgdResult:
    """Return the factorisation at the end of an opened record; its time is not recorded."""
    header = record.header
    assert isinstance(graph, Ratings)
    vectors, bias = vectors_of(record, graph.num_vertices)
    tested = list(header["test_rmse"])
    figures = {
        "rmse": float(header["rmse"][-1]),
        "test_rmse": float(tested[-1]) if tested else None,
        "sweeps": len(header["rmse"]) - 1,
        "ratings": int(header["train"]),
        "test_ratings": graph.num_ratings - int(header["train"]),
        "mean": float(header["mean"]),
        "rmse_by_sweep": list(header["rmse"]),
        "test_rmse_by_sweep": tested,
        "seconds_by_sweep": list(header["seconds"]),
        "passes": len(header["passes"]),
        "prepare_seconds": math.nan,
        "updates_per_second": math.nan,
    }
    users = graph.num_users
    return SgdResult(
        **as_recorded(record),
        figures=figures,
        users=vectors[:users],
        items=vectors[users:],
        biases=bias,
    )


def measures(result: Result, graph: Graph) -> list[tuple[str, str]]:
    """Return the lines of the results card for a factorisation."""
    found = result.figures
    lines = [("Training RMSE", f"{float(found['rmse']):.4f}")]
    if found.get("test_rmse") is not None:
        lines.append(("Test RMSE", f"{float(found['test_rmse']):.4f}"))
    lines.append(("Before the first sweep", f"{float(found['rmse_by_sweep'][0]):.4f}"))
    lines.append(("Sweeps", f"{int(found['sweeps']):,}"))
    if found.get("passes") is not None:
        lines.append(("Launches", f"{int(found['passes']):,}"))
    record = result.record
    if record is not None and record.num_steps:
        late = sum(int(record.steps[name].sum()) for name in ("user_busy", "item_busy"))
        lines.append(("Deferrals", f"{late:,}"))
    for label, key, text in (
        ("Updates a second", "updates_per_second", short),
        ("Preprocessing", "prepare_seconds", human_time),
    ):
        value = float(found.get(key, math.nan))
        if math.isfinite(value) and value > 0:
            lines.append((label, text(value)))
    return lines


def apart(results: Sequence[Result]) -> str:
    """Return in a sentence how far the errors of factorisations are from each other."""
    parts = []
    for name, key in (("training", "rmse"), ("test", "test_rmse")):
        found = [float(r.figures[key]) for r in results if r.figures.get(key) is not None]
        if len(found) < len(results):
            continue
        least, most = min(found), max(found)
        share = (most - least) / least if least else 0.0
        parts.append(f"their {name} errors are {least:.4f} to {most:.4f}, {share:.1%} apart")
    return " and ".join(parts).replace("%", " %") + "."


def alike(result: Result, first: Result) -> list[tuple[str, str]]:
    """Return the difference of the training error from that of the first run."""
    more = float(result.figures["rmse"]) - float(first.figures["rmse"])
    return [("RMSE minus the first", f"{more:+.4f}")]


def extras(graph: Graph, header: Mapping[str, Any]) -> Extras:
    """Return the ratings in the order of their numbers, and the data of the schedule.

    Entries ``passes`` and ``barriers`` are those of the record's header, ``lanes`` those of a
    thread of the schedule, ``threads`` the number of threads if it was given, ``tiles`` the users
    and items of a tile, ``held`` how many ratings were for the test. The array ``ratings/place`` is
    the edge of each rating, ``ratings/held`` whether it was for the test.
    """
    assert isinstance(graph, Ratings)
    params = header.get("params", {})
    arrays = {"ratings/place": graph.item_order}
    words: dict[str, Any] = {"variant": str(header.get("variant", ""))}
    if "passes" not in header:
        return words, arrays
    threads = int(params.get("threads", 0))
    words |= {
        "passes": [{"sweep": int(p["sweep"]), "name": str(p["name"])} for p in header["passes"]],
        "barriers": header.get("barriers", []),
        "lanes": int(header["lanes"]),
        "threads": 0 if threads > MOST_ROWS or words["variant"] in _OTHER_ROWS else threads,
    }
    if words["variant"] == "blkdiag":
        words["tiles"] = [int(params["tile_users"]), int(params["tile_items"])]
    parts = split(graph, float(params.get("test", 0.0)), int(params.get("split_seed", 0)))
    held = np.ones(graph.num_ratings, np.uint8)
    held[places_of(parts.train, graph)] = 0
    words["held"] = int(held.sum())
    return words, arrays | ({"ratings/held": held} if held.any() else {})


def no_events_reason(graph: Graph) -> str:
    """Return why runs on many ratings have no events; empty for few."""
    if graph.num_edges <= MOST_PLAYED:
        return ""
    return (
        f"More than {MOST_PLAYED:,} ratings are recorded as counters, and these are "
        f"{graph.num_edges:,}: the charts show every warp, but there are no events to play."
    )


def _deferred(warps: Mapping[str, np.ndarray]) -> np.ndarray:
    late = warps["user_busy"] + warps["item_busy"]
    return 100.0 * late / np.maximum(late + warps["updates"], 1)


VIEW = View(
    family="sgd",
    algorithm="sgd",
    variant="el",
    graph="sample_ratings",
    sources=SOURCES,
    choices=CHOICES,
    state=filled({"updates": 0, "partner": -1}),
    result=result,
    measures=measures,
    objective=curve_of("rmse"),
    objective_label="Training RMSE",
    objective_note="Root of the mean squared error of the ratings that are learned from, computed "
    "after every sweep. A schedule changes the order of the updates, and the error only a little.",
    warp_measures=(
        Measure("Updates", lambda warps: warps["updates"]),
        Measure("Deferred", _deferred, "%"),
        Measure("Idle slots", rest("updates", "user_busy", "item_busy"), "%"),
        Measure("Atomics", lambda warps: warps["atomics"]),
        Measure("Barriers", lambda warps: warps["barriers"]),
        Measure("Scanned", lambda warps: warps["scanned"]),
    ),
    no_events_reason=no_events_reason,
    charts=CHARTS,
    solution="factorisation",
    turn="launch",
    difference_note="Another order of the updates gives other vectors.",
    compared=("updates",),
    comparisons=COMPARISONS,
    alike=alike,
    apart=apart,
    extras=extras,
    columns=("batch", "lane"),
    panels=("race_card:RacePanel", "predictor_card:PredictorPanel"),
    code=CODE,
)
