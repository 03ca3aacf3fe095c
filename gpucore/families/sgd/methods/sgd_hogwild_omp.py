"""Stochastic gradient descent by several threads without locks (sgd_hogwild_omp.cpp)."""

from __future__ import annotations

from functools import partial
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
    """Return a factorisation by threads that do not wait for each other.

    Each thread has an equal share of the ratings, which are in random order. An update may be lost
    in part, where another thread updates the same vector at the same time. With one thread the
    result is that of ``sgd_serial``, with several it depends on their timing.

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
    .. [1] F. Niu, B. Recht, C. Ré, S. J. Wright, "Hogwild!: a lock-free approach to parallelizing
       stochastic gradient descent", NIPS 2011.

    Examples
    --------
    >>> import gpucore
    >>> ratings = gpucore.Ratings.from_entries([0, 0, 1, 1], [0, 1, 0, 1], [4, 2, 2, 1])
    >>> result = gpucore.run("sgd_hogwild_omp", ratings, test=0.0, rate=0.2, sweeps=100, threads=2)
    >>> result.rmse < 0.2
    True
    """
    workers = context.workers

    def prepare(state: State, entries: NDArray[np.void]) -> Sweep:
        entries = shuffled(entries, params.order_seed)

        def sweep(rule: Rule, flag: c_int) -> None:
            state.sweep("sgd_hogwild_omp", entries, rule, threads=workers, flag=flag)

        return sweep

    return Training(
        "sgd_hogwild_omp",
        for_ratings(graph),
        params.of_kernels(),
        workers,
        context,
    ).run(prepare)


METHOD = native_runner(
    name="sgd_hogwild_omp",
    title="SGD, Hogwild",
    source="Niu, Recht, Ré and Wright, NIPS 2011",
    run=run,
    certify=partial(certify, serialisable=False),  # two threads may update one vector
    params=MethodParams,
    parallel=True,
)
