"""Half-approximate weighted matching by locally dominant edges on the GPU (GPU-LD).

Source: Naim, Manne, Halappanavar, Tumeo, Langguth, "Optimizing approximate weighted matching on
Nvidia Kepler K40", HiPC 2015, section 2.1, algorithms 1 and 2, and section 6 (its GPU form: a
thread for a vertex, the host launches one kernel a round). The variant "warp" is ours: a warp for a
vertex. Kernels: ``families/matching/kernels/ld.cu``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.families.matching.certificate import certify_result
from gpucore.families.matching.outcome import (
    Adjacency,
    make_result,
    put_on_device,
    weights_of_mates,
)
from gpucore.params import check_threads
from gpucore.runner import Context, Runner, Variant

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.record import Recorder

#: Most warps of a launch of "warp"; with more vertices each warp takes several.
WARPS = 1 << 16
#: Bytes of state for each vertex: mate, candidate, two queues, weight of the matched edge.
SCRATCH = 5 * 4


@dataclass(frozen=True)
class LdParams:
    """Parameters of GPU-LD.

    Attributes
    ----------
    variant : {"ld", "warp"}
        A thread for a vertex, as in the paper; a warp for a vertex, ours.
    threads_per_block : {32, 64, 128, 192, 256}
        Threads of a block.
    """

    variant: str = "ld"
    threads_per_block: int = 128

    def __post_init__(self) -> None:
        check_threads(self.threads_per_block, (32, 64, 128, 192, 256))


def run(graph: Graph, params: LdParams, context: Context) -> MatchingResult:
    """Match a graph; see :func:`gpucore.run`.

    Returns
    -------
    MatchingResult
        The greedy matching, the same as that of :mod:`gpucore.families.matching.suitor`. The
        figure ``iterations`` counts the rounds, each of which is one launch.
    """
    device = context.device
    adjacency = put_on_device(graph, device, SCRATCH)
    n, xp = adjacency.n, device.xp
    warps = max(1, _blocks(n, params) * params.threads_per_block // 32)
    recorder = context.recorder(warps=warps)
    mate = xp.full(n, -1, dtype=xp.int32)
    seconds, rounds = 0.0, 0
    if n:
        seconds, rounds = _rounds(adjacency, params, device, recorder, mate)
    found = np.array(device.to_host(mate))
    return make_result(
        graph,
        device,
        recorder,
        algorithm="ld",
        params=params,
        seconds=seconds,
        mate=found,
        weight_of_mate=weights_of_mates(graph, found),
        warp=lambda: _first_warps(n, params, warps),
        gain_share=1.0,
        iterations=rounds,
    )


def _blocks(vertices: int, params: LdParams) -> int:
    """Return the number of blocks of a launch for this number of vertices."""
    threads = params.threads_per_block
    if params.variant == "ld":
        return -(-vertices // threads)
    return -(-min(vertices, WARPS) * 32 // threads)


def _first_warps(n: int, params: LdParams, warps: int) -> np.ndarray:
    """Return the warp of every vertex in the first round; int32, shape (n,)."""
    vertex = np.arange(n, dtype=np.int32)
    return vertex // np.int32(32) if params.variant == "ld" else vertex % np.int32(warps)


def _rounds(
    adjacency: Adjacency, params: LdParams, device: Device, recorder: Recorder, mate: Any
) -> tuple[float, int]:
    """Run rounds until one matches nothing; returns seconds and rounds."""
    n, xp, threads = adjacency.n, device.xp, params.threads_per_block
    candidate = xp.empty(n, dtype=xp.int32)
    queue, following = xp.empty(n, dtype=xp.int32), xp.empty(n, dtype=xp.int32)
    count = xp.zeros(1, dtype=xp.int32)
    prefix = "ld_warp_" if params.variant == "warp" else "ld_"
    first = device.kernel("ld", f"{prefix}first", record=recorder.macro)
    later = device.kernel("ld", f"{prefix}round", record=recorder.macro)
    state = (*adjacency.arrays, mate, candidate)
    rounds = 1
    with device.timer() as timer:
        mate.fill(-1)
        candidate.fill(-1)
        first(_blocks(n, params), threads, [n, *state, queue, count, *recorder.args()])
        while (waiting := int(device.to_host(count)[0])) > 0:
            count.fill(0)
            later(
                _blocks(waiting, params),
                threads,
                [waiting, queue, *state, following, count, rounds, *recorder.args()],
            )
            queue, following = following, queue
            rounds += 1
    return timer.seconds, rounds


VARIANTS = (
    Variant(
        "ld",
        "A thread for a vertex (LD)",
        about="Every vertex points to its heaviest free neighbour; two that point to each other "
        "are matched.",
        look_for="Every round asks the vertices that are still free: the rows pale from left to "
        "right as pairs leave.",
    ),
    Variant(
        "warp",
        "A warp for a vertex",
        about="The same with a warp for a vertex (ours): the lanes read one adjacency side by "
        "side, so no thread walks along a hub's neighbours alone.",
        look_for="A warp reads one adjacency at a time, so short ones leave most of its lanes "
        "idle: see “Idle lanes” on a road map, then on a graph with hubs.",
    ),
)

ALGORITHM = Runner(
    name="ld",
    title="GPU-LD, locally dominant edges",
    source="HiPC 2015, section 2.1",
    params=LdParams,
    variants=VARIANTS,
    records=True,
    run=run,
    certify=certify_result,
    ranks="ld_ranks:RANKS",
)
