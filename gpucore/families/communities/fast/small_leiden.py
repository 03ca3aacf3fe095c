"""The whole search of a small graph by "leiden" in one launch; see ``kernels/leiden_small.cu``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.communities.fast import last, small, small_log
from gpucore.families.communities.fast.last import Block
from gpucore.families.communities.fast.leiden import FEW, LEAST_ROUNDS, ROUNDS, most_cycles
from gpucore.families.communities.fast.sizes import APART_ON_HOST
from gpucore.families.communities.stage import Found
from gpucore.format import counted

if TYPE_CHECKING:
    from gpucore.families.communities.stage import Run, Stage

#: Bytes of shared memory, where a block has so many, for the tables of a vertex of 4,096 edges.
TABLE_BYTES = 96 << 10
#: Most levels of a cycle, and most steps of the search: a stage is two.
MOST_LEVELS, STEPS = 16, 96
#: Bytes of a vertex in the arrays that "fast" does not have.
ARRAY_BYTES = 20
#: Kinds of rows of the log; 0 is a stage that was not given up.
GIVEN_UP, SINGLE_VERTICES, TAKEN_BACK = range(1, 4)


def search(run: Run, stage: Stage) -> Found | None:
    """Search for communities; append the stages to the run's log.

    Returns
    -------
    Found or None
        None if the search needs what one launch does not have; see the kernel.
    """
    device, xp, params, n, entries = run.device, run.device.xp, run.params, stage.n, stage.entries
    block, blocks = Block(device, 0, 0, small.OTHER_BYTES), small.blocks_of(device)
    tables = min(device.shared_memory_per_block - small.OTHER_BYTES, TABLE_BYTES) // 16 * 16
    far = xp.empty(small.bytes_of(n, entries, blocks) + ARRAY_BYTES * n, dtype=np.uint8)
    maps = xp.empty(MOST_LEVELS * n, dtype=np.int32)
    order, refined = (xp.empty(n, dtype=np.int32) for _ in range(2))
    zeros, log = small_log.zeros_of(device, STEPS, last.HEADER_SIZE + STEPS * small_log.WIDTH)
    refinement = [params.theta * run.given.unit, params.refine_seed]
    refinement += [ROUNDS, LEAST_ROUNDS, FEW]
    apart = APART_ON_HOST if device.name == "host" else 0
    limits = [most_cycles(run), MOST_LEVELS, STEPS, apart, tables]
    memory = [zeros, far, maps, order, refined, log, 0]
    device.report(f"stage 1, {counted(n, 'vertex')}")
    with small_log.clock_of(device) as scale_of:
        device.kernel(*small.KERNELS["leiden"])(
            blocks,
            block.threads,
            [*small.arguments(run, stage), *refinement, *limits, *memory],
            shared_mem=tables,
            cooperative=True,
        )
        found = device.to_host(log)
    facts = last.facts_of(found)
    if facts["outcome"]:
        return None
    run.two_m = facts["two_m"]
    rows = found[last.HEADER_SIZE :].reshape(-1, small_log.WIDTH)[: int(facts["stages"])]

    def report() -> None:
        scale = scale_of(facts)
        for row in rows:
            kind = row[-1]
            more = {"given_up": bool(kind == GIVEN_UP)}
            if kind >= SINGLE_VERTICES:
                more = {"refining": True, "taken_back": bool(kind == TAKEN_BACK)}
            run.stages.append(small_log.report_of(row, scale, **more))

    if facts["moves"]:  # the communities after refinement are the result
        return Found([], facts["reached"], refined, small_log.of_copies(run, found), report)
    sizes = [int(row[0]) for row in rows[: int(facts["known"])]]
    levels = [maps[k * n :][:size] for k, size in enumerate(sizes)]
    return Found(levels, facts["reached"], report=report)
