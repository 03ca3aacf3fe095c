"""How runs of graph colouring are shown: parameters, measures of a run and of its warps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.colouring.record import colours_after, no_colours
from gpucore.families.colouring.run import ColouringResult

from ...view import Choice, Measure, View, as_recorded

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph
    from gpucore.record import Record
    from gpucore.result import Result


def result(record: Record, graph: Graph) -> ColouringResult:
    """Return the colouring that an opened record ends with."""
    colour = record.final["colour"].astype(np.int32)
    figures = {"colours": int(colour.max(initial=-1)) + 1, "rounds": record.num_steps}
    return ColouringResult(**as_recorded(record), figures=figures, colour=colour)


def measures(result: Result, graph: Graph) -> list[tuple[str, str]]:
    """Return the lines of the results card."""
    lines = [("Colours", f"{result.figures['colours']:,}")]
    if "rounds" in result.figures:
        lines.append(("Rounds", f"{result.figures['rounds']:,}"))
    return lines


VIEW = View(
    family="colouring",
    algorithm="colouring",
    variant="hashed",
    graph="karate",
    choices=(Choice("order_seed", "Order", tuple((f"hash {i}", i) for i in (1, 2, 3, 4))),),
    state=no_colours,
    result=result,
    measures=measures,
    objective=colours_after,
    objective_label="Colours so far",
    objective_note="Number of colours in use. It never falls: a vertex keeps its colour.",
    warp_measures=(
        Measure("Without a colour", lambda warps: warps["open"]),
        Measure("Edges", lambda warps: warps["edges"]),
    ),
    solution="colouring",
    difference_note="Each is a proper colouring in which no vertex could take a smaller colour.",
)
