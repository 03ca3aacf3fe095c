"""The view of runs of stable marriage: parameters, measures, and preference lists.

The drawing of states and events is in ``player.js`` beside this file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gpucore.families.marriage.curves import n_log_n
from gpucore.families.marriage.result import MarriageResult
from gpucore.families.marriage.timeline import FIELDS
from gpucore.problems.graph.graph import Graph
from gpucore.problems.preferences.graph import PreferenceGraph
from gpucore.problems.preferences.prepare import for_marriage
from gpucore.record import Record
from gpucore.result import Result

from ...charts.spec import curve_of
from ...measures import Measure, rest, share
from ...sources.preference_lists import SOURCES
from ...view import Choice, Extras, View, as_recorded, filled
from .charts import CHARTS
from .code import CODE
from .comparisons import COMPARISONS
from .first_names import with_first_names

#: Instances with more pairs are not sent to the browser; a pair takes two numbers of four bytes.
LISTED_PAIRS = 400_000


#: The state of people before anything happened.
state = filled(FIELDS)


def prepare(graph: Graph) -> PreferenceGraph:
    """Return an instance of stable marriage; in small generated ones people get first names."""
    return with_first_names(for_marriage(graph))


def sides(graph: PreferenceGraph) -> tuple[str, str]:
    """Return the names of both sides of an instance."""
    lists = graph.preferences
    hospitals = lists.man_capacity is None and lists.woman_capacity is not None
    return ("Residents", "Hospitals") if hospitals else ("Men", "Women")


def extras(graph: Graph, header: Mapping[str, Any]) -> Extras:
    """Return the proposing side, and all preference lists.

    Returns
    -------
    meta : dict
        ``rails``: the names of both sides; ``proposers``, where there is a run.
    arrays : dict of str to ndarray of int32
        ``lists/offsets``, shape (n + 1,), and ``lists/people``, shape (2 pairs,): the list of each
        person, the most preferred first; ``lists/places``, shape (n,), how many partners each may
        have, if some may have several.  Empty for an instance that is too large.
    """
    assert isinstance(graph, PreferenceGraph)
    lists = graph.preferences
    meta: dict[str, Any] = {"rails": list(sides(graph))}
    if "proposers" in header:
        meta["proposers"] = header["proposers"]
    if graph.num_edges > LISTED_PAIRS:
        return meta, {}
    men, pairs = graph.num_rows, graph.num_edges
    starts, husbands, _ = lists.women_rows()
    arrays = {
        "lists/offsets": np.concatenate([lists.indptr, pairs + starts[1:]]),
        "lists/people": np.concatenate([lists.women + np.int32(men), husbands]),
    }
    if lists.has_capacities:
        rooms = (lists.man_capacity, men), (lists.woman_capacity, graph.num_columns)
        arrays["lists/places"] = np.concatenate(
            [np.ones(size) if places is None else places for places, size in rooms]
        )
    return meta, {name: values.astype(np.int32) for name, values in arrays.items()}


def result(record: Record, graph: Graph) -> MarriageResult:
    """Return the marriage at the end of an opened record; its time is not recorded."""
    assert isinstance(graph, PreferenceGraph)
    men, women = _pairs(record, graph.num_rows)
    his, hers, read = ranks(graph, men, women)
    asking = str(record.header["proposers"])
    warps = record.warps
    single = np.diff(graph.indptr)
    single[np.concatenate([men, graph.num_rows + women])] = 0
    side = slice(0, graph.num_rows) if asking == "men" else slice(graph.num_rows, None)
    figures = {
        "cardinality": len(men),
        "considered": int(read[0 if asking == "men" else 1] + single[side].sum()),
        "men_mean_rank": his,
        "women_mean_rank": hers,
        "proposals": int((warps["engaged"] + warps["refused"]).sum(dtype=np.int64)),
        "rounds": len(record.header["rounds"]) or None,
    }
    return MarriageResult(
        **as_recorded(record),
        figures=figures,
        men=men,
        women=women,
        num_men=graph.num_rows,
        num_women=graph.num_columns,
    )


def _pairs(record: Record, men: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the pairs at the end of a record, both sides counted from 0."""
    if "men" in record.final:
        return record.final["men"], record.final["women"]
    mate = record.final["mate"][:men]
    married = np.flatnonzero(mate >= 0).astype(np.int32)
    return married, (mate[married] - men).astype(np.int32)


