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
#: Most blocks that share the sums of the new lists' lengths, and fewest lengths of a block.
ROW_BLOCKS, ROW_CHUNK = 1024, 1024


def number(fast: FastState) -> tuple[Any, Any]:
    """Give numbers to the communities that have members; `fast.facts` has how many there are.

    Returns
    -------
    mapping : array of int32, shape (n,)
        Number of every vertex's community, from 0.
    total : array of uint64, shape (n,)
        Strength of every community, by its number.
    """
    run, n = fast.run, fast.stage.n
    xp, every = run.device.xp, -(-n // 256)

    def kernel(name: str) -> Kernel:
        return run.device.kernel("louvain_fast_contract", name)

    used, numbers, mapping = xp.zeros(n, dtype=xp.int32), *(xp.empty(n, xp.int32) for _ in "ab")
    total = xp.empty(n, dtype=xp.uint64)
    facts = fast.facts
    kernel("fast_mark")(every, 256, [n, fast.community, used])
    kernel("fast_number")(
        every,
        256,
        [n, used, fast.total, run.two_m, numbers, total, facts.communities, facts.squares],
    )
    kernel("fast_map")(every, 256, [n, fast.community, numbers, mapping])
    return mapping, total


def contract(fast: FastState) -> tuple[Stage, Any, Any, float]:
    """Make every community a vertex.

    The host waits for the device once, when it has to know how long the new lists are.

    Returns
    -------
    stage, strength, mapping
        As :func:`gpucore.families.communities.contract.contract`.
    modularity : float
        Modularity of the partition, from its exact sums.
    """
    run, stage, facts = fast.run, fast.stage, fast.facts
    device, xp, n = run.device, run.device.xp, stage.n

    def kernel(name: str) -> Kernel:
        return device.kernel("louvain_fast_contract", name)

    def recorded(name: str) -> Kernel:
        return run.recorder.kernel("louvain_fast_contract", name)

    facts.begin()
    mapping, total = number(fast)
    inner, length = xp.zeros(n, dtype=xp.uint64), xp.zeros(n, dtype=xp.int32)
    most = fast.live + 1  # vertices without edges add no pairs
    slots = 1 << max(10, (min(stage.entries, most * most) * 3 // 2).bit_length())
    table = xp.empty(2 * slots, dtype=xp.uint64)
    blocks = min(WALK_BLOCKS, slots // 256)
    kernel("fast_clear")(blocks, 256, [slots, table])
    tail = [fast.add_merging(), *run.recorder.args()]
    pairs_of = [mapping, table, slots - 1, inner]
    for launch in fast.launches(recorded, "fast_pairs", pairs_of, tail):
        launch()
    kernel("fast_lengths")(
        blocks, 256, [slots, table, facts.communities, inner, run.two_m, length, facts.inside]
    )
    indptr = xp.empty(n + 1, dtype=xp.int64)
    chunk = max(ROW_CHUNK, -(-n // ROW_BLOCKS))
    rows = -(-n // chunk)
    parts = xp.empty(rows, dtype=xp.int64)
    kernel("fast_parts")(rows, 256, [n, chunk, length, parts])
    kernel("fast_rows")(
        rows,
        256,
        [
            n,
            chunk,
            length,
            parts,
            facts.communities,
            indptr,
            facts.entries,
            facts.classes,
            facts.longest,
        ],
    )
    found = facts.read()
    indices = xp.empty(max(1, found.entries), dtype=xp.int32)
    edge_sums = xp.empty(max(1, found.entries), dtype=xp.uint64)
    kernel("fast_edges")(
        blocks,
        256,
        [slots, table, found.communities, inner, indptr, length, indices, edge_sums],
    )
    smaller = Stage(
        n=found.communities,
        entries=found.entries,
        indptr=indptr[: found.communities + 1],
        indices=indices[: found.entries] if found.entries else indices,
        weights=stage.weights[:1],
        sums=edge_sums,
        kind=SUMS,
        unit=1.0,
        classes=found.classes,
        longest=found.longest,
    )
    fast.launched = found.launches
    modularity = found.inside - run.params.resolution * found.squares
    return smaller, total[: found.communities], mapping, modularity
