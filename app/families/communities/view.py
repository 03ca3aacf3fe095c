"""The view of runs that find communities : parameters, measures of a run and of its warps.

The drawing of states and events is in ``player.js`` beside this file.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from gpucore.datasets import ground_truth
from gpucore.families.communities.hierarchy import by_smallest_member
from gpucore.families.communities.partitions import (
    adjusted_rand_index,
    canonical_labels,
    normalised_mutual_information,
)
from gpucore.families.communities.result import CommunityResult
from gpucore.families.communities.timeline import FIELDS, is_refined, partition_at
from gpucore.problems.graph.graph import Graph
from gpucore.record import Record
from gpucore.result import Result

from ...charts.spec import curve_of
from ...measures import Measure, rest, share
from ...view import Choice, OfferedComparison, Value, View, as_recorded
from .charts import CHARTS
from .code import CODE


def state(n: int) -> dict[str, np.ndarray]:
    """Return the state of `n` vertices before anything happened: each one by itself."""
    return {name: np.arange(n, dtype=np.int32) for name in FIELDS}


def result(record: Record, graph: Graph) -> CommunityResult:
    """Return the communities at the end of an opened record; the time is that of its stages."""
    header = record.header
    count = int(header["levels"])
    partitions = [partition_at(record, i) for i in range(count + 1)]
    if is_refined(record) and not header["stages"][-1].get("taken_back"):
        partitions = [partitions[0], record.final["community"]]
    numbered = [canonical_labels(partition) for partition in partitions]
    levels = []
    for fine, coarse in pairwise(numbered):
        mapping = np.zeros(int(fine.max(initial=-1)) + 1, dtype=np.int32)
        mapping[fine] = coarse
        levels.append(mapping)
    stages = header["stages"]
    figures = {
        "modularity": _last_modularity(record),
        "communities": int(numbered[-1].max(initial=-1)) + 1,
        "levels": len(levels),
        "sweeps": sum(int(stage.get("sweeps", 0)) for stage in stages),
        "stages": stages,
    }
    figures |= {name: header[name] for name in ("starts", "kept start") if name in header}
    return CommunityResult(
        **as_recorded(record),
        figures=figures,
        community=numbered[-1],
        levels=tuple(levels),
    )


def _last_modularity(record: Record) -> float:
    """Return the modularity at the end of a record."""
    stages, count = record.header["stages"], int(record.header["levels"])
    if is_refined(record):
        return float(stages[-1]["modularity"])
    return float(stages[count - 1]["modularity"] if count else record.header["modularity"])


def measures(result: Result, graph: Graph) -> list[tuple[str, str]]:
    """Return the lines of the results card for communities."""
    found = result.figures
    lines = [
        ("Modularity", f"{float(found['modularity']):.4f}"),
        ("Communities", f"{int(found['communities']):,}"),
        ("Levels", f"{int(found['levels'])}"),
    ]
    if found.get("sweeps") is not None:
        lines.append(("Sweeps", f"{int(found['sweeps']):,}"))
    if reached := found.get("starts"):
        lines += [
            ("Orders of the vertices", f"the best is {found['kept start']}"),
            ("Modularity of all", f"{min(reached):.4f} to {max(reached):.4f}"),
        ]
    known = known_groups(graph)
    if known is not None and isinstance(result, CommunityResult):
        alike = normalised_mutual_information(result.community, known)
        rand = adjusted_rand_index(result.community, known)
        lines += [
            ("Known groups", f"{len(np.unique(known)):,}"),
            ("Like the known groups, NMI", f"{alike:.3f}"),
            ("Like the known groups, ARI", f"{rand:.3f}"),
        ]
    return lines


def alike(result: Result, first: Result) -> list[tuple[str, str]]:
    """Return the similarity of the communities of two runs."""
    if not (isinstance(result, CommunityResult) and isinstance(first, CommunityResult)):
        return []
    index = adjusted_rand_index(result.community, first.community)
    shared = normalised_mutual_information(result.community, first.community)
    return [("ARI with the first", f"{index:.3f}"), ("NMI with the first", f"{shared:.3f}")]


def picture(result: Result) -> dict[str, np.ndarray]:
    """Return the final state of a result, with nothing contracted."""
    assert isinstance(result, CommunityResult)
    own = np.arange(len(result.community), dtype=np.int32)
    return {"community": by_smallest_member(result.community), "group": own}


def known_groups(graph: Graph) -> np.ndarray | None:
    """Return the known groups of a data set's vertices, or None."""
    source = graph.source
    if source.get("kind") != "dataset":
        return None
    known = ground_truth(str(source.get("spec", "")))
    return known if known is not None and len(known) == graph.num_vertices else None


