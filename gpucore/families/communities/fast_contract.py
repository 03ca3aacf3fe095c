"""Contraction of the tuned variant: every community becomes a vertex.

See ``families/communities/kernels/louvain_fast_contract.cu``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.families.communities.stage import SUMS, Stage

if TYPE_CHECKING:
    from gpucore.device.base import Kernel
    from gpucore.families.communities.fast_state import FastState

#: Blocks of kernels that walk over all slots of the table of pairs.
WALK_BLOCKS = 1024


def numbered(fast: FastState) -> tuple[Any, Any]:
    """Give the communities that have members the numbers 0 to k - 1.

    Returns
    -------
    mapping : array of int32, shape (n,)
        Number of every vertex's community, 0 to k - 1.
    total : array of uint64, shape (k,)
        Strength of every community.
    """
    device, xp, n = fast.run.device, fast.run.device.xp, fast.stage.n
    every = -(-n // 256)
    used = xp.zeros(n, dtype=xp.int32)
    device.kernel("louvain_fast_contract", "fast_mark")(every, 256, [n, fast.community, used])
    number = xp.cumsum(used, dtype=xp.int32)
    mapping = xp.empty(n, dtype=xp.int32)
    total = xp.empty(int(device.to_host(number[-1:])[0]), dtype=xp.uint64)
    device.kernel("louvain_fast_contract", "fast_renumber")(
        every, 256, [n, fast.community, number, used, fast.total, mapping, total]
    )
    return mapping, total


def contract(fast: FastState) -> tuple[Stage, Any, Any, float]:
    """Make every community a vertex.

    Returns
    -------
    stage, strength, mapping
        As :func:`gpucore.families.communities.contract.contract`.
    modularity : float
        Modularity of the partition, from its exact sums.
    """
    run, stage = fast.run, fast.stage
    device, xp = run.device, run.device.xp

    def kernel(name: str) -> Kernel:
        return device.kernel("louvain_fast_contract", name)

    def recorded(name: str) -> Kernel:
        return run.recorder.kernel("louvain_fast_contract", name)

    mapping, total = numbered(fast)
    communities = len(total)
    inner = xp.zeros(communities, dtype=xp.uint64)
    length = xp.zeros(communities, dtype=xp.int32)
    pairs = min(stage.entries, communities * communities)
    slots = 1 << max(10, (pairs * 3 // 2).bit_length())
    table = xp.empty(2 * slots, dtype=xp.uint64)
    blocks = min(WALK_BLOCKS, slots // 256)
    kernel("fast_clear")(blocks, 256, [slots, table])
    tail = [fast.add_merging(), *run.recorder.args()]
    pairs_of = [mapping, table, slots - 1, inner]
    for launch in fast.launches(recorded, "fast_pairs", pairs_of, tail):
        launch()
    shares, squares = xp.empty(blocks, dtype=xp.float64), xp.empty(blocks, dtype=xp.float64)
    kernel("fast_lengths")(
        blocks, 256, [slots, table, communities, inner, total, run.two_m, length, shares, squares]
    )
    indptr = xp.zeros(communities + 1, dtype=xp.int64)
    xp.cumsum(length, dtype=xp.int64, out=indptr[1:])
    entries = int(device.to_host(indptr[-1:])[0])
    modularity = float(device.to_host(shares).sum())
    modularity -= run.params.resolution * float(device.to_host(squares).sum())
    indices = xp.empty(max(1, entries), dtype=xp.int32)
    edge_sums = xp.empty(max(1, entries), dtype=xp.uint64)
    cursor = indptr[:-1].astype(xp.uint64)
    kernel("fast_edges")(
        blocks, 256, [slots, table, communities, inner, cursor, indices, edge_sums]
    )
    smaller = Stage(
        n=communities,
        entries=entries,
        indptr=indptr,
        indices=indices[:entries] if entries else indices,
        weights=stage.weights[:1],
        sums=edge_sums,
        kind=SUMS,
        unit=1.0,
    )
    return smaller, total, mapping, modularity
