"""The view of runs of the matching family: parameters, measures of a run and of its warps.

The drawing of states and events is in ``player.js`` beside this file.
"""

from __future__ import annotations

import numpy as np

from gpucore.families.matching.record import FIELDS
from gpucore.families.matching.result import MatchingResult
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record, Timeline
from gpucore.record.words import short
from gpucore.result import Result

from ...charts.spec import changes_of, sums_after
from ...measures import Measure, rest
from ...view import Choice, OfferedComparison, View, as_recorded
from .charts import CHARTS
from .code import CODE


def state(n: int) -> dict[str, np.ndarray]:
    """Return the state of `n` vertices before anything happened."""
    return {name: np.full(n, value, dtype) for name, (dtype, value) in FIELDS.items()}


def objective(timeline: Timeline) -> np.ndarray:
    """Return half the sum of all bids after each event.

    Every matched edge ends as two bids, one at either end, so this ends at the weight of the
    matching. Before the end it counts bids that are still to be displaced or returned.
    """
    mine = changes_of(timeline, "bid")
    growth = np.zeros(len(timeline.field))
    growth[mine] = timeline.new[mine].view(np.float32).astype(np.float64)
    growth[mine] -= timeline.old[mine].view(np.float32).astype(np.float64)
    start = float(timeline.fields["bid"].sum(dtype=np.float64))
    return (start + sums_after(timeline, growth)) / 2


def result(record: Record, graph: Graph) -> MatchingResult:
    """Return the matching at the end of an opened record; its time is not recorded."""
    mate = record.final["suitor"].astype(np.int32)
    matched = np.flatnonzero(mate >= 0)
    figures = {
        "weight": float(record.final["bid"].sum(dtype=np.float64)) / 2,
        "cardinality": len(matched) // 2,
        "iterations": record.num_steps,
    }
    return MatchingResult(**as_recorded(record), figures=figures, mate=mate)


def measures(result: Result, graph: Graph) -> list[tuple[str, str]]:
    """Return the lines of the results card for a matching."""
    cardinality, weight = int(result.figures["cardinality"]), float(result.figures["weight"])
    lines = [
        ("Weight", f"{weight:,.6g}" if weight < 1e6 else short(weight, 6)),
        ("Matched edges", f"{cardinality:,}"),
        ("Vertices matched", f"{2 * cardinality / max(1, graph.num_vertices):.0%}"),
    ]
    certificate = result.certificate
    if certificate is not None and "ratio" in certificate.figures:
        ratio = float(certificate.figures["ratio"])
        lines.append(("Of the optimum, at least", f"{ratio:.1%}"))
    if "iterations" in result.figures:
        lines.append(("Iterations", f"{int(result.figures['iterations']):,}"))
    return lines


VIEW = View(
    family="matching",
    algorithm="suitor",
    variant="sync_lb",
    graph="karate",
    choices=(
        Choice(
            "threads_per_block", "Threads per block", (("128", 128), ("192", 192), ("256", 256))
        ),
        Choice(
            "vertices_per_warp",
            "Vertices per warp",
            tuple((str(k), k) for k in (32, 1, 2, 4, 8, 16, 64, 128, 256)),
            ("nosync", "sync_lb", "sync_nolb", "hybrid"),
        ),
        Choice(
            "lb_iterations",
            "Sharing iterations",
            (("adaptive", "adaptive"), *((str(k), k) for k in (1, 2, 3, 5, 10))),
            ("sync_lb", "hybrid"),
        ),
    ),
    state=state,
    result=result,
    measures=measures,
    objective=objective,
    objective_label="Weight so far",
    objective_note="Half the sum of all bids that are held: a matched edge ends as two bids, "
    "so the curve ends at the weight of the matching.",
    warp_measures=(
        Measure("Edges scanned", lambda warps: warps["edges"]),
        Measure("Vertices held", lambda warps: warps["active"]),
        Measure("Idle lanes", rest("edges"), "%"),
    ),
    charts=CHARTS,
    solution="matching",
    # The warp that holds a vertex, and earlier bids, are not part of the result.
    compared=("suitor", "target", "exhausted"),
    comparisons=(
        OfferedComparison(
            "One kernel under four schedules",
            "Only the order in which the warps run differs: four interleavings, four histories, "
            "one matching.",
            ({"name": "suitor", "variant": "nosync", "vertices_per_warp": 16},),
            schedules=4,
        ),
        OfferedComparison(
            "With and without load balancing",
            "In one run the warps of a block share out what is left after each iteration. The maps "
            "below the pictures show it: the same warp is overloaded in one run, not in the other.",
            (
                {"name": "suitor", "variant": "sync_lb", "vertices_per_warp": 8},
                {"name": "suitor", "variant": "sync_nolb", "vertices_per_warp": 8},
            ),
            graph="netscience",
        ),
        OfferedComparison(
            "Suitor against locally dominant edges",
            "Proposals that can be displaced, against pointers that have to agree.",
            ({"name": "suitor", "variant": "fast"}, {"name": "ld"}),
        ),
        OfferedComparison(
            "A thread or a warp for a vertex",
            "The same pointers in both; look at “Idle lanes” in the maps below.",
            ({"name": "ld", "variant": "ld"}, {"name": "ld", "variant": "warp"}),
        ),
        OfferedComparison(
            "Kernel against processor",
            "Many warps propose at the same time; one core proposes for vertex after vertex.",
            ({"name": "suitor", "variant": "fast"}, {"name": "suitor_serial"}),
        ),
        OfferedComparison(
            "A real card's run beside your own",
            "Les Misérables, recorded on an H100, beside the same kernel run here.",
            (
                {"name": "lesmis-suitor-nosync"},
                {"name": "suitor", "variant": "nosync", "vertices_per_warp": 8},
            ),
        ),
    ),
    code=CODE,
)
