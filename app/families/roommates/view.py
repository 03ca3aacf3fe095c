"""The view of runs of stable roommates: parameters, measures, and the lists of all people.

The drawing of states and events is in ``player.js`` beside this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gpucore.errors import RecordError
from gpucore.families.roommates.fixtures import FixturesResult
from gpucore.families.roommates.methods import mutual_mates
from gpucore.families.roommates.result import RoommatesResult
from gpucore.families.roommates.timeline import FIELDS
from gpucore.problems.graph.graph import Graph
from gpucore.problems.roommates.graph import RoommatesGraph
from gpucore.problems.roommates.roommates import Roommates
from gpucore.record import Record
from gpucore.result import Result
from gpucore.rows import row_numbers

from ...charts.spec import count_above
from ...measures import Measure
from ...view import Choice, Extras, OfferedComparison, View, as_recorded, filled
from .charts import CHARTS
from .code import CODE
from .sources import SOURCES


def state(n: int) -> dict[str, np.ndarray]:
    """Return the state of people before anything happened; the lists are not known yet."""
    return {name: np.zeros(0, np.int32) for name in ("bid", "last")} | filled(FIELDS)(n)


def extras(graph: Graph, header: Mapping[str, Any]) -> Extras:
    """Return the lists: ``lists/offsets``, (n + 1,), and ``lists/people``, the best first."""
    lists = _lists(graph)
    return {}, {"lists/offsets": lists.indptr.astype(np.int32), "lists/people": lists.others}


def _lists(graph: Graph) -> Roommates:
    assert isinstance(graph, RoommatesGraph)
    return graph.roommates


def result(record: Record, graph: Graph) -> Result:
    """Return the result at the end of an opened record; its time is not recorded."""
    lists, bids, party = _lists(graph), record.final["bid"], record.final["party"]
    n, warps = lists.num_vertices, record.warps
    if len(bids) != len(lists.others):
        raise RecordError("the record has other lists than its instance; it is damaged")
    alone = np.arange(n, dtype=np.int32)
    unsolvable = bool((party >= 0).any())
    starts, mates = mutual_mates(lists, bids)
    figures = {
        "solvable": not unsolvable,
        "cardinality": 0 if unsolvable else len(mates) // 2,
        "proposals": int(warps["proposals"].sum(dtype=np.int64)),
        "rotations": int(np.count_nonzero(record.steps["moved"])),
    }
    common: dict[str, Any] = {**as_recorded(record), "figures": figures}
    if record.header["algorithm"] == "irving":
        successor = alone.copy()
        rows = row_numbers(lists.indptr)
        successor[rows[bids > 0]] = lists.others[bids > 0]
        single = (successor == alone) | unsolvable
        mate = np.where(single, np.int32(-1), successor)
        return RoommatesResult(**common, mate=mate, successor=successor)
    successor = np.where(party < 0, alone, party).astype(np.int32)
    capacity = record.final["capacity"].astype(np.int32)
    return FixturesResult(
        **common, capacity=capacity, starts=starts, mates=mates, successor=successor
    )


def measures(result: Result, graph: Graph) -> list[tuple[str, str]]:
    """Return the lines of the results card."""
    found = result.figures
    lines = [("Stable", "yes" if found["solvable"] else "no matching is")]
    if found["solvable"]:
        lines.append(("Pairs", f"{int(found['cardinality']):,}"))
    for name, key in (("Proposals", "proposals"), ("Rotations", "rotations")):
        lines.append((name, f"{int(found[key]):,}"))
    return lines


_irving, _scott = {"name": "irving"}, {"name": "irving_scott"}
_COMPARISONS = (
    OfferedComparison(
        "One mate beside two",
        "Irving’s algorithm beside that for stable fixtures, in which each person may have two "
        "mates.",
        (_irving, _scott),
    ),
    OfferedComparison(
        "Two algorithms for one mate",
        "With one mate each, fixtures are roommates: the same proposals in phase 1, and the same "
        "answer.",
        (_irving, {**_scott, "b": 1}),
    ),
)

VIEW = View(
    family="roommates",
    algorithm="irving",
    variant="",
    graph="irving_6",
    sources=SOURCES,
    choices=(
        Choice(
            "b", "Mates of each person", tuple((str(b), b) for b in (2, 1, 3, 4, 6)), methods=True
        ),
    ),
    state=state,
    result=result,
    measures=measures,
    objective=count_above("bid"),
    objective_label="Proposals that are held",
    objective_note="A person proposes again when let go. In phase 1 the number never falls; when a "
    "rotation is eliminated, all of it change whom they propose to.",
    warp_measures=(
        Measure("Proposals", lambda warps: warps["proposals"] + warps["moved"]),
        Measure("Lists cut", lambda warps: warps["cuts"]),
    ),
    charts=CHARTS,
    solution="matching",
    turn="rotation",
    difference_note="There may be several stable matchings. All have the same people in pairs, "
    "and if one instance has an odd party, every run finds the same ones.",
    compared=("mate",),
    comparisons=_COMPARISONS,
    extras=extras,
    code=CODE,
)
