"""Shared by all variants of the Louvain method: the graph of a stage, and the state of the run.

Weights are integers in fixed point from the first kernel to the last
(``families/communities/kernels/louvain.cuh``), so sums do not depend on the order in which threads
add.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from gpucore.families.communities.reports import Division, StageReport, StepReport
from gpucore.families.communities.starts import ROUNDING

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.families.communities.fast.workspace import Workspace
    from gpucore.record import Recorder

#: A number, or what waits for it.
Later = float | Callable[[], float]
#: Weight kinds of ``families/communities/kernels/louvain.cuh``.
ONES, FLOATS, SUMS = range(3)
#: Warps of one launch for each multiprocessor; more vertices than they can take at once are dealt
#: out in turn.  It bounds the rows of a record.
WARPS_PER_MULTIPROCESSOR = 64
HOST_WARPS = 1024
#: Squared shares are added in these parts, as integers (``kernels/louvain.cuh``): the sum of 15
#: copies of a graph, each at most 1, fits in 64 bits.
SQUARE_UNITS = 2.0**60
#: Most blocks that share the sum of these.
SQUARE_BLOCKS = 1024
#: All hash tables in global memory take at most this fraction (1 / 16) of the device's memory.
TABLE_SHARE = 16


@dataclass(frozen=True)
class Stage:
    """The graph of one stage in a device's memory.

    Attributes
    ----------
    n, entries : int
        Vertices, and entries of all adjacency lists (loops once).
    indptr, indices : array of int64 (n + 1,), of int32 (entries,)
        Adjacency lists.
    weights : array of float32
        Weights of the given graph; one element where `kind` is not FLOATS.
    sums : array of uint64
        Weights of a contracted graph; one element where `kind` is not SUMS.
    kind : int
        ONES, FLOATS or SUMS.
    unit : float
        Fixed-point units of a weight of 1.
    loops : float
        Weight of all loops, both ends, in fixed-point units.
    classes, longest : tuple of int, int
        "fast": vertices of every class of degrees, and the largest degree; not counted yet: empty.
    """

    n: int
    entries: int
    indptr: Any
    indices: Any
    weights: Any
    sums: Any
    kind: int
    unit: float
    loops: float = 0.0
    classes: tuple[int, ...] = ()
    longest: int = 0

    @property
    def args(self) -> tuple[Any, ...]:
        """The kernels' arguments that describe the graph."""
        return (self.indptr, self.indices, *self.weight_args)

    @property
    def weight_args(self) -> tuple[Any, ...]:
        """The kernels' arguments that describe its weights."""
        return (self.weights, self.sums, self.unit, self.kind)


@dataclass
class Found:
    """What the stages found.

    Attributes
    ----------
    levels : list of array of int32
        The vertex of the next stage for every vertex of a stage.
    modularity : float
        Of the last partition.
    refined : array of int32, shape (n,), or None
        Community of every vertex after refinement, 0 to k - 1; None if it found nothing better.
    of_copies : list of float
        Modularity of each copy's part of `refined`, if it is known.
    report : callable, optional
        Appends the stages to the run's log, which can wait until the time is taken.
    """

    levels: list[Any]
    modularity: float
    refined: Any = None
    of_copies: list[float] = field(default_factory=list)
    report: Callable[[], object] | None = None


