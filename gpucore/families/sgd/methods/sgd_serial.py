"""Stochastic gradient descent by one thread (sgd_serial.cpp)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.params import MethodParams
from gpucore.families.sgd.training import Training, shuffled
from gpucore.params import check_word
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

ORDERS = ("shuffled", "items")


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


def run(graph: Ratings | Graph, params: SerialParams, context: Context) -> SgdResult:
    """Return a factorisation by one thread, which processes one rating after the other.

    The vectors are those of one worker of the kernels in the same order, bit by bit.

    Parameters
    ----------
    graph : Ratings or Graph
        The matrix of ratings; the entries of another graph get made-up ratings.
    params : SerialParams
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
    .. [1] Y. Koren, R. Bell, C. Volinsky, "Matrix factorization techniques for recommender
       systems", IEEE Computer 42(8), 2009.

    Examples
    --------
    >>> import gpucore
    >>> ratings = gpucore.Ratings.from_entries([0, 0, 1, 1], [0, 1, 0, 1], [4, 2, 2, 1])
    >>> result = gpucore.run("sgd_serial", ratings, test=0.0, rate=0.2, sweeps=100)
    >>> result.rmse < 0.2
    True
    """

    def prepare(state: State, entries: NDArray[np.void]) -> Sweep:
        if params.order == "shuffled":
            entries = shuffled(entries, params.order_seed)

        def sweep(rule: Rule, flag: c_int) -> None:
            state.sweep("sgd_serial", entries, rule, flag=flag)

        return sweep

    return Training(
        "sgd_serial",
        for_ratings(graph),
        params.of_kernels(),
        1,
        context,
        own={"order": params.order},
    ).run(prepare)


METHOD = native_runner(
    name="sgd_serial",
    title="SGD, one thread",
    source="Koren, Bell and Volinsky, IEEE Computer 42(8), 2009",
    run=run,
    certify=certify,
    params=SerialParams,
)