def ranks(
    graph: PreferenceGraph, men: np.ndarray, women: np.ndarray
) -> tuple[float | None, float | None, tuple[int, int]]:
    """Return the mean rank of partners, for men and for women, and the sums of these ranks."""
    lists = graph.preferences
    rows = np.repeat(np.arange(graph.num_rows), np.diff(lists.indptr))
    keys = rows * graph.num_columns + lists.women
    order = np.argsort(keys)
    wanted = np.asarray(men, np.int64) * graph.num_columns + women
    place = order[np.searchsorted(keys, wanted, sorter=order)] if len(men) else order[:0]
    his, hers = place - lists.indptr[rows[place]] + 1, lists.her_rank[place]
    means = [float(values.mean()) if len(values) else None for values in (his, hers)]
    return means[0], means[1], (int(his.sum()), int(hers.sum(dtype=np.int64)))


def measures(result: Result, graph: Graph) -> list[tuple[str, str]]:
    """Return the lines of the results card for a stable marriage."""
    assert isinstance(result, MarriageResult)
    assert isinstance(graph, PreferenceGraph)
    found, names = result.figures, sides(graph)
    lines = [("Pairs", f"{int(found['cardinality']):,}")]
    for name, partners in zip(names, (result.men, result.women), strict=True):
        size = result.num_men if name == names[0] else result.num_women
        if alone := size - len(np.unique(partners)):
            lines.append((f"{name} left alone", f"{alone:,}"))
    for name, key in zip(names, ("men_mean_rank", "women_mean_rank"), strict=True):
        if found.get(key) is not None:
            whose = f"{name}’" if name.endswith("s") else f"{name}’s"
            lines.append((f"{whose} mean rank", f"{float(found[key]):.2f}"))
    for name, key in (
        ("Considered", "considered"),
        ("Proposals", "proposals"),
        ("Rounds", "rounds"),
    ):
        if found.get(key) is not None:
            lines.append((name, f"{int(found[key]):,}"))
    asking = result.num_women if result.params.get("proposers") == "women" else result.num_men
    lines.append(("n ln n", f"{n_log_n(asking):,.0f}"))
    if result.seconds > 0:
        lines.append(("Considered a second", _rate(int(found["considered"]) / result.seconds)))
    return lines


def _rate(value: float) -> str:
    for factor, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if value >= factor:
            return f"{value / factor:.3g}{unit}"
    return f"{value:.0f}"


def picture(result: Result) -> dict[str, np.ndarray]:
    """Return the final state of a result; a person with several partners names none of them."""
    assert isinstance(result, MarriageResult)
    men, women = result.men, result.women + result.num_men
    shown = state(result.num_men + result.num_women)
    for ones, others in ((men, women), (women, men)):
        partners = np.bincount(ones, minlength=len(shown["mate"]))
        only = partners[ones] == 1
        shown["mate"][ones[only]] = others[only]
    return shown


VIEW = View(
    family="marriage",
    algorithm="marriage",
    variant="mw",
    graph="gale_shapley_4",
    sources=SOURCES,
    choices=(Choice("proposers", "Who proposes", (("men", "men"), ("women", "women"))),),
    prepare=prepare,  # people of small instances get first names
    state=state,
    result=result,
    measures=measures,
    objective=curve_of("pairs"),
    objective_label="Pairs",
    objective_note="Engaged pairs. They never become fewer: a woman who is engaged stays engaged, "
    "perhaps to another man.",
    warp_measures=(
        Measure("Considered", lambda warps: warps["considered"]),
        Measure("Idle lanes", rest("busy"), "%"),
        Measure("Passed by", share("skipped", "considered"), "%"),
        Measure("Displaced", lambda warps: warps["displaced"]),
        Measure("Lost races", lambda warps: warps["failed"]),
    ),
    charts=CHARTS,
    solution="marriage",
    difference_note="All are stable. The proposing side gets its best partners in any stable "
    "marriage.",
    # Places in lists depend on the order of proposals, so they are not compared.
    compared=("mate",),
    comparisons=COMPARISONS,
    picture=picture,
    extras=extras,
    panels=("game_card:GamePanel",),
    code=CODE,
)
