"""Greedy colouring on the device: parameters, driver, result.

Source: M. T. Jones, P. E. Plassmann, "A parallel graph coloring heuristic", SIAM Journal on
Scientific Computing 14, 1993.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.colouring.certificate import certify_result
from gpucore.families.colouring.record import colouring_record
from gpucore.params import check_whole
from gpucore.result import Result
from gpucore.runner import Context, Runner, Variant

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

THREADS = 256
#: Bytes that a run needs for each vertex: its colour before and after a round.
BYTES_PER_VERTEX = 8


@dataclass(frozen=True)
class ColouringParams:
    """Parameters of greedy colouring.

    Attributes
    ----------
    variant : {"hashed"}
        Vertices take their colours in the order of a hash of their numbers.
    order_seed : int
        Seed of that hash.
    """

    variant: str = "hashed"
    order_seed: int = 1

    def __post_init__(self) -> None:
        check_whole("order_seed", self.order_seed, 0, (1 << 31) - 1)


@dataclass(frozen=True)
class ColouringResult(Result):
    """Result of a colouring; ``figures`` has ``colours``, their number.

    Attributes
    ----------
    colour : ndarray of int32, shape (n,)
        From 0.
    """

    colour: np.ndarray = field(default_factory=lambda: np.zeros(0, np.int32))


def run(graph: Graph, params: ColouringParams, context: Context) -> ColouringResult:
    """Colour a graph; see :func:`gpucore.run`. Self-loops do not count.

    Returns
    -------
    ColouringResult
        The same on every device and under every schedule.
    """
    device, n = context.device, graph.num_vertices
    xp = device.xp
    device.require_memory(graph.nbytes + BYTES_PER_VERTEX * n, "the graph and its colours")
    rows = [device.asarray(graph.indptr), device.asarray(graph.indices)]
    before, after = xp.full(n, -1, dtype=xp.int32), xp.empty(n, dtype=xp.int32)
    counts = xp.zeros(2, dtype=xp.int32)
    grid = max(1, -(-n // THREADS))
    recorder = context.recorder(warps=max(1, -(-n // 32)))
    kernel = recorder.kernel("colouring", "colouring_round")
    rounds: list[dict[str, int]] = []
    left = n
    with device.timer() as timer:
        while left:
            counts[0] = 0
            state = [before, after, counts, params.order_seed, len(rounds)]
            kernel(grid, THREADS, [n, *rows, *state, *recorder.args()])
            taken, colours = (int(count) for count in device.to_host(counts))
            rounds.append({"open": left, "colours": colours})
            before, after = after, before
            left -= taken  # at least one: the first of all that are left
            device.report(f"round {len(rounds)}: {left:,} vertices left")
    colour, settings = np.array(device.to_host(before)), dataclasses.asdict(params)
    return ColouringResult(
        algorithm="colouring",
        device=device.describe(),
        seconds=timer.seconds,
        figures={"colours": rounds[-1]["colours"] if rounds else 0, "rounds": len(rounds)},
        params=settings,
        record=colouring_record(
            recorder.collect(),
            graph,
            params=settings,
            device=device.describe(),
            rounds=rounds,
            colour=colour,
        ),
        colour=colour,
    )


ALGORITHM = Runner(
    name="colouring",
    title="Greedy colouring",
    source="SIAM J. Sci. Comput. 14 (1993), after Jones and Plassmann",
    params=ColouringParams,
    variants=(
        Variant(
            "hashed",
            "In the order of a hash",
            about="Vertices take their colours in the order of a hash of their numbers.",
        ),
    ),
    records=True,
    run=run,
    certify=certify_result,
)
