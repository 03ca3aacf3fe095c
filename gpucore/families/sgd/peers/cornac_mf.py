"""Cornac's matrix factorisation by stochastic gradient descent, to compare with.

Its compiled function ``fit_sgd``, behind the model ``MF``, runs sweep by sweep: its rate falls as
ours, it begins with our vectors and gets the ratings in our order. With several threads it updates
without locks.
"""

from __future__ import annotations

from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.common import choose_threads, installed
from gpucore.errors import MissingDependency, ParameterError
from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.training import Training, shuffled
from gpucore.family import Method
from gpucore.problems.ratings.prepare import for_ratings
from gpucore.progress import check

if TYPE_CHECKING:
    from ctypes import c_int

    from numpy.typing import NDArray

    from gpucore.families.sgd.native import Rule, State
    from gpucore.families.sgd.result import SgdResult
    from gpucore.families.sgd.training import Sweep
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.ratings.ratings import Ratings
    from gpucore.progress import Cancel

available = partial(installed, "cornac", "Cornac")


def run(
    graph: Ratings | Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
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
    """Return Cornac's factorisation; it cannot be interrupted within a sweep.

    Parameters
    ----------
    graph : Ratings or Graph
        The matrix of ratings; the entries of another graph get made-up ratings.
    threads : int, optional
        Number of threads; default: one for each core.
    cancel : Cancel, optional
        Checked between sweeps.
    k, sweeps, rate, schedule, decay, reg, biases, positive, test, seed, order_seed, split_seed
        See :class:`gpucore.families.sgd.params.SgdParams`.
        `positive` must be false.

    Returns
    -------
    SgdResult
        Its figures are those of :func:`gpucore.families.sgd.run.run`, without ``passes``.

    Raises
    ------
    ParameterError
        A parameter is out of range, or the run diverges.
    MissingDependency, Cancelled, DeviceError
    """
    if (reason := available()) is not None:
        raise MissingDependency(reason)
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
    if positive:
        raise ParameterError("Cornac's MF has no positive factors; sgd_serial has")
    workers = choose_threads(threads)
    check(cancel)
    from cornac.models.mf.backend_cpu import fit_sgd  # takes seconds: only where it is used

    def prepare(state: State, entries: NDArray[np.void]) -> Sweep:
        entries = shuffled(entries, order_seed)
        users, items = (entries[name].astype(np.int64) for name in ("user", "item"))
        values = np.ascontiguousarray(entries["value"])
        p, q = (np.ascontiguousarray(array[:, :k]) for array in (state.users, state.items))
        b, c = (
            np.zeros(len(array), np.float32) if bias is None else bias
            for array, bias in ((p, state.user_bias), (q, state.item_bias))
        )

        def sweep(rule: Rule, flag: c_int) -> None:
            check(cancel)
            fit_sgd(
                *(users, items, values, p, q, b, c),
                *(rule.rate, reg, state.mean, 1, workers, biases, False, False),
            )
            state.users[:, :k], state.items[:, :k] = p, q

        return sweep

    versions = {"cornac": version("cornac")}
    return Training(
        "cornac_mf", for_ratings(graph), params, workers, cancel, versions=versions
    ).run(prepare)


METHOD = Method(
    name="cornac_mf",
    title="Cornac's MF",
    source="Cornac, models.mf",
    run=run,
    available=available,
    certify=certify,
)
