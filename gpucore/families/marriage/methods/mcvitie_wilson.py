"""McVitie and Wilson's algorithm for stable marriage on one thread (mcvitie_wilson.cpp)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.cpu.common import native_available
from gpucore.families.marriage.certificate import certify_result
from gpucore.families.marriage.native import run_native
from gpucore.family import Method
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from gpucore.families.marriage.result import MarriageResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.progress import Cancel


def run(
    graph: Preferences | Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
    proposers: str = "men",
) -> MarriageResult:
    """Return the stable marriage that is the best for the proposers.

    The men begin one after the other, and a displaced man continues at once, so that all men who
    have begun are settled before the next begins. As in
    :mod:`gpucore.families.marriage.methods.gale_shapley` no proposal is made that would be refused,
    and capacities are respected.

    Parameters
    ----------
    graph : Preferences or PreferenceGraph
        The lists.
    threads : int, optional
        Not used: one thread.
    cancel : Cancel, optional
        Checked while it runs.
    record, record_budget
        As for :func:`gpucore.run`.
    proposers : {"men", "women"}
        Whose lists are read from the best down.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError

    References
    ----------
    .. [1] D. G. McVitie, L. B. Wilson, "The stable marriage problem", Communications of the ACM
       14(7), 1971.
    .. [2] F. Manne, M. Naim, H. Lerring, M. Halappanavar, "On stable marriages and greedy
       matchings", CSC 2016, section 2.

    Examples
    --------
    >>> from gpucore.problems.preferences.preferences import Preferences
    >>> two = Preferences.from_lists([[0, 1], [0, 1]], [[1, 0], [0, 1]])
    >>> result = run(two)
    >>> result.wife.tolist(), result.figures["proposals"], result.figures["rounds"]
    ([1, 0], 3, None)
    """
    return run_native(
        "mcvitie_wilson", graph, cancel, proposers, record=record, record_budget=record_budget
    )


METHOD = Method(
    name="mcvitie_wilson",
    title="McVitie-Wilson",
    source="McVitie and Wilson, Comm. ACM 14(7), 1971; Manne et al., CSC 2016, section 2",
    run=run,
    available=native_available,
    certify=certify_result,
    records=True,
)
