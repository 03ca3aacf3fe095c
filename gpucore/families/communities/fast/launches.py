"""The launches that go over a stage's vertices: one for each kind of work that a degree needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpucore.families.communities.fast.order import HUBS, THREADS, Order
from gpucore.families.communities.fast.sizes import (
    BLOCK_THREADS,
    HUB_THREADS,
    SHARED_SLOTS,
    SLOT_BYTES,
    WARP_SLOTS,
    hub_slots,
)

if TYPE_CHECKING:
    from gpucore.device.base import Kernel
    from gpucore.families.communities.fast.phase import FastPhase


def launches(
    phase: FastPhase,
    kernel: Callable[[str], Kernel],
    name: str,
    middle: list[Any],
    tail: list[Any],
    *,
    parts: int = 1,
    hubs: bool = True,
    order: Order | None = None,
) -> list[Callable[[], None]]:
    """Prepare the launches that go over all vertices with edges, or over one of equal parts.

    Parameters
    ----------
    phase : FastPhase
        The stage.
    kernel : callable
        Returns the kernel of a name.
    name : str
        "fast_move", "fast_pairs" or "leiden_join".
    middle, tail : list
        Arguments after the graph's; the step's number, and the record if there is one.
    parts : int
        Number of parts; the kernel knows which one is next.
    hubs : bool
        Whether the hubs, the last class, are among them.
    order : Order, optional
        Other vertices than the phase's.
    """
    order, ready = order or phase.order, []
    graph = [*phase.stage.args, *middle]
    blocks = order.lane_blocks(parts)
    if blocks[-1]:
        ranges = [*order.first[1:6], *blocks[1:4]]
        ready.append(
            kernel(f"{name}_lanes").prepare(
                blocks[-1], THREADS, [order.vertices, *ranges, *graph, *tail]
            )
        )
    warp = blocks[-1] * THREADS // 32

    begin, end = order.range_of(5)
    if end > begin:
        warps = THREADS // 32
        ready.append(
            kernel(f"{name}_warp").prepare(
                -(-order.share(5, parts) // warps),
                THREADS,
                [order.vertices, begin, end, *graph, warp, *tail],
                shared_mem=warps * WARP_SLOTS * SLOT_BYTES,
            )
        )
        warp += end - begin + warps
    tables, device = phase.tables, phase.run.device
    shared = {"fast_move": tables.shared, "fast_pairs": tables.divided}
    for k, most, near, slots, threads in (
        (6, 1 << 30, SHARED_SLOTS, 1, BLOCK_THREADS),
        (HUBS, tables.blocks, hub_slots(device), tables.slots, HUB_THREADS),
    ):
        begin, end = order.range_of(k)
        if k == HUBS and end > begin and hubs and shared.get(name, False):
            ready += _launches_of_hubs(phase, kernel, name, order, parts, middle, [warp, *tail])
        elif end > begin and (hubs or k < HUBS):
            grid = min(order.share(k, parts), most)
            places = [near, slots, tables.array, phase.work.queue]
            ready.append(
                kernel(f"{name}_block").prepare(
                    grid,
                    threads,
                    [order.vertices, begin, end, *graph, *places, warp, *tail],
                    shared_mem=near * SLOT_BYTES,
                )
            )
            warp += grid * threads // 32
    return ready


def _launches_of_hubs(
    phase: FastPhase,
    kernel: Callable[[str], Kernel],
    name: str,
    order: Order,
    parts: int,
    middle: list[Any],
    tail: list[Any],
) -> list[Callable[[], None]]:
    """Prepare the launches for hubs that several blocks share."""
    tables, near = phase.tables, hub_slots(phase.run.device)
    outside = [near, tables.slots, tables.array]
    steps: list[tuple[str, list[Any], int]] = [("fast_pairs_hubs", [*middle, near, *tail], near)]
    if name == "fast_move":
        steps = [
            ("fast_sum_hubs", [*middle, *outside, *tail], near),
            ("fast_move_hubs", [*middle, *outside, tables.findings, *tail], 0),
            ("fast_wake_hubs", [*middle, near, tables.findings], 0),
        ]
    grid = tables.pieces * order.share(HUBS, parts)
    return [
        kernel(step).prepare(
            grid,
            HUB_THREADS,
            [order.vertices, *order.range_of(HUBS), *phase.stage.args, *args],
            shared_mem=slots * SLOT_BYTES,
        )
        for step, args, slots in steps
    ]
