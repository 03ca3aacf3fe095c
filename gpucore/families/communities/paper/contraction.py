"""Second phase of a stage: the graph of the communities.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017, algorithm 3
and section IV-A.  Kernels: ``families/communities/kernels/louvain_contract.cu``.
"""

from __future__ import annotations

from typing import Any

from gpucore.families.communities.paper.buckets import (
    SLOT_BYTES,
    THREADS,
    table_size,
    table_sizes,
)
from gpucore.families.communities.paper.partition import Partition
from gpucore.families.communities.stage import SUMS, Run, Stage, table_bytes

#: Largest sum of degrees that a warp, and that a block with shared memory, takes.
WARP_DEGREE, BLOCK_DEGREE = 127, 479
#: Kernels of the three groups of communities.
GROUPS = ("contract_warp", "contract_block", "contract_global")


def contract(run: Run, stage: Stage, partition: Partition) -> tuple[Stage, Any, Any]:
    """Make every community a vertex.

    Returns
    -------
    stage : Stage
        The smaller graph; the weights between two communities, and inside each, are summed up.
    strength : array of uint64
        Strengths of its vertices.
    mapping : array of int32, shape (n,)
        The new vertex of every old vertex.
    """
    device, xp = run.device, run.device.xp
    n, community = stage.n, partition.community
    size = xp.zeros(n, dtype=xp.int32)
    degree = xp.zeros(n, dtype=xp.uint64)
    every_vertex = -(-n // 256)
    device.kernel("louvain_contract", "contract_count")(
        every_vertex, 256, [n, stage.indptr, community, size, degree]
    )
    degree_of = degree.view(xp.int64)  # the type of most array operations, each of which compiles
    used = xp.flatnonzero(size > 0)
    new_id = (xp.cumsum(size > 0, dtype=xp.int64) - 1).astype(xp.int32)
    new_count = len(used)
    first_edge = _starts(xp, degree_of)
    first_member = _starts(xp, size).astype(xp.int32)
    members = xp.empty(n, dtype=xp.int32)
    device.kernel("louvain_contract", "contract_order")(
        every_vertex, 256, [n, community, first_member.copy(), members]
    )
    length = xp.zeros(n, dtype=xp.int32)
    neighbours = xp.empty(max(1, stage.entries), dtype=xp.int32)
    sums = xp.empty(max(1, stage.entries), dtype=xp.uint64)
    sizes = device.asarray(table_sizes())
    common = [*stage.args, community, new_id, first_member, size, members, degree, first_edge]
    common += [neighbours, sums, length, sizes, len(sizes), new_count]
    _merge(run, common, degree_of, size, new_count)
    indptr = xp.zeros(new_count + 1, dtype=xp.int64)
    xp.cumsum(length[used], dtype=xp.int64, out=indptr[1:])
    entries = int(indptr[-1])
    packed = xp.empty(max(1, entries), dtype=xp.int32)[:entries]
    packed_sums = xp.empty(max(1, entries), dtype=xp.uint64)[: max(1, entries)]
    device.kernel("louvain_contract", "contract_pack")(
        -(-n * 32 // 256),
        256,
        [n, size, new_id, first_edge, length, neighbours, sums, indptr, packed, packed_sums],
    )
    smaller = Stage(
        n=new_count,
        entries=entries,
        indptr=indptr,
        indices=packed,
        weights=stage.weights[:1],
        sums=packed_sums,
        kind=SUMS,
        unit=1.0,
    )
    return smaller, partition.total[used], new_id[community]


def _starts(xp: Any, lengths: Any) -> Any:
    """Return the start of each list in their concatenation, int64."""
    starts = xp.zeros(len(lengths), dtype=xp.int64)
    starts[1:] = xp.cumsum(lengths, dtype=xp.int64)[:-1]
    return starts


def _merge(run: Run, common: list[Any], degree: Any, size: Any, new_count: int) -> None:
    """Launch mergeCommunity for the three groups of communities."""
    device, xp = run.device, run.device.xp

    def launch(group: int, blocks: int, communities: Any, tail: list[Any], shared: int) -> None:
        step, recorder = len(run.steps), run.recorder.args()
        if recorder:
            members = int(size[communities].sum())
            edges = int(degree[communities].sum())
            run.add_step(members, edges, bucket=group, merging=True)
        run.recorder.kernel("louvain_contract", GROUPS[group - 1])(
            blocks,
            THREADS,
            [len(communities), communities, *common, *tail, step, *recorder],
            shared_mem=shared,
        )

    small = xp.flatnonzero((degree > 0) & (degree <= WARP_DEGREE)).astype(xp.int32)
    if len(small):
        warps, slots = THREADS // 32, table_size(WARP_DEGREE)
        launch(1, -(-len(small) // warps), small, [slots], warps * slots * SLOT_BYTES)
    middle = xp.flatnonzero((degree > WARP_DEGREE) & (degree <= BLOCK_DEGREE)).astype(xp.int32)
    if len(middle):
        slots = table_size(BLOCK_DEGREE)
        launch(2, len(middle), middle, [slots], slots * SLOT_BYTES)
    large = xp.flatnonzero(degree > BLOCK_DEGREE).astype(xp.int32)
    if len(large):
        by_degree = xp.argsort(degree[large], kind="stable")[::-1]
        large = xp.ascontiguousarray(large[by_degree])
        slots = table_size(min(int(degree[large[:1]][0]), new_count))
        blocks = max(1, min(len(large), run.max_warps, table_bytes(device) // (SLOT_BYTES * slots)))
        keys = xp.empty(blocks * slots, dtype=xp.int32)
        sums = xp.empty(blocks * slots, dtype=xp.uint64)
        launch(3, blocks, large, [slots, keys, sums], 0)
