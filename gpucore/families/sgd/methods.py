"""The methods on the processor, from the papers; each is the native function ``cpu_NAME``.

Examples
--------
>>> import gpucore
>>> ratings = gpucore.Ratings.from_entries([0, 0, 1, 1], [0, 1, 0, 1], [4, 2, 2, 1])
>>> for name in ("sgd_serial", "sgd_hogwild_omp", "sgd_dsgd_omp"):
...     result = gpucore.run(name, ratings, test=0.0, rate=0.2, sweeps=100, threads=2)
...     print(name, result.rmse < 0.2)
sgd_serial True
sgd_hogwild_omp True
sgd_dsgd_omp True
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.params import MethodParams
from gpucore.families.sgd.training import shuffled, train
from gpucore.params import check_word
from gpucore.rows import row_starts
from gpucore.runner import Context, Runner, native_runner

if TYPE_CHECKING:
    from gpucore.families.sgd.native import State
    from gpucore.families.sgd.result import SgdResult
    from gpucore.families.sgd.training import Sweep
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.ratings.ratings import Ratings

ORDERS = ("shuffled", "items")

#: Ratings in the order of a method, and where its blocks begin, if it has any.
Arranged = tuple[NDArray[np.void], NDArray[np.int64] | None]


@dataclass(frozen=True)
class SerialParams(MethodParams):
    """Parameters of one thread, beside those of every method.

    Attributes
    ----------
    order : {"shuffled", "items"}
        Order of the ratings, the same in every sweep: random, as in the variant "el_shuffled", or
        by item and then by user, as in "el".
    """

    order: str = "shuffled"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_word("sgd_serial", "order", self.order, ORDERS)


def _run(
    name: str,
    parallel: bool,
    arrange: Callable[[NDArray[np.void], Any, int], Arranged],
    graph: Ratings | Graph,
    params: MethodParams,
    context: Context,
) -> SgdResult:
    threads = context.workers if parallel else 1

    def prepare(state: State, entries: NDArray[np.void]) -> Sweep:
        entries, starts = arrange(entries, params, threads)
        if starts is not None:
            state.barriers = barriers_of(starts, threads)
        return lambda rule, flag: state.sweep(
            name, entries, rule, threads=threads, starts=starts, flag=flag
        )

    return train(name, graph, params, context, prepare, threads=threads)


def in_blocks(
    entries: NDArray[np.void], count: int, order_seed: int
) -> tuple[NDArray[np.void], NDArray[np.int64]]:
    """Cut ratings into `count` x `count` blocks.

    Parameters
    ----------
    entries : ndarray of ENTRY, shape (n,)
    count : int
    order_seed : int
        Seed of the order of the ratings in a block, and of the parts of users and items.

    Returns
    -------
    blocks : ndarray of ENTRY, shape (n,)
        The ratings, block by block: the parts of the users one after the other, and in each those
        of the items. In a block they are in the order of :func:`shuffled`.
    starts : ndarray of int64, shape (count ** 2 + 1,)
        Where each block begins.
    """
    entries = shuffled(entries, order_seed)
    rng = np.random.default_rng((order_seed, count))
    block = _parts(entries["user"], count, rng) * count + _parts(entries["item"], count, rng)
    starts = row_starts(np.bincount(block, minlength=count * count))
    return entries[np.argsort(block, kind="stable")], starts


def barriers_of(starts: NDArray[np.int64], count: int) -> list[int]:
    """Return the steps before each barrier: a stratum takes as many as its largest block.

    Examples
    --------
    >>> barriers_of(np.array([0, 3, 4, 9, 11]), 2)
    [3, 8]
    """
    sizes = np.diff(starts).reshape(count, count)
    rows = np.arange(count)
    longest = [int(sizes[rows, (rows + stratum) % count].max()) for stratum in range(count)]
    return np.cumsum(longest).tolist()


def _parts(numbers: NDArray[np.integer], count: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the part, from 0 to `count` - 1, of the user or item of each rating."""
    degrees = np.bincount(numbers)
    order = rng.permutation(len(degrees))
    before = np.cumsum(degrees[order]) - degrees[order]
    part = np.empty(len(degrees), np.int64)
    part[order] = before * count // len(numbers)
    return part[numbers]


def _in_order(entries: NDArray[np.void], params: Any, threads: int) -> Arranged:
    if getattr(params, "order", "shuffled") == "items":
        return entries, None
    return shuffled(entries, params.order_seed), None


def _method(
    name: str, title: str, source: str, arrange: Any = _in_order, *, parallel: bool, **more: Any
) -> Runner:
    given = {"certify": certify, "params": MethodParams, **more}
    return native_runner(
        name, title, source, partial(_run, name, parallel, arrange), parallel=parallel, **given
    )


METHODS = (
    # One rating after the other: the vectors are those of one worker of the kernels in the same
    # order, bit by bit.
    _method(
        "sgd_serial",
        "SGD, one thread",
        "Koren, Bell and Volinsky, IEEE Computer 42(8), 2009",
        parallel=False,
        params=SerialParams,
    ),
    # Each thread has an equal share of the ratings, which are in random order, and waits for no
    # other: two may update one vector at a time, so an update may be lost in part. With one thread
    # the result is that of sgd_serial, with several it depends on their timing.
    _method(
        "sgd_hogwild_omp",
        "SGD, Hogwild",
        "Niu, Recht, Ré and Wright, NIPS 2011",
        parallel=True,
        certify=partial(certify, serialisable=False),
    ),
    # Users and items are shuffled and cut into T parts each, with about equally many ratings, which
    # gives T x T blocks of the matrix for T threads. In a step each thread processes a block of its
    # own users; the blocks of a step have no item in common, so threads never share a vector. T
    # steps are a sweep. The result depends on the number of threads, but not on their timing.
    _method(
        "sgd_dsgd_omp",
        "SGD, disjoint blocks",
        "Gemulla, Nijkamp, Haas and Sismanis, KDD 2011",
        lambda entries, params, threads: in_blocks(entries, threads, params.order_seed),
        parallel=True,
    ),
)
