"""Types of gpucore.run for type checkers; written by tools/overloads.py."""

from typing import Any, Literal, overload

from gpucore.device import Device
from gpucore.families.bipartite.result import BipartiteResult
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.families.communities.result import CommunityResult
from gpucore.families.marriage.result import MarriageResult
from gpucore.families.matching.result import MatchingResult
from gpucore.families.sgd.result import SgdResult
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import GraphPart
from gpucore.problems.preferences.preferences import Preferences
from gpucore.progress import Cancel, Progress
from gpucore.result import Result

@overload
def run(
    name: Literal["bipartite"],
    graph: Graph | GraphPart | Preferences,
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
    name: Literal["bmatching"],
    graph: Graph | GraphPart | Preferences,
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
    name: Literal["ld", "redblue", "suitor"],
    graph: Graph | GraphPart | Preferences,
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
    name: Literal["louvain"],
    graph: Graph | GraphPart | Preferences,
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
    name: Literal["marriage"],
    graph: Graph | GraphPart | Preferences,
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
    name: Literal["sgd"],
    graph: Graph | GraphPart | Preferences,
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
    name: str,
    graph: Graph | GraphPart | Preferences,
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
