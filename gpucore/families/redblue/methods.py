"""The paper's methods on the processor; each is the native function ``cpu_NAME``.

References
----------
.. [1] B. O. Fagginger Auer, R. H. Bisseling, "A GPU algorithm for greedy graph matching", Facing
   the Multicore-Challenge II, 2012: section 2 (algorithms 1 and 2), sections 3 and 4 (algorithm 3
   and its run with TBB).

Examples
--------
>>> import gpucore
>>> path = gpucore.Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [2, 3, 2])
>>> gpucore.run("greedy_random", gpucore.Graph.from_edges(3, [0, 1], [1, 2])).cardinality
1
>>> gpucore.run("greedy_weighted", path).mate.tolist()
[-1, 2, 1, -1]
>>> result = gpucore.run("redblue_omp", path)
>>> sum(result.figures["matched"]) == 2 * result.cardinality
True
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.cpu.task import Struct, arguments, struct
from gpucore.errors import ParameterError
from gpucore.families.matching.native import Task, Work
from gpucore.families.redblue.certificate import certify_result
from gpucore.families.redblue.colours import BEST_P, blue_limit, round_numbers
from gpucore.families.redblue.native import (
    Turned,
    check_generator,
    check_seed,
    check_select,
)
from gpucore.params import check_flag, check_whole, settle
from gpucore.runner import Context, native_runner

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph

_Greedy = arguments(
    "cpu_greedy_random",
    "graph, int32[] order, int32 select, uint32 salt, cancel, int32[] mate, recording",
)
_RedBlue = struct(
    "RedBlueTask",
    "graph, threads, int32 select philox, uint32 blue_below, int32 max_rounds, uint32[] numbers, "
    "cancel, int32[] mate matched dead, int32 rounds left, recording",
)


@dataclass(frozen=True)
class GreedyParams:
    """Parameters of algorithm 1.

    Attributes
    ----------
    select : {"weighted", "random", "first"}
        Take the free neighbour with the heaviest edge (of equal ones the larger number), the first
        one in the list from a random place on, or the first of the list.
    seed : int
        Seed of the order, which is drawn before the timed run, and of the random places.
    permute : bool
        First renumber the vertices in the random order, before the timed run, as the paper does:
        the first of a list is then the one whose turn comes first. The numbers are those of
        :mod:`gpucore.families.redblue.run` with this seed.
    """

    select: str = "weighted"
    seed: int = 0
    permute: bool = False

    def __post_init__(self) -> None:
        check_select(self.select)
        settle(self, seed=check_seed(self.seed))
        check_flag("permute", self.permute)


@dataclass(frozen=True)
class GreedyWeightedParams:
    """Parameters of algorithm 2, which has no choices but the numbering.

    Attributes
    ----------
    seed : int
        Seed of the numbering.
    permute : bool
        First renumber the vertices at random, before the timed run, as the paper does: equal
        weights are then taken in another order, and lists lie elsewhere in memory.
    """

    seed: int = 0
    permute: bool = False

    def __post_init__(self) -> None:
        settle(self, seed=check_seed(self.seed))
        check_flag("permute", self.permute)


@dataclass(frozen=True)
class RedblueOmpParams:
    """Parameters of algorithm 3 on the processor.

    Attributes
    ----------
    select : {"weighted", "random", "first"}
        Propose and respond along the heaviest edge (ties: to the larger number), to the first
        eligible neighbour in the list from a random place on, or to the first of the list;
        see :class:`gpucore.families.redblue.run.RedblueParams`.
    p : float
        Probability of blue, above 0 and below 1.
    generator : {"md5", "philox"}
        Generator of the colours: a quarter of MD5, or Philox.
    seed : int
        Seed of the rounds' random numbers, and of the vertices' numbers if permuted.
    permute : bool
        First number the vertices at random, before the timed run.
    max_rounds : int
        Raise an error after this many rounds.
    """

    select: str = "weighted"
    p: float = BEST_P
    generator: str = "md5"
    seed: int = 0
    permute: bool = False
    max_rounds: int = 10_000

    def __post_init__(self) -> None:
        check_select(self.select)
        check_generator(self.generator)
        blue_limit(self.p)
        settle(self, p=float(self.p), seed=check_seed(self.seed))
        check_flag("permute", self.permute)
        check_whole("max_rounds", self.max_rounds, 1, 1_000_000)


def greedy_random(graph: Graph, params: GreedyParams, context: Context) -> MatchingResult:
    """Return a maximal matching: algorithm 1 of the paper.

    The vertices come in random order; each that is still free takes a free neighbour. Loops are
    left out, weights may be any.

    Raises
    ------
    Cancelled, DeviceError
    """
    rng = np.random.default_rng(params.seed)
    order = rng.permutation(graph.num_vertices).astype(np.int32)
    salt = int(rng.integers(0, 2**32))
    turned = Turned(graph, params)
    if params.permute:
        order = np.arange(graph.num_vertices, dtype=np.int32)
    task = _Greedy(*turned.rows, order, check_select(params.select), salt, turned.mate)
    turned.call("greedy_random", task, context, 1)
    return turned.result({})


def greedy_weighted(graph: Graph, params: GreedyWeightedParams, context: Context) -> MatchingResult:
    """Return the greedy matching by weight, with edges of weight zero or less that still fit.

    This is algorithm 2 of the paper. Loops are left out.

    Raises
    ------
    Cancelled, DeviceError
    """
    turned = Turned(graph, params)
    turned.call("greedy_weighted", Task(*turned.rows, turned.mate, Work()), context, 1)
    return turned.result({})


def redblue_omp(graph: Graph, params: RedblueOmpParams, context: Context) -> MatchingResult:
    """Return the matching of algorithm 3 of the paper.

    In every round live vertices are coloured blue or red (:mod:`gpucore.families.redblue.colours`),
    blue ones propose to red ones, red ones respond to one proposal, and these pairs are matched.
    The matching is the same for any number of threads and for the kernels with the same parameters.
    Loops are left out, weights may be any.

    Returns
    -------
    MatchingResult
        Figures are ``rounds``, and lists with a number for each round: vertices ``matched`` and
        vertices ``dead``, that is, found without live neighbours.

    Raises
    ------
    ParameterError
        Vertices are left after `max_rounds`.
    Cancelled, DeviceError
    """
    max_rounds = params.max_rounds
    matched, dead = np.zeros((2, max_rounds), np.int32)
    turned = Turned(graph, params)
    task = _RedBlue(
        *turned.rows,
        check_select(params.select),
        check_generator(params.generator),
        blue_limit(params.p),
        max_rounds,
        round_numbers(params.seed, max_rounds),
        turned.mate,
        matched,
        dead,
        0,
        0,
    )
    turned.call("redblue_omp", task, context, context.workers)
    rounds = _rounds(task)
    figures: dict[str, Any] = {
        "rounds": rounds,
        "matched": matched[:rounds].tolist(),
        "dead": dead[:rounds].tolist(),
    }
    return turned.result(
        figures, rounds_of(graph.num_vertices, figures["matched"], figures["dead"])
    )


def _rounds(task: Struct) -> int:
    """Return the number of rounds, or raise ParameterError if they were too few."""
    if task.left:
        raise ParameterError(
            f"{task.left} vertices are neither matched nor alone after {task.max_rounds} rounds; "
            "allow more by max_rounds, or choose p nearer to a half"
        )
    return int(task.rounds)


def rounds_of(n: int, matched: list[int], dead: list[int]) -> list[dict[str, int]]:
    """Return the numbers of each round for the record.

    Examples
    --------
    >>> rounds_of(5, [2, 2], [0, 1])
    [{'live': 5, 'matched': 2, 'dead': 0}, {'live': 3, 'matched': 2, 'dead': 1}]
    """
    rounds, live = [], n
    for some, others in zip(matched, dead, strict=True):
        rounds.append({"live": live, "matched": some, "dead": others})
        live -= some + others
    return rounds


_PAPER = "Fagginger Auer and Bisseling, Multicore-Challenge II, 2012, algorithm"

METHODS = (
    native_runner(
        "greedy_random",
        "Greedy, random order",
        f"{_PAPER} 1",
        greedy_random,
        certify_result,
        GreedyParams,
    ),
    native_runner(
        "greedy_weighted",
        "Greedy, by weight",
        f"{_PAPER} 2",
        greedy_weighted,
        certify_result,
        GreedyWeightedParams,
    ),
    native_runner(
        "redblue_omp",
        "Red/blue, multicore",
        f"{_PAPER} 3 (with TBB)",
        redblue_omp,
        certify_result,
        RedblueOmpParams,
        parallel=True,
    ),
)
