"""The view of runs of b-Suitor: parameters, measures of a run and of its warps.

The drawing of states and events is in ``player.js`` beside this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gpucore.errors import RecordError
from gpucore.families.bmatching.capacity import DEFAULT_B
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.families.matching.result import MatchingResult
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record
from gpucore.record.words import short
from gpucore.result import Result, from_pairs

from ...charts.spec import curve_of
from ...measures import Measure, rest
from ...view import Choice, Extras, View, as_recorded
from .charts import CHARTS
from .code import CODE
from .comparisons import COMPARISONS

#: Variants with a choice of workers and of lists.
_AS_PUBLISHED = ("eager", "delayed")


def state(n: int) -> dict[str, np.ndarray]:
    """Return the state of `n` vertices before anything happened: nothing is known of offers."""
    return {
        "offer": np.zeros(0, np.int32),
        "exhausted": np.zeros(n, np.int32),
        "warp": np.full(n, -1, np.int32),
        "capacity": np.zeros(n, np.int32),
    }


def result(record: Record, graph: Graph) -> BMatchingResult:
    """Return the b-matching at the end of an opened record; its time is not recorded."""
    for name, values in (("indptr", graph.indptr), ("indices", graph.indices)):
        if not np.array_equal(record.initial[name], values):
            raise RecordError("the record's lists are not those of its graph; make it again")
    holders, proposers = record.final["holders"], record.final["proposers"]
    mutual = np.flatnonzero(holders < proposers)
    starts, mates = from_pairs(graph.num_vertices, holders[mutual], proposers[mutual])
    rows = np.repeat(np.arange(graph.num_vertices), np.diff(graph.indptr))
    keys = rows * graph.num_vertices + graph.indices
    own = holders[mutual].astype(np.int64) * graph.num_vertices + proposers[mutual]
    weights = graph.weights[np.searchsorted(keys, own)]
    found: dict[str, Any] = {
        "weight": float(weights.sum(dtype=np.float64)),
        "cardinality": len(mates) // 2,
    }
    return BMatchingResult(
        **as_recorded(record),
        figures=found,
        capacity=record.initial["capacity"].astype(np.int32),
        starts=starts,
        mates=mates,
    )


def measures(result: Result, graph: Graph) -> list[tuple[str, str]]:
    """Return the lines of the results card for a b-matching."""
    assert isinstance(result, BMatchingResult)
    cardinality, weight = result.cardinality, result.weight
    room = np.minimum(result.capacity, np.diff(graph.indptr))
    full = int(np.count_nonzero((np.diff(result.starts) == room) & (room > 0)))
    able = int(np.count_nonzero(room))
    lines = [
        ("Weight", f"{weight:,.6g}" if weight < 1e6 else short(weight, 6)),
        ("Matched edges", f"{cardinality:,}"),
        ("Mates a vertex", f"{2 * cardinality / max(1, graph.num_vertices):.2f}"),
        ("Vertices that are full", f"{full / max(1, able):.0%}"),
    ]
    certificate = result.certificate
    if certificate is not None and "ratio" in certificate.figures:
        ratio = float(certificate.figures["ratio"])
        lines.append(("Of the optimum, at least", f"{ratio:.1%}"))
    if result.figures.get("iterations") is not None:
        lines.append(("Rounds", f"{int(result.figures['iterations']):,}"))
    return lines


def picture(result: Result) -> dict[str, np.ndarray]:
    """Return the final state of a result without a record: the mates of every vertex."""
    assert isinstance(result, BMatchingResult)
    shown = state(len(result.capacity))
    shown["capacity"] = result.capacity.astype(np.int32)
    return {**shown, "starts": result.starts.astype(np.int32), "mates": result.mates}


def extras(graph: Graph, header: Mapping[str, Any]) -> Extras:
    """Return the lists of neighbours for the picture: offers are entries of these lists."""
    return {}, {
        "lists/indptr": graph.indptr.astype(np.int32),
        "lists/indices": graph.indices.astype(np.int32),
        "lists/weight": graph.weights.astype(np.float32),
    }


def of_matching(result: Result) -> BMatchingResult:
    """Return a matching as a b-matching of b = 1."""
    assert isinstance(result, MatchingResult)
    mate = result.mate
    matched = np.flatnonzero(mate > np.arange(len(mate)))
    starts, mates = from_pairs(len(mate), matched, mate[matched])
    return BMatchingResult(
        algorithm=result.algorithm,
        device=result.device,
        seconds=result.seconds,
        figures={name: result.figures[name] for name in ("weight", "cardinality")},
        params={**result.params, "b": 1},
        certificate=result.certificate,
        capacity=np.ones(len(mate), np.int32),
        starts=starts,
        mates=mates,
    )


VIEW = View(
    family="bmatching",
    algorithm="bmatching",
    variant="eager",
    graph="karate_weighted",
    choices=(
        Choice(
            "b",
            "Mates, b",
            (*((str(b), b) for b in range(1, 11)), ("degree/2", "degree/2")),
            first=DEFAULT_B,
            slider=True,
            methods=True,
        ),
        Choice(
            "worker",
            "A vertex’s worker",
            (("a warp", "warp"), ("a thread", "thread")),
            _AS_PUBLISHED,
        ),
        Choice(
            "lists",
            "Lists of neighbours",
            (
                ("sorted up to 3 b", "partial"),
                ("sorted", "sorted"),
                ("as given", "unsorted"),
            ),
            _AS_PUBLISHED,
        ),
    ),
    state=state,
    result=result,
    measures=measures,
    objective=curve_of("weight"),
    objective_label="Weight so far",
    objective_note="Half the weight of all offers that are held: a matched edge ends as two "
    "offers, so the curve ends at the weight of the b-matching. It falls where an offer falls out.",
    warp_measures=(
        Measure("Proposals", lambda warps: warps["proposals"]),
        Measure("Edges read", lambda warps: warps["edges"]),
        Measure("Fallen out", lambda warps: warps["displaced"]),
        Measure("Idle lanes", rest("edges"), "%"),
    ),
    charts=CHARTS,
    solution="b-matching",
    turn="round",
    difference_note="Runs with the same b end in the same b-matching, on every device and "
    "schedule; these have different b, or one of the methods breaks ties in another way.",
    compared=("held",),
    comparisons=COMPARISONS,
    guests={"suitor_serial": of_matching, "greedy": of_matching},
    picture=picture,
    extras=extras,
    columns=("lane",),
    panels=("cards:sweep_panel", "cards:methods_panel"),
    code=CODE,
)
