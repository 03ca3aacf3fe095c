"""Cornac's matrix factorisation by stochastic gradient descent, to compare with.

Its compiled function ``fit_sgd``, behind the model ``MF``, runs sweep by sweep: its rate falls as
ours, it begins with our vectors and gets the ratings in our order. With several threads it updates
without locks.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from typing import TYPE_CHECKING

import numpy as np

from gpucore.cpu.common import installed
from gpucore.errors import ParameterError
from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.params import MethodParams
from gpucore.families.sgd.training import shuffled, train
from gpucore.progress import check
from gpucore.runner import Context, Runner

if TYPE_CHECKING:
    from ctypes import c_int

    from numpy.typing import NDArray

    from gpucore.families.sgd.native import Rule, State
    from gpucore.families.sgd.result import SgdResult
    from gpucore.families.sgd.training import Sweep
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True)
class CornacParams(MethodParams):
    """Parameters of every method; `positive` must be false."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.positive:
            raise ParameterError("Cornac's MF has no positive factors; sgd_serial has")


def run(graph: Graph, params: CornacParams, context: Context) -> SgdResult:
    """Return Cornac's factorisation; it cannot be interrupted within a sweep."""
    workers = context.workers
    k, cancel = params.k, context.cancel
    check(cancel)
    from cornac.models.mf.backend_cpu import fit_sgd  # takes seconds: only where it is used

    def prepare(state: State, entries: NDArray[np.void]) -> Sweep:
        entries = shuffled(entries, params.order_seed)
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
                *(rule.rate, params.reg, state.mean, 1, workers, params.biases, False, False),
            )
            state.users[:, :k], state.items[:, :k] = p, q

        return sweep

    versions = {"cornac": version("cornac")}
    return train("cornac_mf", graph, params, context, prepare, threads=workers, versions=versions)


METHOD = Runner(
    name="cornac_mf",
    title="Cornac's MF",
    source="Cornac, models.mf",
    run=run,
    certify=certify,
    params=CornacParams,
    where="library",
    available=partial(installed, "cornac", "Cornac"),
)
