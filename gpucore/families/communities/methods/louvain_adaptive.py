"""The Louvain method on one thread with the paper's adaptive threshold (louvain_adaptive.cpp)."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import TYPE_CHECKING

from gpucore.cpu.common import native_available
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import (
    check_number,
    check_option,
    check_whole,
    run_native,
    serial,
)
from gpucore.families.communities.rules import COUNTED, THRESHOLDS
from gpucore.family import Method
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
    t_bin: float = 1e-2,
    t_final: float = 1e-6,
    bin_vertices: int = 100_000,
    thresholds: str = "absolute",
    counted: str = "all",
    resolution: float = 1.0,
) -> CommunityResult:
    """Return the hierarchy of communities.

    `t_bin` is the threshold of stages with more than `bin_vertices` vertices, `t_final` that of the
    others. `thresholds` and `counted` have the same meaning as for the kernels
    (:class:`gpucore.families.communities.rules.Rules`), and the same default, the paper's; see
    ``louvain_serial`` for the other parameters.
    """
    params = {
        "t_bin": check_number("t_bin", t_bin, positive=False),
        "t_final": check_number("t_final", t_final, positive=False),
        "bin_vertices": check_whole("bin_vertices", bin_vertices),
        "thresholds": check_option("thresholds", thresholds, THRESHOLDS),
        "counted": check_option("counted", counted, COUNTED),
        "resolution": check_number("resolution", resolution, positive=True),
    }
    arguments = [
        ctypes.c_double(t_bin),
        ctypes.c_double(t_final),
        ctypes.c_longlong(bin_vertices),
        ctypes.c_int(THRESHOLDS.index(thresholds)),
        ctypes.c_int(COUNTED.index(counted)),
        ctypes.c_double(resolution),
    ]
    prepared = for_communities(graph)
    return run_native(
        "louvain_adaptive",
        prepared,
        cancel,
        serial(prepared, *arguments),
        params,
        record=record,
        record_budget=record_budget,
    )


METHOD = Method(
    name="louvain_adaptive",
    title="Louvain, serial, adaptive",
    source="Naim, Manne, Halappanavar and Tumeo, IPDPS 2017, section V",
    run=run,
    available=native_available,
    certify=partial(certify_result, rising=True),
    records=True,
)
