"""Stochastic gradient descent by several threads without locks (sgd_hogwild_omp.cpp)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.common import choose_threads, native_available
from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.training import Training, shuffled
from gpucore.family import Method
from gpucore.problems.ratings.prepare import for_ratings
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from ctypes import c_int

    from numpy.typing import NDArray

    from gpucore.families.sgd.native import Rule, State
    from gpucore.families.sgd.result import SgdResult
    from gpucore.families.sgd.training import Sweep
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.progress import Cancel


def run(
    graph: Ratings | Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
    k: int = 16,
    sweeps: int = 20,
    rate: float = 0.02,
    schedule: str = "inverse",
    decay: float = 0.1,
    reg: float = 0.05,
    biases: bool = False,
    positive: bool = False,
    test: float = 0.1,
    seed: int = 0,
    order_seed: int = 0,
    split_seed: int = 0,
) -> SgdResult:
    """Return a factorisation by threads that do not wait for each other.

    Each thread has an equal share of the ratings, which are in random order. An update may be lost
    in part, where another thread updates the same vector at the same time. With one thread the
    result is that of ``sgd_serial``, with several it depends on their timing.

    Parameters
    ----------
    graph : Ratings or Graph
        The matrix of ratings; the entries of another graph get made-up ratings.
    threads : int, optional
        Number of threads; default: one for each core.
    cancel : Cancel, optional
        Checked while it runs.
    record, record_budget
        As for :func:`gpucore.run`.
    k, sweeps, rate, schedule, decay, reg, biases, positive, test, seed, order_seed, split_seed
        See :class:`gpucore.families.sgd.params.SgdParams`.

    Returns
    -------
    SgdResult
        Its figures are those of :func:`gpucore.families.sgd.run.run`, without ``passes``.

    Raises
    ------
    ParameterError
        A parameter is out of range, or the run diverges.
    Cancelled, DeviceError

    References
    ----------
    .. [1] F. Niu, B. Recht, C. Ré, S. J. Wright, "Hogwild!: a lock-free approach to parallelizing
       stochastic gradient descent", NIPS 2011.

    Examples
    --------
    >>> from gpucore.problems.ratings.ratings import Ratings
    >>> ratings = Ratings.from_entries([0, 0, 1, 1], [0, 1, 0, 1], [4, 2, 2, 1])
    >>> result = run(ratings, test=0.0, rate=0.2, sweeps=100, threads=2)
    >>> result.rmse < 0.2
    True
    """
    params = SgdParams(
        k=k,
        sweeps=sweeps,
        rate=rate,
        schedule=schedule,
        decay=decay,
        reg=reg,
        biases=biases,
        positive=positive,
        test=test,
        seed=seed,
        order_seed=order_seed,
        split_seed=split_seed,
    )
    workers = choose_threads(threads)

    def prepare(state: State, entries: NDArray[np.void]) -> Sweep:
        entries = shuffled(entries, order_seed)

        def sweep(rule: Rule, flag: c_int) -> None:
            state.sweep("sgd_hogwild_omp", entries, rule, threads=workers, flag=flag)

        return sweep

    return Training(
        "sgd_hogwild_omp",
        for_ratings(graph),
        params,
        workers,
        cancel,
        record=record,
        record_budget=record_budget,
    ).run(prepare)


METHOD = Method(
    name="sgd_hogwild_omp",
    title="SGD, Hogwild",
    source="Niu, Recht, Ré and Wright, NIPS 2011",
    run=run,
    available=native_available,
    certify=partial(certify, serialisable=False),  # two threads may update one vector
    records=True,
    parallel=True,
)
