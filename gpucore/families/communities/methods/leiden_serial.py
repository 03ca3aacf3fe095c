"""The Leiden method on one thread (leiden_serial.cpp)."""

from __future__ import annotations

import ctypes
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

from gpucore.errors import ParameterError
from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import check_number, check_whole, run_native, serial
from gpucore.families.communities.params import LouvainParams
from gpucore.params import is_number, settle
from gpucore.problems.graph.prepare import for_communities
from gpucore.runner import Context, native_runner

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True)
class LeidenParams:
    """Parameters of the serial Leiden method.

    Attributes
    ----------
    threshold : float
        A stage that gains less modularity is the last one.
    resolution : float
        Factor of the expected weight in modularity.
    theta : float
        Randomness of the refinement: a vertex joins a part with a probability proportional to
        exp(gain / theta), the gain in units of the edges' weights; 0: always the best part.
    refine_seed : int
        Seed of that choice.
    """

    threshold: float = LouvainParams.t_final
    resolution: float = 1.0
    theta: float = 0.0
    refine_seed: int = 0

    def __post_init__(self) -> None:
        settle(self, threshold=check_number("threshold", self.threshold, positive=False))
        settle(self, resolution=check_number("resolution", self.resolution, positive=True))
        if not is_number(self.theta) or not 0.0 <= self.theta <= 1e6:
            raise ParameterError(f"theta is {self.theta!r}; use a number from 0 to 1e6")
        settle(self, theta=float(self.theta))
        settle(self, refine_seed=check_whole("refine_seed", self.refine_seed))


def run(graph: Graph, params: LeidenParams, context: Context) -> CommunityResult:
    """Return the hierarchy: parts of the refinements, and last the communities.

    Raises
    ------
    GraphError, Cancelled, DeviceError
    """
    arguments = [
        ctypes.c_double(params.threshold),
        ctypes.c_double(params.resolution),
        ctypes.c_double(params.theta),
        ctypes.c_ulonglong(params.refine_seed),
    ]
    prepared = for_communities(graph)
    return run_native(
        "leiden_serial",
        prepared,
        context.cancel,
        serial(prepared, *arguments),
        asdict(params),
        **context.recorded,
        refined=True,
    )


METHOD = native_runner(
    name="leiden_serial",
    title="Leiden, serial",
    source="Traag, Waltman and van Eck, Scientific Reports 9:5233 (2019)",
    run=run,
    certify=partial(certify_result, connected=True),
    params=LeidenParams,
)
