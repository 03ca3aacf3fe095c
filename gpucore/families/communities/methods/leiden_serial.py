"""The Leiden method on one thread (leiden_serial.cpp)."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import TYPE_CHECKING

from gpucore.cpu.common import native_available
from gpucore.errors import ParameterError
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import check_number, check_whole, run_native, serial
from gpucore.family import Method
from gpucore.params import is_number
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
    resolution: float = 1.0,
    theta: float = 0.0,
    refine_seed: int = 0,
) -> CommunityResult:
    """Return the hierarchy: parts of the refinements, and last the communities.

    Parameters
    ----------
    threshold : float
        A stage that gains less modularity is the last one.
    theta : float
        Randomness of the refinement: a vertex joins a part with a probability proportional to
        exp(gain / theta), the gain in units of the edges' weights; 0: always the best part.
    refine_seed : int
        Seed of that choice.

    See ``louvain_serial`` for the other parameters.

    Raises
    ------
    GraphError, ParameterError, Cancelled, DeviceError
    """
    if not is_number(theta) or not 0.0 <= theta <= 1e6:
        raise ParameterError(f"theta is {theta!r}; use a number from 0 to 1e6")
    params = {
        "threshold": check_number("threshold", threshold, positive=False),
        "resolution": check_number("resolution", resolution, positive=True),
        "theta": float(theta),
        "refine_seed": check_whole("refine_seed", refine_seed),
    }
    arguments = [
        ctypes.c_double(threshold),
        ctypes.c_double(resolution),
        ctypes.c_double(theta),
        ctypes.c_ulonglong(refine_seed),
    ]
    prepared = for_communities(graph)
    return run_native(
        "leiden_serial",
        prepared,
        cancel,
        serial(prepared, *arguments),
        params,
        record=record,
        record_budget=record_budget,
        refined=True,
    )


METHOD = Method(
    name="leiden_serial",
    title="Leiden, serial",
    source="Traag, Waltman and van Eck, Scientific Reports 9:5233 (2019)",
    run=run,
    available=native_available,
    certify=partial(certify_result, connected=True),
    records=True,
)
