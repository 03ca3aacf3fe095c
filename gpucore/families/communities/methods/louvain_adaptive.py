"""The Louvain method on one thread with the paper's adaptive threshold (louvain_adaptive.cpp)."""

from __future__ import annotations

import ctypes
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING

from gpucore.families.communities.certificate import certify_result
from gpucore.families.communities.native import (
    check_number,
    check_option,
    check_whole,
    run_native,
    serial,
)
from gpucore.families.communities.params import LouvainParams
from gpucore.families.communities.rules import COUNTED, THRESHOLDS
from gpucore.params import settle
from gpucore.problems.graph.prepare import for_communities
from gpucore.runner import Context, native_runner

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph


@dataclass(frozen=True)
class AdaptiveParams:
    """Parameters of the serial Louvain method with an adaptive threshold.

    Attributes
    ----------
    t_bin, t_final : float
        Threshold of stages with more than `bin_vertices` vertices, and that of the others.
    bin_vertices : int
        See above.
    thresholds, counted : str
        As for the kernels (:class:`gpucore.families.communities.rules.Rules`), with the same
        default, the paper's.
    resolution : float
        Factor of the expected weight in modularity.
    """

    t_bin: float = LouvainParams.t_bin
    t_final: float = LouvainParams.t_final
    bin_vertices: int = LouvainParams.bin_vertices
    thresholds: str = "absolute"
    counted: str = "all"
    resolution: float = 1.0

    def __post_init__(self) -> None:
        settle(self, t_bin=check_number("t_bin", self.t_bin, positive=False))
        settle(self, t_final=check_number("t_final", self.t_final, positive=False))
        settle(self, bin_vertices=check_whole("bin_vertices", self.bin_vertices))
        check_option("thresholds", self.thresholds, THRESHOLDS)
        check_option("counted", self.counted, COUNTED)
        settle(self, resolution=check_number("resolution", self.resolution, positive=True))


def run(graph: Graph, params: AdaptiveParams, context: Context) -> CommunityResult:
    """Return the hierarchy of communities."""
    arguments = [
        ctypes.c_double(params.t_bin),
        ctypes.c_double(params.t_final),
        ctypes.c_longlong(params.bin_vertices),
        ctypes.c_int(THRESHOLDS.index(params.thresholds)),
        ctypes.c_int(COUNTED.index(params.counted)),
        ctypes.c_double(params.resolution),
    ]
    prepared = for_communities(graph)
    return run_native(
        "louvain_adaptive",
        prepared,
        context.cancel,
        serial(prepared, *arguments),
        asdict(params),
        **context.recorded,
    )


METHOD = native_runner(
    name="louvain_adaptive",
    title="Louvain, serial, adaptive",
    source="Naim, Manne, Halappanavar and Tumeo, IPDPS 2017, section V",
    run=run,
    certify=partial(certify_result, rising=True),
    params=AdaptiveParams,
)
