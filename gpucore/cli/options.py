"""Options that several commands share, and how their text becomes values."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel, Progress


class DeviceName(StrEnum):
    """Where to run."""

    AUTO = "auto"
    CUDA = "cuda"
    HOST = "host"


class PolicyName(StrEnum):
    """In which order the host device lets warps take steps."""

    SEQUENTIAL = "sequential"
    ROUND_ROBIN = "round_robin"
    RANDOM = "random"


GRAPH_HELP = (
    "A data set (karate), a generator (rmat:scale=10,seed=1), or a file: Matrix Market, METIS, "
    "edge list or .npz, also gzipped. Bipartite algorithms take matrices: southern_women, "
    "uniform:rows=100,columns=80, a Matrix Market file of any shape, or a graph's adjacencies. "
    "Stable marriage takes preferences: gale_shapley_4, easy:n=1000, lists as JSON or CSV, ranks "
    "as .npz, or any graph or matrix; stable roommates a JSON file, roommates:n=100 or any graph."
)
GraphArgument = Annotated[str, typer.Argument(help=GRAPH_HELP, metavar="GRAPH")]
DeviceOption = Annotated[
    DeviceName, typer.Option("--device", help="auto takes a usable GPU, else the host device.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
WeightsSeedOption = Annotated[
    int, typer.Option("--weights-seed", help="Seed of the weights that an unweighted graph gets.")
]
PermuteOption = Annotated[
    int | None,
    typer.Option(
        "--permute", min=0, help="Put rows and columns in the random order of this seed (RCP)."
    ),
]


def parse_params(texts: Sequence[str]) -> dict[str, Any]:
    """Turn ``key=value`` texts into keywords; numbers and true/false are taken as such."""
    params: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        key = key.strip().replace("-", "_")
        if not equals or not key.isidentifier():
            raise ParameterError(f"a parameter is given as key=value, not {text!r}")
        if key in params:
            raise ParameterError(f"parameter {key!r} is given twice")
        params[key] = parse_value(value.strip())
    return params


def parse_value(text: str) -> Any:
    """Return the int, float or bool that `text` spells, else the text."""
    if re.fullmatch(r"true|false|-?\d+(\.\d+)?([eE][-+]?\d+)?", text):
        return json.loads(text) if not re.match(r"-?0\d", text) else text
    return text


def open_device(
    name: DeviceName, policy: PolicyName | None = None, seed: int | None = None
) -> Device:
    """Return the device; a schedule that is asked for chooses the host device.

    Raises
    ------
    ParameterError
        If a schedule is asked for on a GPU, which lets nobody choose.
    """
    from gpucore.device import get_device

    if policy is None and seed is None:
        return get_device(name.value)
    if name is DeviceName.CUDA:
        raise ParameterError(
            "--policy and --seed choose the schedule of the host device; a GPU has its own: "
            "leave them out or use --device host"
        )
    # A seed without a policy can only mean the policy that uses one.
    chosen = policy or PolicyName.RANDOM
    return get_device("host", policy=chosen.value, seed=seed or 0)


def load_problem(
    spec: str,
    family: str,
    weights_seed: int,
    progress: Progress | None,
    cancel: Cancel | None,
    *,
    permute: int | None = None,
    recorded: bool = False,
) -> Graph:
    """Load a graph and prepare it the way `family` needs (``gpucore.problems.graph.prepare.for_FAMILY``).

    Stable marriage gets a graph of preferences, which is what records are of; or the preferences
    as they are, where there are more than two million pairs, or where they are in the shared form
    and the run is not `recorded`.

    Raises
    ------
    ParameterError
        If `permute`, the seed of an order of rows and columns, is given for another family than
        "bipartite", whose graphs have none.
    """
    import gpucore.problems.graph.prepare
    from gpucore import io
    from gpucore.problems.preferences.preferences import SMALL

    if permute is not None and family != "bipartite":
        raise ParameterError(
            "--permute orders rows and columns, which only the bipartite algorithms' matrices "
            f"have; leave it out for {family}"
        )
    if family == "marriage":
        preferences = io.load_preferences(spec, seed=weights_seed, progress=progress, cancel=cancel)
        if preferences.num_pairs <= SMALL and (recorded or not preferences.is_shared):
            return preferences.graph()
        return cast("Graph", preferences)
    if family == "roommates":
        return cast(
            "Graph",
            io.load_roommates(spec, seed=weights_seed, progress=progress, cancel=cancel),
        )
    read = io.load_bipartite if family == "bipartite" else io.load
    graph = read(spec, progress=progress, cancel=cancel)
    prepare = getattr(gpucore.problems.graph.prepare, f"for_{family}", None)
    if prepare is not None:
        graph = prepare(graph, seed=weights_seed)
    return graph if permute is None else gpucore.problems.graph.prepare.permute_sides(graph, permute)
