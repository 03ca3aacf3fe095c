"""Types of gpucore.run for type checkers; written by tools/overloads.py."""

from typing import Any, Literal, overload

from gpucore.device import Device
from gpucore.families.bipartite.result import BipartiteResult
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.families.communities.result import CommunityResult
from gpucore.families.marriage.result import MarriageResult
from gpucore.families.matching.result import MatchingResult
from gpucore.families.roommates.fixtures import FixturesResult
from gpucore.families.roommates.result import RoommatesResult
from gpucore.families.sgd.result import SgdResult
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import GraphPart
from gpucore.problems.preferences.preferences import Preferences
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.roommates.roommates import Roommates
from gpucore.progress import Cancel, Progress
from gpucore.result import Result

@overload
def run(
    name: Literal[
        "bipartite",
        "disjoint_bfs_omp",
        "ecl_mm",
        "hkdw",
        "hopcroft_karp",
        "hopcroft_karp_omp",
        "networkx_hopcroft_karp",
        "pothen_fan",
        "pothen_fan_omp",
        "scipy_matching",
    ],
    graph: Graph | GraphPart | Preferences | Ratings | Roommates,
    *,
    device: str | Device = ...,
    record: str = ...,
    record_budget: int = ...,
    certify: bool = ...,
    progress: Progress | None = ...,
    cancel: Cancel | None = ...,
    ranks: int | None = ...,
    **params: Any,
) -> BipartiteResult: ...
@overload
def run(
    name: Literal["bmatching", "bgreedy", "bsuitor_omp", "bsuitor_serial", "networkit_bsuitor"],
    graph: Graph | GraphPart | Preferences | Ratings | Roommates,
    *,
    device: str | Device = ...,
    record: str = ...,
    record_budget: int = ...,
    certify: bool = ...,
    progress: Progress | None = ...,
    cancel: Cancel | None = ...,
    ranks: int | None = ...,
    **params: Any,
) -> BMatchingResult: ...
@overload
def run(
    name: Literal[
        "ld",
        "redblue",
        "suitor",
        "greedy",
        "greedy_random",
        "greedy_weighted",
        "ld_omp",
        "ld_serial",
        "networkit_suitor",
        "networkx_exact",
        "redblue_omp",
        "suitor_omp",
        "suitor_serial",
    ],
    graph: Graph | GraphPart | Preferences | Ratings | Roommates,
    *,
    device: str | Device = ...,
    record: str = ...,
    record_budget: int = ...,
    certify: bool = ...,
    progress: Progress | None = ...,
    cancel: Cancel | None = ...,
    ranks: int | None = ...,
    **params: Any,
) -> MatchingResult: ...
@overload
def run(
    name: Literal[
        "louvain",
        "cugraph_leiden",
        "cugraph_louvain",
        "gve_louvain",
        "igraph_multilevel",
        "leiden_serial",
        "louvain_adaptive",
        "louvain_omp",
        "louvain_serial",
        "networkit_plm",
        "networkx_louvain",
        "nu_louvain",
    ],
    graph: Graph | GraphPart | Preferences | Ratings | Roommates,
    *,
    device: str | Device = ...,
    record: str = ...,
    record_budget: int = ...,
    certify: bool = ...,
    progress: Progress | None = ...,
    cancel: Cancel | None = ...,
    ranks: int | None = ...,
    **params: Any,
) -> CommunityResult: ...
@overload
def run(
    name: Literal[
        "marriage",
        "gale_shapley",
        "gale_shapley_omp",
        "matching_library",
        "mcvitie_wilson",
        "mcvitie_wilson_omp",
    ],
    graph: Graph | GraphPart | Preferences | Ratings | Roommates,
    *,
    device: str | Device = ...,
    record: str = ...,
    record_budget: int = ...,
    certify: bool = ...,
    progress: Progress | None = ...,
    cancel: Cancel | None = ...,
    ranks: int | None = ...,
    **params: Any,
) -> MarriageResult: ...
@overload
def run(
    name: Literal["sgd", "cornac_mf", "sgd_dsgd_omp", "sgd_hogwild_omp", "sgd_serial"],
    graph: Graph | GraphPart | Preferences | Ratings | Roommates,
    *,
    device: str | Device = ...,
    record: str = ...,
    record_budget: int = ...,
    certify: bool = ...,
    progress: Progress | None = ...,
    cancel: Cancel | None = ...,
    ranks: int | None = ...,
    **params: Any,
) -> SgdResult: ...
@overload
def run(
    name: Literal["irving"],
    graph: Graph | GraphPart | Preferences | Ratings | Roommates,
    *,
    device: str | Device = ...,
    record: str = ...,
    record_budget: int = ...,
    certify: bool = ...,
    progress: Progress | None = ...,
    cancel: Cancel | None = ...,
    ranks: int | None = ...,
    **params: Any,
) -> RoommatesResult: ...
@overload
def run(
    name: Literal["irving_scott"],
    graph: Graph | GraphPart | Preferences | Ratings | Roommates,
    *,
    device: str | Device = ...,
    record: str = ...,
    record_budget: int = ...,
    certify: bool = ...,
    progress: Progress | None = ...,
    cancel: Cancel | None = ...,
    ranks: int | None = ...,
    **params: Any,
) -> FixturesResult: ...
@overload
def run(
    name: str,
    graph: Graph | GraphPart | Preferences | Ratings | Roommates,
    *,
    device: str | Device = ...,
    record: str = ...,
    record_budget: int = ...,
    certify: bool = ...,
    progress: Progress | None = ...,
    cancel: Cancel | None = ...,
    ranks: int | None = ...,
    **params: Any,
) -> Result: ...
