"""Half-approximate weighted matching by GPU-Suitor.

Source: Naim, Manne, Halappanavar, Tumeo, Langguth, "Optimizing approximate weighted matching on
Nvidia Kepler K40", HiPC 2015: algorithm 3 (the rule), algorithm 4 and section 4 (the variants).
Kernels: ``families/matching/kernels/suitor.cu``, and ``families/matching/kernels/suitor_fast.cu``
for the variant "fast", which is ours.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from gpucore.device.constants import constant
from gpucore.errors import ParameterError
from gpucore.families.matching.certificate import certify_result
from gpucore.families.matching.hubs import ONE_LAUNCH, Hubs, hub_blocks
from gpucore.families.matching.outcome import Adjacency, make_result, put_on_device
from gpucore.params import check_threads, check_whole, is_whole
from gpucore.problems.graph.distributed.exchange import OneRank
from gpucore.runner import Context, Runner, Variant

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.device import Device
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.part import GraphPart
    from gpucore.record import Recorder

#: Bytes of state for each vertex, of the variant that needs most ("fast").
SCRATCH = 8 + 4 + 4 + 4 + 4 + 1

#: For the variant "fast": vertices of a warp in the second part.
WARP_VERTICES = constant("suitor_search.cuh", "WARP_VERTICES")
#: The same in the one launch of a small graph.
SMALL_VERTICES = constant("suitor_search.cuh", "SMALL_VERTICES")


@dataclass(frozen=True)
class SuitorParams:
    """Parameters of GPU-Suitor.

    Attributes
    ----------
    variant : {"fast", "nosync", "sync_lb", "sync_nolb", "hybrid"}
        The paper's four variants, and ours, which chooses its own distribution of work.
    threads_per_block : {32, 64, 128, 192, 256}
        The paper studies the last three.
    vertices_per_warp : int
        Vertices in a warp's chunk, 1 to 256; the paper draws 8 to 256 and says that fewer are
        slower (section 5.3).
    lb_iterations : int or "adaptive"
        Iterations of the recurrent phase that begin with a redistribution (variants "sync_lb"
        and "hybrid"); "adaptive": as long as the block holds a tenth of its vertices.
    """

    variant: str = "fast"
    threads_per_block: int = 128
    vertices_per_warp: int = 32
    lb_iterations: int | Literal["adaptive"] = "adaptive"

    def __post_init__(self) -> None:
        check_threads(self.threads_per_block, (32, 64, 128, 192, 256))
        check_whole("vertices_per_warp", self.vertices_per_warp, 1, 256)
        rounds = self.lb_iterations
        if rounds != "adaptive" and not (is_whole(rounds) and 0 <= rounds < 2**31):
            raise ParameterError(f"lb_iterations is {rounds!r}; use 0, 1, 2, ... or 'adaptive'")

    @property
    def warps_per_block(self) -> int:
        """Number of warps in a block."""
        return self.threads_per_block // 32

    def blocks(self, n: int) -> int:
        """Return how many blocks hold `n` vertices."""
        return -(-n // (self.vertices_per_warp * self.warps_per_block))


def run(graph: Graph | GraphPart, params: SuitorParams, context: Context) -> MatchingResult:
    """Match a graph; see :func:`gpucore.run`.

    Returns
    -------
    MatchingResult
        The matching of the greedy algorithm that takes edges by descending (weight, larger end,
        smaller end), the same for every variant, device and schedule.  Its ``seconds`` are the
        time from the cleared bids to the mates.
    """
    device = context.device
    adjacency = put_on_device(graph, device, SCRATCH)
    n = adjacency.n
    fast = params.variant == "fast"
    chunk = 32 if fast else params.vertices_per_warp
    blocks = -(-n // (32 * params.warps_per_block)) if fast else params.blocks(n)
    warps = max(1, blocks * params.warps_per_block)
    hub_rows = hub_blocks(len(adjacency.arrays[1])) if fast else 0
    recorder = context.recorder(warps=warps + hub_rows, idle_from=warps)
    xp = device.xp
    bids = xp.zeros(n, dtype=xp.uint64)
    mate = xp.full(n, -1, dtype=xp.int32)
    seconds = 0.0
    if n:
        job = _fast if fast else _paper
        seconds = job(adjacency, params, device, recorder, bids, mate)
    return make_result(
        graph,
        device,
        recorder,
        algorithm="suitor",
        params=params,
        seconds=seconds,
        mate=mate,
        weight_of_mate=(bids >> np.uint64(32)).astype(xp.uint32).view(xp.float32),
        warp=lambda: np.arange(n, dtype=np.int32) // np.int32(chunk),
        gain_share=0.5,
    )


def _paper(
    adjacency: Adjacency,
    params: SuitorParams,
    device: Device,
    recorder: Recorder,
    bids: Any,
    mate: Any,
) -> float:
    """Run one of the paper's variants; returns the seconds it took."""
    n, lists = adjacency.n, 4 * params.vertices_per_warp * params.warps_per_block
    args: list[Any] = [n, *adjacency.arrays, bids, params.vertices_per_warp]
    rounds = -1 if params.lb_iterations == "adaptive" else params.lb_iterations
    synchronised, shared = "suitor_sync", 2 * lists + 4 * 64
    name, shared, own = {
        "nosync": ("suitor_nosync", lists, []),
        "sync_lb": (synchronised, shared, [rounds, 1]),
        "sync_nolb": (synchronised, shared, [0, 1]),
        "hybrid": (synchronised, shared, [rounds, 0]),
    }[params.variant]
    args = [*args, *own, *recorder.args()]
    match = recorder.kernel("suitor", name).prepare(
        params.blocks(n), params.threads_per_block, args, shared_mem=shared
    )
    read_mates = _read_mates(n, recorder, bids, mate)
    with device.timer() as timer:
        bids.fill(0)
        match()
        read_mates()
    return timer.seconds