def _kernel(variant: str, **more: Value) -> dict[str, Value]:
    return {"name": "louvain", "variant": variant, **more}


_COMPARISONS = (
    OfferedComparison(
        "The paper's buckets against one update a sweep",
        "Communities are updated after every bucket, or once all buckets have decided.",
        (_kernel("buckets"), _kernel("relaxed")),
    ),
    OfferedComparison(
        "The paper's rule and ours",
        "A sweep whose moves, made at the same time, lost modularity: the last one, or undone "
        "and followed by sweeps in one direction.",
        (_kernel("relaxed", rule="paper"), _kernel("relaxed", rule="ours")),
    ),
    OfferedComparison(
        "One kernel under four schedules",
        "A launch reads one state and weights are whole numbers: four interleavings, the same "
        "moves in another order, one result.",
        (_kernel("buckets"),),
        schedules=4,
    ),
    OfferedComparison(
        "Lanes for a vertex against a thread for a vertex",
        "The same decisions; look at “Idle lanes” in the maps below.",
        (_kernel("relaxed"), _kernel("node_centred")),
    ),
    OfferedComparison(
        "Kernel against processor",
        "A bucket of vertices at a time, against one vertex after the other.",
        (_kernel("buckets"), {"name": "louvain_serial"}),
    ),
    OfferedComparison(
        "Connected communities, on the GPU and on one core",
        "Both refine every stage. The serial method moves one vertex at a time and asks every "
        "part to be well connected, as the paper does; the kernels ask for a gain only.",
        (_kernel("leiden"), {"name": "leiden_serial"}),
    ),
    OfferedComparison(
        "All vertices at once, on the GPU and on all cores",
        "Both have the rule of the smallest label. The multicore method also lets vertices of "
        "one edge follow their neighbour, and colours large graphs so that no two neighbours "
        "move at the same time.",
        (_kernel("relaxed"), {"name": "louvain_omp"}),
    ),
)


VIEW = View(
    family="communities",
    algorithm="louvain",
    variant="buckets",
    graph="lesmis",
    choices=(
        Choice(
            "resolution",
            "Resolution",
            tuple((f"{value:g}", value) for value in (1.0, 0.25, 0.5, 0.7, 1.5, 2.0, 4.0)),
        ),
        Choice(
            "rule",
            "A phase ends by",
            (("the paper's rule", "paper"), ("our rule", "ours")),
            ("buckets", "relaxed", "node_centred"),
        ),
        Choice(
            "theta",
            "Randomness of the refinement",
            tuple((f"{value:g}", value) for value in (0.0, 0.01, 0.1, 1.0)),
            ("leiden",),
        ),
        Choice(
            "t_final",
            "Least gain of a sweep",
            tuple((f"{value:g}", value) for value in (1e-6, 1e-4, 1e-3, 1e-2, 1e-1)),
        ),
        Choice(
            "t_bin",
            "Least gain, large graphs",
            tuple((f"{value:g}", value) for value in (1e-2, 1e-4, 1e-3, 1e-1)),
        ),
    ),
    state=state,
    result=result,
    measures=measures,
    objective=curve_of("modularity"),
    objective_label="Modularity",
    objective_note="The share of the weight that lies inside communities, minus its expected share "
    "in a random graph. Moves of one launch are decided from the same state; played one by one, "
    "some may lose a little.",
    warp_measures=(
        Measure("Edges", lambda warps: warps["edges"]),
        Measure("Idle lanes", rest("edges"), "%"),
        Measure("Probes", lambda warps: warps["probes"]),
        Measure("Collisions", lambda warps: warps["collisions"]),
        Measure("Filled", share("occupied", "slots"), "%"),
        Measure("Moves", lambda warps: warps["moves"]),
    ),
    charts=CHARTS,
    solution="partition",
    turn="launch",
    compared=("community",),
    comparisons=_COMPARISONS,
    alike=alike,
    picture=picture,
    panels=("bucket_card:BucketPanel",),
    code=CODE,
)
