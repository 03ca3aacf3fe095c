"""Stochastic gradient descent by one thread (sgd_serial.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.common import native_available
from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.training import Training, shuffled
from gpucore.family import Method
from gpucore.params import check_word
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

ORDERS = ("shuffled", "items")


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
    order: str = "shuffled",
) -> SgdResult:
    """Return a factorisation by one thread, which processes one rating after the other.

    The vectors are those of one worker of the kernels in the same order, bit by bit.

    Parameters
    ----------
    graph : Ratings or Graph
        The matrix of ratings; the entries of another graph get made-up ratings.
    threads : int, optional
        Not used: one thread.
    cancel : Cancel, optional
        Checked while it runs.
    record, record_budget
        As for :func:`gpucore.run`.
    k, sweeps, rate, schedule, decay, reg, biases, positive, test, seed, order_seed, split_seed
        See :class:`gpucore.families.sgd.params.SgdParams`.
    order : {"shuffled", "items"}
        Order of the ratings, the same in every sweep: random, as in the variant "el_shuffled", or
        by item and then by user, as in "el".

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
    .. [1] Y. Koren, R. Bell, C. Volinsky, "Matrix factorization techniques for recommender
       systems", IEEE Computer 42(8), 2009.

    Examples
    --------
    >>> from gpucore.problems.ratings.ratings import Ratings
    >>> ratings = Ratings.from_entries([0, 0, 1, 1], [0, 1, 0, 1], [4, 2, 2, 1])
    >>> result = run(ratings, test=0.0, rate=0.2, sweeps=100)
    >>> result.rmse < 0.2
    True
    """
    check_word("sgd_serial", "order", order, ORDERS)
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

    def prepare(state: State, entries: NDArray[np.void]) -> Sweep:
        if order == "shuffled":
            entries = shuffled(entries, order_seed)

        def sweep(rule: Rule, flag: c_int) -> None:
            state.sweep("sgd_serial", entries, rule, flag=flag)

        return sweep

    own = {"order": order}
    return Training(
        "sgd_serial",
        for_ratings(graph),
        params,
        1,
        cancel,
        own=own,
        record=record,
        record_budget=record_budget,
    ).run(prepare)


METHOD = Method(
    name="sgd_serial",
    title="SGD, one thread",
    source="Koren, Bell and Volinsky, IEEE Computer 42(8), 2009",
    run=run,
    available=native_available,
    certify=certify,
    records=True,
)