def _read_mates(n: int, recorder: Recorder, bids: Any, mate: Any) -> Callable[[], None]:
    """Return the launch that reads the mates from the final bids."""
    kernel = recorder.kernel("suitor", "suitor_mates")
    return kernel.prepare(-(-n // 256), 256, [n, bids, mate])


def _fast(
    adjacency: Adjacency,
    params: SuitorParams,
    device: Device,
    recorder: Recorder,
    bids: Any,
    mate: Any,
) -> float:
    """Run our variant; returns the seconds it took, the preparation included."""
    n, xp, threads = adjacency.n, device.xp, params.threads_per_block
    offers, last = xp.empty(n, dtype=xp.uint32), xp.empty(n, dtype=xp.uint32)
    unplaced = xp.empty(n, dtype=xp.uint8)
    hubs, every_vertex = Hubs(xp, len(adjacency.arrays[1]), words=1), -(-n // 256)
    state = [bids, offers, last, unplaced, *hubs.args]
    if len(adjacency.arrays[1]) <= ONE_LAUNCH and not recorder.args():
        kernel = recorder.kernel("suitor_fast", "suitor_fast_small")
        args = [n, *adjacency.arrays, *state, mate]
        launch = hubs.whole_run(device, kernel, args, n, SMALL_VERTICES)
        with device.timer() as timer:
            launch()
        return timer.seconds
    search_args = [n, *adjacency.arrays, *state, hubs.blocks, *recorder.args()]
    begin, first, offer, rest = (
        recorder.kernel("suitor_fast", f"suitor_fast_{name}")
        for name in ("begin", "first", "offers", "rest")
    )
    search, follow = hubs.searches(first, rest, search_args, n, threads, WARP_VERTICES)
    launches = [
        begin.prepare(every_vertex, 256, [n, adjacency.arrays[0], bids, unplaced, *hubs.args]),
        search,
        offer.prepare(every_vertex, 256, [n, bids, offers]),
        follow,
        _read_mates(n, recorder, bids, mate),
    ]
    with device.timer() as timer:
        for launch in launches:
            launch()
    return timer.seconds


def certify_whole_part(part: GraphPart, result: MatchingResult, device: Device) -> Certificate:
    """Check a result on the device, in blocks; see :mod:`gpucore.certify.stability`."""
    from gpucore.families.matching.ranks_outcome import certify_part

    return certify_part(part, result, OneRank(), device)


#: What to look for begins with this in several variants.
_ROUNDS = (
    "Look at the first columns with “Vertices held”: the warps of a block are four neighbouring "
    "rows (at 128 threads a block)"
)

VARIANTS = (
    Variant(
        "fast",
        "Tuned for speed",
        about="Tuned for speed: edges that cannot win any more are left out early.",
        look_for="A few columns, and the last ones almost empty: as in NoSync no warp waits, and "
        "each goes on until its vertices are settled.",
        wide=True,
    ),
    Variant(
        "nosync",
        "No synchronisation (NoSync)",
        about="Every warp goes on by itself until its vertices are settled.",
        look_for="Look for the long tail: to the right only a few cells are left, one here and "
        "one there. Those warps go on with displaced vertices while all others are done and idle. "
        "Run SyncLB on the same graph to compare.",
    ),
    Variant(
        "sync_lb",
        "Synchronised, levelled (SyncLB)",
        about="The warps of a block meet after every iteration and share out the vertices that "
        "were displaced, so that no warp waits for an overloaded one.",
        look_for=f"{_ROUNDS} and alike in colour, because they share out what is left after every "
        "iteration. In NoSync and SyncNoLB some are dark and others pale. Work is shared within a "
        "block only, so blocks still differ.",
    ),
    Variant(
        "sync_nolb",
        "Synchronised, not levelled (SyncNoLB)",
        about="The warps of a block meet after every iteration, but keep their vertices.",
        look_for=f"{_ROUNDS}, and some of them are dark where others are pale: they meet after "
        "every iteration, but the light ones wait for the heavy one instead of helping it.",
    ),
    Variant(
        "hybrid",
        "Synchronised first, then free (Hybrid)",
        about="The first iterations share the work out, the rest go on without meeting.",
        look_for="The first columns are levelled as in SyncLB; those behind have NoSync's long "
        "tail, which is thin by then.",
    ),
)

ALGORITHM = Runner(
    name="suitor",
    title="GPU-Suitor",
    source="HiPC 2015, algorithm 4 and section 4",
    params=SuitorParams,
    variants=VARIANTS,
    run=run,
    certify=certify_result,
    certify_part=certify_whole_part,
    records=True,
    ranks="suitor_ranks:RANKS",
)
