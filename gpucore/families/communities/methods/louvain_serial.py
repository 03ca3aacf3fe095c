"""The Louvain method on one thread with a fixed threshold (louvain_serial.cpp)."""

from __future__ import annotations

import ctypes
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import check_number, check_option, run_native, serial
from gpucore.families.communities.params import MOST_STARTS, LouvainParams
from gpucore.families.communities.rules import THRESHOLDS
from gpucore.families.communities.starts import best_of
from gpucore.params import check_whole, settle
from gpucore.problems.graph.prepare import for_communities
from gpucore.runner import Context, native_runner

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True)
class SerialParams:
    """Parameters of the serial Louvain method.

    Attributes
    ----------
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
    """

    threshold: float = LouvainParams.t_final
    thresholds: str = "absolute"
    resolution: float = 1.0
    starts: int = 1

    def __post_init__(self) -> None:
        check_whole("starts", self.starts, 1, MOST_STARTS)
        settle(self, threshold=check_number("threshold", self.threshold, positive=False))
        check_option("thresholds", self.thresholds, THRESHOLDS)
        settle(self, resolution=check_number("resolution", self.resolution, positive=True))


def run(graph: Graph, params: SerialParams, context: Context) -> CommunityResult:
    """Return the hierarchy of communities.

    Raises
    ------
    GraphError, Cancelled, DeviceError
    """
    arguments = [
        ctypes.c_double(params.threshold),
        ctypes.c_int(THRESHOLDS.index(params.thresholds)),
        ctypes.c_double(params.resolution),
    ]
    prepared = for_communities(graph)

    def search(start: int) -> CommunityResult:
        return run_native(
            "louvain_serial",
            prepared,
            context.cancel,
            serial(prepared, *arguments, ctypes.c_int(start)),
            asdict(params),
            **context.recorded,
        )

    return best_of(params.starts, search)


METHOD = native_runner(
    name="louvain_serial",
    title="Louvain, serial",
    source="Blondel, Guillaume, Lambiotte and Lefebvre, J. Stat. Mech. 2008",
    run=run,
    certify=partial(certify_result, rising=True),
    params=SerialParams,
)