@dataclass
class Run:
    """State of one run: the device, the parameters, and the log of steps and stages.

    Attributes
    ----------
    device, recorder, params
        The device, the recorder, the algorithm's parameters.
    given : Stage
        The given graph.
    two_m : float
        Sum of all weights, loops twice, in fixed-point units.
    steps : list of StepReport
        One a launch that a record has.
    stages : list of StageReport
        One a stage.
    divisions : list of Division
        What the refinement of "leiden" divided, of a run with a record.
    start : int
        Number of the search; see :mod:`gpucore.families.communities.starts`.
    copies : int
        Copies of the graph of which `given` consists; `two_m` is that of one, and modularity is the
        mean of theirs.
    workspace : Workspace or None
        Of the tuned variants' stages.
    hub_tables : array of uint32, shape (blocks, words, slots), or None
        Their hash tables in global memory, whose slots are empty.
    """

    device: Device
    recorder: Recorder
    params: Any
    given: Stage
    two_m: float = 0.0
    steps: list[StepReport] = field(default_factory=list)
    stages: list[StageReport] = field(default_factory=list)
    divisions: list[Division] = field(default_factory=list)
    start: int = 0
    copies: int = 1
    workspace: Workspace | None = None
    hub_tables: Any = None

    @property
    def max_warps(self) -> int:
        """Warps of the largest launch."""
        return max_warps(self.device)

    def modularity(self, inside: float, squares: int) -> float:
        """Return the modularity of communities.

        Parameters
        ----------
        inside : float
            Weight inside the communities, both ends of every edge, in fixed-point units.
        squares : int
            Sum of the squared shares of all strength, in SQUARE_UNITS.
        """
        return self.modularity_of(inside, squares) / self.copies

    def modularity_of(self, inside: float, squares: int) -> float:
        """Return the same of one copy; or the sum over all of them."""
        return inside / self.two_m - self.params.resolution * (squares / SQUARE_UNITS)

    @property
    def size(self) -> int:
        """Number of vertices of one copy of the given graph."""
        return self.given.n // self.copies

    def limits(self, threshold: float) -> list[Any]:
        """Return when a kernel's sweeps end: arguments for ``louvain_fast_judge.cuh``.

        Parameters
        ----------
        threshold : float
            The gain of a sweep that is too little; kernels add up all copies' gains.

        Returns
        -------
        list
            Threshold, `t_final`, and whether thresholds are relative.
        """
        relative = self.params.rules.thresholds == "relative"
        if not relative:
            threshold *= self.copies
        return [threshold, self.params.t_final, int(relative)]

    def has_lost(self, now: float, before: float) -> bool:
        """Return whether a stage is swept again in more parts: its moves lost modularity.

        One that lost less than a last stage has to gain would hardly gain
        (``kernels/louvain_fast_judge.cuh``).
        """
        return now < before - max(ROUNDING, self.params.rules.of_stage(self.params.t_final, now))

    def add_step(self, vertices: int, edges: int, **more: Any) -> None:
        """Append a launch of the present stage to the log, see :class:`StepReport`."""
        step = StepReport(stage=len(self.stages), vertices=vertices, edges=edges, **more)
        self.steps.append(step)


def value_of(number: Later) -> float:
    """Return a number for which the host may have to wait."""
    return number() if callable(number) else number


def strength_of(device: Device, stage: Stage) -> Any:
    """Return the sum of every vertex's weights (k), uint64."""
    strength = device.xp.empty(stage.n, dtype=device.xp.uint64)
    if stage.n:
        width = strength_lanes(stage)
        device.kernel("louvain_state", "louvain_strength")(
            -(-stage.n * width // 256), 256, [stage.n, *stage.args, width, strength]
        )
    return strength


def strength_lanes(stage: Stage) -> int:
    """Return the lanes that add up a vertex's weights; one where each is 1."""
    if stage.kind == ONES:
        return 1
    return 1 << min(5, (stage.entries // (4 * stage.n)).bit_length())


def squares_of(run: Run, strength: Any) -> Any:
    """Return parts of the sum of squared shares of strength, uint64, in SQUARE_UNITS."""
    device, n = run.device, len(strength)
    blocks = min(SQUARE_BLOCKS, -(-n // 256))
    squares = device.xp.empty(blocks, dtype=device.xp.uint64)
    device.kernel("louvain_state", "louvain_squares")(
        blocks, 256, [n, strength, run.two_m, squares]
    )
    return squares


def max_warps(device: Device) -> int:
    """Return the largest number of warps of a launch."""
    if device.name == "cuda":
        return WARPS_PER_MULTIPROCESSOR * device.multiprocessors
    return HOST_WARPS


def table_bytes(device: Device) -> int:
    """Return the bytes available for all hash tables in global memory."""
    return min(device.total_memory() // TABLE_SHARE, device.free_memory() // 4)
