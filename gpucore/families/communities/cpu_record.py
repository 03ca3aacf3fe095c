"""Records of the methods on the processor: a step is a sweep, or a class of vertices in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.communities.modularity import adjacency, modularity
from gpucore.families.communities.record import ROW_WORDS, communities_record
from gpucore.families.communities.reports import StageReport, StepReport

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.record import RawRecord, Record


def record_of(
    raw: RawRecord, graph: Graph, result: CommunityResult, steps: Sequence[dict[str, int]]
) -> Record | None:
    """Make the record of a run.

    Parameters
    ----------
    raw : RawRecord
        Iterations are numbers of `steps`.
    graph : Graph
        The problem.
    result : CommunityResult
        Its figure ``stages`` has the reports of the stages.
    steps : sequence of dict
        ``StepReport`` of louvain.h.
    """
    stages = _stages(graph, result)
    moves = raw.rows[:, :, ROW_WORDS.index("moves")].sum(axis=1, dtype=np.int64)
    table = [
        StepReport(
            stage=step["level"],
            sweep=step["sweep"],
            bucket=step["bucket"],
            vertices=step["vertices"],
            edges=step["entries"],
            moves=int(moves[number]) if number < len(moves) else 0,
            taken_back=bool(step["taken_back"]),
        )
        for number, step in enumerate(steps)
    ]
    for number, stage in enumerate(stages):  # the host knows it at the end of a stage
        mine = [step for step in table if step.stage == number]
        if mine:
            mine[-1].modularity = stage.modularity
    return communities_record(
        raw,
        graph,
        algorithm=result.algorithm,
        params=result.params,
        device=result.device,
        steps=table,
        stages=stages,
        levels=result.levels,
    )


def _stages(graph: Graph, result: CommunityResult) -> list[StageReport]:
    """Return one report for each contraction, and one for a last stage without.

    A stage whose graph did not become smaller goes on with another threshold: both are one here. A
    contraction without a report is that of vertices that follow their neighbours.
    """
    reports: dict[int, StageReport] = {}
    for report in result.figures["stages"]:
        stage = StageReport(**report)
        if stage.vertices in reports:
            stage.sweeps += reports[stage.vertices].sweeps
        reports[stage.vertices] = stage
    stages: list[StageReport] = []
    community = np.arange(graph.num_vertices, dtype=np.int32)
    for level in result.levels:
        community = level[community]
        size, count = len(level), int(level.max()) + 1
        if size in reports:
            stages.append(reports.pop(size))
            continue
        resolution = float(result.params["resolution"])
        now = modularity(adjacency(graph), community.astype(np.int64), resolution)
        stages.append(StageReport(vertices=size, communities=count, sweeps=0, modularity=now))
    return [*stages, *reports.values()]
