"""Stochastic gradient descent by several threads on disjoint blocks: DSGD (sgd_dsgd_omp.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.params import MethodParams
from gpucore.families.sgd.training import Training, shuffled
from gpucore.problems.ratings.prepare import for_ratings
from gpucore.runner import Context, native_runner

if TYPE_CHECKING:
    from ctypes import c_int

    from numpy.typing import NDArray

    from gpucore.families.sgd.native import Rule, State
    from gpucore.families.sgd.result import SgdResult
    from gpucore.families.sgd.training import Sweep
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.ratings.ratings import Ratings


def run(graph: Ratings | Graph, params: MethodParams, context: Context) -> SgdResult:
    """Return a factorisation by threads that never share a vector.

    Users and items are shuffled and cut into T parts each, with about equally many ratings, which
    gives T x T blocks of the matrix for T threads. In a step each thread processes a block of its
    own users; the blocks of a step have no item in common. T steps are a sweep. The result depends
    on `order_seed` and the number of threads, but not on their timing.

    Parameters
    ----------
    graph : Ratings or Graph
        The matrix of ratings; the entries of another graph get made-up ratings.
    params : MethodParams
    context : Context

    Returns
    -------
    SgdResult
        Its figures are those of :func:`gpucore.families.sgd.run.run`, without ``passes``.

    Raises
    ------
    ParameterError
        The run diverges.
    Cancelled, DeviceError

    References
    ----------
    .. [1] R. Gemulla, E. Nijkamp, P. J. Haas, Y. Sismanis, "Large-scale matrix factorization with
       distributed stochastic gradient descent", KDD 2011.

    Examples
    --------
    >>> import gpucore
    >>> ratings = gpucore.Ratings.from_entries([0, 0, 1, 1], [0, 1, 0, 1], [4, 2, 2, 1])
    >>> result = gpucore.run("sgd_dsgd_omp", ratings, test=0.0, rate=0.2, sweeps=100, threads=2)
    >>> result.rmse < 0.2
    True
    """
    workers = context.workers

    def prepare(state: State, entries: NDArray[np.void]) -> Sweep:
        blocks, starts = in_blocks(entries, workers, params.order_seed)
        state.barriers = barriers_of(starts, workers)

        def sweep(rule: Rule, flag: c_int) -> None:
            state.sweep("sgd_dsgd_omp", blocks, rule, threads=workers, starts=starts, flag=flag)

        return sweep

    return Training(
        "sgd_dsgd_omp",
        for_ratings(graph),
        params.of_kernels(),
        workers,
        context,
    ).run(prepare)


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
    starts = np.zeros(count * count + 1, np.int64)
    np.cumsum(np.bincount(block, minlength=count * count), out=starts[1:])
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


METHOD = native_runner(
    name="sgd_dsgd_omp",
    title="SGD, disjoint blocks",
    source="Gemulla, Nijkamp, Haas and Sismanis, KDD 2011",
    run=run,
    certify=certify,
    params=MethodParams,
    parallel=True,
)
