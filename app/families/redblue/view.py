"""The view of runs of red/blue matching: parameters, measures of a run and of its warps.

The drawing of states and events is in ``player.js`` beside this file.
"""

from __future__ import annotations

import numpy as np

from gpucore.families.matching.result import MatchingResult
from gpucore.families.redblue.colours import BEST_P
from gpucore.families.redblue.timeline import FIELDS
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record
from gpucore.record.words import short
from gpucore.result import Result

from ...charts.spec import curve_of
from ...measures import Measure, rest
from ...view import Choice, OfferedComparison, View, as_recorded, filled
from .charts import CHARTS
from .code import CODE

#: The state of vertices before anything happened.
state = filled(FIELDS)


def result(record: Record, graph: Graph) -> MatchingResult:
    """Return the matching at the end of an opened record; its time is not recorded."""
    mate, rounds = record.final["mate"].astype(np.int32), record.header["rounds"]
    figures = {
        "weight": float(record.final["weight"].sum(dtype=np.float64)) / 2,
        "cardinality": int(np.count_nonzero(mate >= 0)) // 2,
        "rounds": len(rounds),
        "matched": [int(one["matched"]) for one in rounds],
        "dead": [int(one["dead"]) for one in rounds],
    }
    return MatchingResult(**as_recorded(record), figures=figures, mate=mate)


def measures(result: Result, graph: Graph) -> list[tuple[str, str]]:
    """Return the lines of the results card for a maximal matching."""
    found, n = result.figures, max(1, graph.num_vertices)
    cardinality, weight = int(found["cardinality"]), float(found["weight"])
    lines = [
        ("Weight", f"{weight:,.6g}" if weight < 1e6 else short(weight, 6)),
        ("Matched edges", f"{cardinality:,}"),
        ("Vertices matched", f"{2 * cardinality / n:.0%}"),
    ]
    if found.get("rounds") is not None:
        lines.append(("Rounds", f"{int(found['rounds']):,}"))
    if found.get("matched"):
        lines.append(("Matched in the first round", f"{int(found['matched'][0]) / n:.0%}"))
    if found.get("dead") is not None:
        lines.append(("Dead at the end", f"{sum(map(int, found['dead'])):,}"))
    return lines


def picture(result: Result) -> dict[str, np.ndarray]:
    """Return the final state of a result; unmatched vertices are dead."""
    assert isinstance(result, MatchingResult)
    mate = result.mate.astype(np.int32)
    colour = np.where(mate >= 0, 2, 3).astype(np.int32)
    return {**state(len(mate)), "colour": colour, "mate": mate}


_fast, _paper = ({"name": "redblue", "variant": variant} for variant in ("fast", "paper"))
_COMPARISONS = (
    OfferedComparison(
        "The heaviest neighbour, or anyone",
        "The same colours in every round. Choosing by weight costs a look at all edges and "
        "gives a heavier matching; for coarsening any neighbour is good enough.",
        ({**_paper, "select": "weighted"}, {**_paper, "select": "random"}),
    ),
    OfferedComparison(
        "Anyone, or the first of the list",
        "The paper's rule, with vertices numbered at random. All who share neighbours prefer "
        "the same few: more rounds, and hubs that are not left over, so often more pairs.",
        (
            {**_paper, "select": "random"},
            {**_paper, "select": "first", "permute": True},
        ),
    ),
    OfferedComparison(
        "The best chance of blue, and a bad one",
        "With p = 0.9 many vertices propose and few can respond: more rounds.",
        ({**_paper, "p": BEST_P}, {**_paper, "p": 0.9}),
    ),
    OfferedComparison(
        "The paper's kernels against the tuned ones",
        "One matching. A thread for every vertex in every round, against lists of those that "
        "are left.",
        (_paper, _fast),
    ),
    OfferedComparison(
        "MD5 against Philox",
        "Two ways to draw colours: different matchings of about the same size.",
        ({**_paper, "generator": "md5"}, {**_paper, "generator": "philox"}),
    ),
    OfferedComparison(
        "One kernel under four schedules",
        "Every word has one writer, so the order has no effect: one matching, without "
        "a lock; atomic operations only count the matched vertices.",
        (_paper,),
        schedules=4,
    ),
    OfferedComparison(
        "Kernel against algorithm 1",
        "One vertex after the other, in random order, on one processor core.",
        (_fast, {"name": "greedy_random"}),
    ),
    OfferedComparison(
        "Kernel against algorithm 2",
        "Edges from the heaviest to the lightest: a heavier matching, and a sort.",
        (_fast, {"name": "greedy_weighted"}),
    ),
    OfferedComparison(
        "Kernel against all threads of the processor",
        "The same colours, so the same matching.",
        (_fast, {"name": "redblue_omp"}),
    ),
)


VIEW = View(
    family="redblue",
    algorithm="redblue",
    variant="paper",
    graph="karate",
    choices=(
        Choice(
            "select",
            "Whom to choose",
            (("heaviest", "weighted"), ("anyone", "random"), ("first of its list", "first")),
        ),
        Choice(
            "p",
            "Chance of blue, p",
            (
                (f"{BEST_P}", BEST_P),
                *((f"{p:g}", p) for p in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)),
            ),
        ),
        Choice("permute", "Vertices numbered", (("as given", False), ("at random", True))),
        Choice("generator", "Colours from", (("MD5", "md5"), ("Philox", "philox"))),
    ),
    state=state,
    result=result,
    measures=measures,
    objective=curve_of("weight"),
    objective_label="Weight so far",
    objective_note="Weight of the matched pairs. It only rises: no vertex is ever displaced.",
    warp_measures=(
        Measure("At work", lambda warps: warps["live"]),
        Measure("Edges", lambda warps: warps["edges"]),
        Measure("In vain", rest("live", whole="looked"), "%"),
        Measure("Idle lanes", rest("looked", "edges"), "%"),
    ),
    charts=CHARTS,
    solution="matching",
    turn="launch",
    difference_note="All are maximal: no edge is left whose ends are both free. There are many "
    "such matchings.",
    # Colours and proposals change in every round.
    compared=("mate",),
    comparisons=_COMPARISONS,
    picture=picture,
    panels=("cards:sweep_panel", "cards:strip_panel", "cards:quality_panel"),
    code=CODE,
)
