"""The view of runs of bipartite matching : parameters, measures of a run and of its warps.

The drawing of states and events is in ``player.js`` beside this file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from gpucore.families.bipartite.record import Kind
from gpucore.families.bipartite.result import BipartiteResult
from gpucore.families.bipartite.timeline import FIELDS
from gpucore.families.bipartite.variants import VARIANTS
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record
from gpucore.result import Result

from ...charts.spec import curve_of
from ...measures import Measure, rest
from ...sources.matrices import SOURCES
from ...view import Choice, OfferedComparison, Value, View, as_recorded, filled
from .charts import CHARTS
from .code import CODE

#: The paper's variants.
PAPER = tuple(variant.name for variant in VARIANTS if variant.name != "fast")


#: The state of vertices before anything happened.
state = filled(FIELDS)


def result(record: Record, graph: Graph) -> BipartiteResult:
    """Return the matching at the end of an opened record; its time is not recorded."""
    header, mate = record.header, record.final["mate"].astype(np.int32)
    rows = int(header["parts"][0]["size"])
    row_match = np.where(mate[:rows] >= 0, mate[:rows] - rows, -1).astype(np.int32)
    phases = header["phases"]
    figures = {
        "cardinality": int(np.count_nonzero(row_match >= 0)),
        "initial_cardinality": int(header["initial_cardinality"]),
        "initial_seconds": math.nan,
        "phases": len(phases),
        "levels": sum(int(phase["levels"]) for phase in phases),
        "phase_levels": [int(phase["levels"]) for phase in phases],
        "phase_paths": [int(phase["paths"]) for phase in phases],
        "edges": int(record.warps["edges"].sum(dtype=np.int64)),
    }
    if record.num_events:
        figures["repairs"] = int(np.count_nonzero(record.events["kind"] == Kind.FIX))
    return BipartiteResult(
        **as_recorded(record), figures=figures, row_match=row_match, column_match=mate[rows:]
    )


def measures(result: Result, graph: Graph) -> list[tuple[str, str]]:
    """Return the lines of the results card for a matching of rows with columns."""
    found = result.figures
    pairs, begun = int(found["cardinality"]), int(found["initial_cardinality"])
    lines = [("Matched pairs", f"{pairs:,}")]
    if isinstance(result, BipartiteResult):
        for name, side in (("Rows", result.row_match), ("Columns", result.column_match)):
            lines.append((f"{name} unmatched", f"{len(side) - pairs:,}"))
    lines.append(("Before the search", f"{begun:,}"))
    for label, key in (
        ("Phases", "phases"),
        ("Levels searched", "levels"),
        ("Repairs", "repairs"),
        ("Walks without end", "runaways"),
        ("Entries visited", "edges"),
    ):
        value = found.get(key)
        if value is not None and (value or key != "runaways"):
            lines.append((label, f"{int(value):,}"))
    return lines


def picture(result: Result) -> dict[str, np.ndarray]:
    """Return the final state of a result, with nothing searched."""
    assert isinstance(result, BipartiteResult)
    return {**state(len(result.mate)), "mate": result.mate.astype(np.int32)}


def _idle(warps: Mapping[str, np.ndarray]) -> np.ndarray:
    # A lane is busy while it looks, scans an edge, or flips one.
    flips = np.where(warps["edges"] > 0, 0, warps["flips"])
    return rest("looked", "edges", "flips")({**warps, "flips": flips})


def _paper(variant: str, **more: Value) -> dict[str, Value]:
    return {"name": "bipartite", "variant": variant, **more}


_COMPARISONS = (
    OfferedComparison(
        "All paths beside shortest paths",
        "APFB searches on, APsB stops at the first path: fewer, deeper phases against many "
        "short ones.",
        (
            _paper("apfb_gpubfs_wr_ct", initial="none"),
            _paper("apsb_gpubfs_wr_ct", initial="none"),
        ),
    ),
    OfferedComparison(
        "With and without roots",
        "GPUBFS-WR stops a tree that has its path; GPUBFS searches on, and promises rows that "
        "it cannot match. Count the repairs.",
        (_paper("apfb_gpubfs_ct"), _paper("apfb_gpubfs_wr_ct")),
    ),
    OfferedComparison(
        "A thread for a column, or threads that take turns",
        "The same search; look at the warps in the tables.",
        (_paper("apfb_gpubfs_wr_mt"), _paper("apfb_gpubfs_wr_ct")),
    ),
    OfferedComparison(
        "The paper's kernels against the tuned one",
        "Races and repairs against paths that cannot cross; every column looked at against a "
        "frontier.",
        (_paper("apfb_gpubfs_wr_ct"), _paper("fast")),
    ),
    OfferedComparison(
        "What the predecessor check is for",
        "Figure 1 of the paper: two paths cross at one column. Without the check a walk goes "
        "round in circles, until it is stopped.",
        (
            _paper("apfb_gpubfs_ct", initial="cheap_serial"),
            _paper("apfb_gpubfs_ct", initial="cheap_serial", predecessor_check=False),
        ),
        graph="crossing:ends=2,copies=1",
    ),
    OfferedComparison(
        "One kernel under four schedules",
        "Each schedule decides races differently: four interleavings, four maximum matchings.",
        (_paper("apfb_gpubfs_ct"),),
        schedules=4,
    ),
    OfferedComparison(
        "Kernel against Hopcroft and Karp",
        "Levels in breadth, then disjoint shortest paths, on one processor core.",
        (_paper("fast"), {"name": "hopcroft_karp"}),
    ),
    OfferedComparison(
        "Kernel against Pothen and Fan",
        "Depth-first search with lookahead, on one processor core.",
        (_paper("fast"), {"name": "pothen_fan"}),
    ),
    OfferedComparison(
        "Kernel against P-DBFS, on several threads",
        "From one initial matching, as in figure 4 of the paper: its best kernel, and disjoint "
        "searches in breadth, its best multicore method. P-PFP and P-HK can be chosen, too.",
        (
            _paper("apfb_gpubfs_wr_ct", initial="cheap_serial"),
            {"name": "disjoint_bfs_omp"},
        ),
        graph="football",
    ),
)


VIEW = View(
    family="bipartite",
    algorithm="bipartite",
    variant="apfb_gpubfs_wr_ct",
    graph="southern_women",
    sources=SOURCES,
    choices=(
        Choice(
            "initial",
            "Initial matching",
            (
                ("best known for the variant", "auto"),
                ("cheap", "cheap"),
                ("cheap (CPU)", "cheap_serial"),
                ("short lists first", "short_first"),
                ("Karp–Sipser", "karp_sipser"),
                ("none", "none"),
            ),
        ),
        Choice(
            "predecessor_check",
            "Predecessor check",
            (("on", True), ("off, walks may go round", False)),
            PAPER,
        ),
    ),
    state=state,
    result=result,
    measures=measures,
    objective=curve_of("cardinality"),
    objective_label="Pairs",
    objective_note="Rows and columns that name each other. While paths are flipped, two rows may "
    "name one column; only one of them counts.",
    warp_measures=(
        Measure("Frontier", lambda warps: warps["frontier"]),
        Measure("Only looked", rest("frontier", whole="looked"), "%"),
        Measure("Entries", lambda warps: warps["edges"]),
        Measure("Idle lanes", _idle, "%"),
        Measure("Conflicts", lambda warps: warps["conflicts"]),
    ),
    charts=CHARTS,
    solution="matching",
    turn="launch",
    difference_note="All are maximum matchings; a maximum matching is seldom unique.",
    # The progress of a search is not part of the result.
    compared=("mate",),
    comparisons=_COMPARISONS,
    picture=picture,
    panels=("decomposition_card:DecompositionPanel",),
    code=CODE,
)
