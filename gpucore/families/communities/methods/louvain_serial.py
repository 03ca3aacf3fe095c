"""The Louvain method on one thread with a fixed threshold (louvain_serial.cpp)."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import TYPE_CHECKING

from gpucore.cpu.common import native_available
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import check_number, check_option, run_native, serial
from gpucore.families.communities.rules import THRESHOLDS
from gpucore.families.communities.starts import best_of
from gpucore.family import Method
from gpucore.params import check_whole
from gpucore.problems.graph.prepare import for_communities
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel


def run(
    graph: Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
    threshold: float = 1e-6,
    thresholds: str = "absolute",
    resolution: float = 1.0,
    starts: int = 1,
) -> CommunityResult:
    """Return the hierarchy of communities.

    Parameters
    ----------
    graph : Graph
        Weights of at least 0.
    threads : int, optional
        Not used: one thread.
    cancel : Cancel, optional
        Checked while it runs.
    record, record_budget
        As for :func:`gpucore.run`.
    threshold : float
        A sweep that gains less modularity is the last one of its stage; a stage that gains less
        is the last one.
    thresholds : {"absolute", "relative"}
        Meaning of `threshold`: as above, or as part of the gain so far; see
        :class:`gpucore.families.communities.rules.Rules`.
    resolution : float
        Factor of the expected weight in modularity.
    starts : int
        Runs with other orders of the vertices, of which the best one is the result; see
        :mod:`gpucore.families.communities.starts`.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError
    """
    check_whole("starts", starts, 1)
    params = {
        "threshold": check_number("threshold", threshold, positive=False),
        "thresholds": check_option("thresholds", thresholds, THRESHOLDS),
        "resolution": check_number("resolution", resolution, positive=True),
        "starts": starts,
    }
    arguments = [
        ctypes.c_double(threshold),
        ctypes.c_int(THRESHOLDS.index(thresholds)),
        ctypes.c_double(resolution),
    ]
    prepared = for_communities(graph)

    def search(start: int) -> CommunityResult:
        return run_native(
            "louvain_serial",
            prepared,
            cancel,
            serial(prepared, *arguments, ctypes.c_int(start)),
            params,
            record=record,
            record_budget=record_budget,
        )

    return best_of(starts, search)


METHOD = Method(
    name="louvain_serial",
    title="Louvain, serial",
    source="Blondel, Guillaume, Lambiotte and Lefebvre, J. Stat. Mech. 2008",
    run=run,
    available=native_available,
    certify=partial(certify_result, rising=True),
    records=True,
)
