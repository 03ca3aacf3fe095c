"""Gale and Shapley's algorithm for stable marriage on one thread (gale_shapley.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.cpu.common import native_available
from gpucore.errors import ParameterError
from gpucore.families.marriage.certificate import certify_result
from gpucore.families.marriage.native import run_native
from gpucore.family import Method
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from gpucore.families.marriage.result import MarriageResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.progress import Cancel

#: Orders in which men propose.
ORDERS = ("queue", "rounds")


def run(
    graph: Preferences | Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
    order: str = "queue",
    proposers: str = "men",
) -> MarriageResult:
    """Return the stable marriage that is the best for the proposers.

    It is algorithm 1 of the paper (section 2): proposals that the woman would refuse, since she
    holds a better man, are not made. With capacities it finds the stable assignment that is the
    best for the proposers (section 2.1).

    Parameters
    ----------
    graph : Preferences or PreferenceGraph
        The lists; see :func:`gpucore.problems.preferences.prepare.for_marriage`.
    threads : int, optional
        Not used: one thread.
    cancel : Cancel, optional
        Checked while it runs.
    record, record_budget
        As for :func:`gpucore.run`.
    order : {"queue", "rounds"}
        "queue": take the man at the front of a queue, to whose end displaced men go. "rounds": all
        free men propose at the same time, then each woman refuses all but the best.
    proposers : {"men", "women"}
        Whose lists are read from the best down.

    Returns
    -------
    MarriageResult
        The figure ``skipped`` is the number of proposals that were not made. A round of the queue
        takes the men who were in it when the previous round ended.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError

    References
    ----------
    .. [1] D. Gale, L. S. Shapley, "College admissions and the stability of marriage", American
       Mathematical Monthly 69(1), 1962.
    .. [2] F. Manne, M. Naim, H. Lerring, M. Halappanavar, "On stable marriages and greedy
       matchings", CSC 2016, section 2.

    Examples
    --------
    >>> from gpucore.problems.preferences.preferences import Preferences
    >>> two = Preferences.from_lists([[0, 1], [0, 1]], [[1, 0], [0, 1]])
    >>> result = run(two, order="rounds")
    >>> result.wife.tolist(), result.figures["considered"], result.figures["rounds"]
    ([1, 0], 3, 2)
    """
    if not isinstance(order, str) or order not in ORDERS:
        raise ParameterError(f'order must be "queue" or "rounds", not {order!r}')
    return run_native(
        "gale_shapley",
        graph,
        cancel,
        proposers,
        in_rounds=order == "rounds",
        counts_rounds=True,
        params={"order": order},
        record=record,
        record_budget=record_budget,
    )


METHOD = Method(
    name="gale_shapley",
    title="Gale-Shapley",
    source="Gale and Shapley, Amer. Math. Monthly 69(1), 1962; Manne et al., CSC 2016, Algorithm 1",
    run=run,
    available=native_available,
    certify=certify_result,
    records=True,
)
