"""Communities by the Louvain method on the GPU.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017 (also paper
III of Naim's thesis); the method is that of Blondel, Guillaume, Lambiotte, Lefebvre, "Fast
unfolding of communities in large networks", 2008.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.errors import GraphError
from gpucore.families.communities.certificate import certify_search
from gpucore.families.communities.compiles import compiles
from gpucore.families.communities.fast.copies import (
    best_copy,
    best_known,
    copies_of,
    copy_bytes,
    levels_of_copy,
)
from gpucore.families.communities.fast.refinement import composed
from gpucore.families.communities.first_stage import put_on_device
from gpucore.families.communities.params import LouvainParams
from gpucore.families.communities.part_certificate import certify_part
from gpucore.families.communities.record import active_lanes, communities_record
from gpucore.families.communities.result import CommunityResult
from gpucore.families.communities.scratch import scratch_bytes
from gpucore.families.communities.stage import Run, max_warps
from gpucore.families.communities.stages import run_stages
from gpucore.families.communities.starts import (
    are_beside,
    best_of,
    facts_of,
    may_be_beside,
)
from gpucore.families.communities.variants import TUNED, VARIANTS
from gpucore.problems.graph.part import GraphPart
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from gpucore.families.communities.fast.copies import Copies
    from gpucore.families.communities.stage import Stage
    from gpucore.problems.graph.graph import Graph


def run(graph: Graph | GraphPart, params: LouvainParams, context: Context) -> CommunityResult:
    """Find communities; see :func:`gpucore.run`.

    Returns
    -------
    CommunityResult
        With the whole hierarchy; after refinement with one level.  The variants of the paper
        compute with integers, so their result is the same on every device and schedule; so is that
        of the tuned ones if the parameter `deterministic` is set.  Of
        several starts it is the best one, see :mod:`gpucore.families.communities.starts`.
    """
    device = context.device
    if context.record == "events" and isinstance(graph, GraphPart):
        raise GraphError(
            "a record of events needs the graph on the host; load it with gpucore.load, or record "
            "counters only"
        )
    n, entries = graph.num_vertices, len(graph.indices)
    recording, waits = context.record != "off", params.deterministic
    may = may_be_beside(device.name, recording=recording, deterministic=waits)
    params = params.for_graph(n, entries, beside=may)
    count = params.starts or 1
    beside = may and are_beside(count, n, entries)
    times = count if beside else 1
    scratch = scratch_bytes(params.variant, times * n, times * entries, device, deterministic=waits)
    if beside:
        scratch += count * copy_bytes(n, entries)
    stage = put_on_device(graph, device, scratch, classes=params.variant in TUNED)
    several = copies_of(graph, stage, times, device)
    if several is not None:
        device.report(f"{count} starts side by side")
        return _search(graph, stage, params, 0, context, several)

    def search(start: int) -> CommunityResult:
        if count > 1:
            device.report(f"start {start + 1} of {count}")
        return _search(graph, stage, params, start, context)

    return best_of(count, search)


def _search(
    graph: Graph | GraphPart,
    stage: Stage,
    params: LouvainParams,
    start: int,
    context: Context,
    several: Copies | None = None,
) -> CommunityResult:
    """Search once; `start` is the number of the order of the vertices, or there are several."""
    device = context.device
    recorder = context.recorder(warps=min(max_warps(device), 4 * max(1, stage.n)))
    given, copies = (stage, 1) if several is None else (several.stage, several.count)
    work = Run(device, recorder, params, given, start=start, copies=copies)
    with device.timer() as timer:
        found = run_stages(work, given)
        # Communities after refinement are not unions of the stages' parts.
        parts = found.levels if found.refined is None else [found.refined]
        kept = None
        if several is not None and found.of_copies:
            kept = best_known(several, found.of_copies)
        elif several is not None:
            kept = best_copy(work, stage, several, parts)
    if found.report is not None:
        found.report()
    for stage_report in work.stages:
        stage_report.read_times(device)
    levels = tuple(device.to_host(mapping) for mapping in parts)
    reached, starts = found.modularity, {}
    if kept is not None:
        levels = levels_of_copy(levels, device.to_host(kept.number), kept.levels)
        reached = kept.reached[kept.copy]
        starts = facts_of(kept.reached, kept.copy) | {"side by side": True}
    community = composed(levels)
    if community is None:
        community = np.arange(stage.n, dtype=np.int32)
    settings = params.settings()
    description = device.describe()
    raw = recorder.collect()
    return CommunityResult(
        algorithm="louvain",
        device=description,
        seconds=timer.seconds,
        figures={
            "modularity": reached,
            "communities": int(community.max(initial=-1)) + 1,
            "levels": len(levels),
            "sweeps": sum(stage.sweeps for stage in work.stages),
            "stages": [stage.as_dict() for stage in work.stages],
            **active_lanes(raw),
            **starts,
        },
        params=settings,
        record=communities_record(
            raw,
            graph,
            algorithm="louvain",
            params=settings,
            device=description,
            steps=work.steps,
            stages=work.stages,
            levels=[device.to_host(mapping) for mapping in found.levels if raw.level != "off"],
            community=community,
            divisions=work.divisions,
        ),
        community=community,
        levels=levels,
    )


ALGORITHM = Runner(
    name="louvain",
    title="Louvain",
    source="IPDPS 2017, algorithms 1 to 3",
    params=LouvainParams,
    variants=VARIANTS,
    records=True,
    run=run,
    certify=certify_search,
    certify_part=certify_part,
    compiles=compiles,
)
