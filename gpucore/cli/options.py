"""Options that several commands share, and the parsing of their values."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from gpucore.datasets.remote import allow_downloads
from gpucore.errors import GraphError, ParameterError
from gpucore.loading import OtherKind, load
from gpucore.problem import get_kind, kinds

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.graph.part import GraphPart
    from gpucore.progress import Cancel, Progress
    from gpucore.runner import Runner


class WeightsName(StrEnum):
    """What negative weights mean for a matching."""

    POSITIVE = "positive"
    ABSOLUTE = "absolute"


class RepeatedName(StrEnum):
    """Which rating counts if a user rates an item more than once."""

    LAST = "last"
    MEAN = "mean"


class DeviceName(StrEnum):
    """Device to run on."""

    AUTO = "auto"
    CUDA = "cuda"
    HOST = "host"


class PolicyName(StrEnum):
    """Schedule of warps on the host device."""

    SEQUENTIAL = "sequential"
    ROUND_ROBIN = "round_robin"
    RANDOM = "random"


GRAPH_HELP = " ".join(kind.help for kind in kinds().values())
GraphArgument = Annotated[str, typer.Argument(help=GRAPH_HELP, metavar="GRAPH")]
DeviceOption = Annotated[
    DeviceName, typer.Option("--device", help="auto takes a usable GPU, else the host device.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
WeightsSeedOption = Annotated[
    int, typer.Option("--weights-seed", help="Seed of the weights that an unweighted graph gets.")
]
WeightsOption = Annotated[
    WeightsName | None,
    typer.Option(
        "--weights",
        help="For matchings: leave edges of negative weight out (positive, the default), or take "
        "absolute values, as the papers do with matrices (absolute).",
    ),
]
ColumnsOption = Annotated[
    str | None,
    typer.Option(
        "--columns",
        metavar="ROLE=COLUMN,...",
        help="Columns of a list, by title or by number from 1: source=from,target=to,weight=3; of "
        "ratings user=, item=, rating=; of preferences side=, name=, capacity=.",
    ),
]
DuplicatesOption = Annotated[
    RepeatedName | None,
    typer.Option(
        "--duplicates",
        help="If a user rates an item more than once in a file, take the last rating or the mean; "
        "without it such a file is refused.",
    ),
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
    if re.fullmatch(r"true|false|-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?", text):
        with suppress(ValueError):  # more digits than Python converts
            return json.loads(text)
    return text


def open_device(
    name: DeviceName, policy: PolicyName | None = None, seed: int | None = None
) -> Device:
    """Return the device; a given policy or seed selects the host device.

    Raises
    ------
    ParameterError
        If a schedule is requested on a GPU, whose schedule cannot be chosen, or a seed for one
        that is not random.
    """
    from gpucore.device import get_device

    if policy is None and seed is None:
        return get_device(name.value)
    if name is DeviceName.CUDA:
        raise ParameterError(
            "--policy and --seed choose the schedule of the host device; a GPU has its own: "
            "leave them out or use --device host"
        )
    if seed is not None and policy not in (None, PolicyName.RANDOM):
        raise ParameterError(f"--seed is of random schedules; leave it out with --policy {policy}")
    # A seed without a policy can only mean the policy that uses one.
    chosen = policy or PolicyName.RANDOM
    return get_device("host", policy=chosen.value, seed=seed or 0)


def device_for(
    runner: Runner, name: DeviceName, policy: PolicyName | None, seed: int | None
) -> Device | None:
    """Return the device of a run; None for a runner on the processor.

    Raises
    ------
    ParameterError
        As for :func:`open_device`, or the runner is on the processor and has no such options.
    """
    if runner.where == "device":
        return open_device(name, policy, seed)
    if name is DeviceName.CUDA or policy is not None or seed is not None:
        raise ParameterError(
            f"{runner.name} is a method on the processor: it takes no --device cuda, --policy "
            "or --seed"
        )
    return None


def load_without_copy(
    spec: str,
    runner: Runner,
    device: Device | None,
    weights_seed: int,
    progress: Progress | None,
    cancel: Cancel | None,
) -> GraphPart | None:
    """Load a graph into the device's memory, without a copy on the host.

    Returns
    -------
    GraphPart or None
        None if the device is the host or none, the runner takes no such graph, or the input has to
        be loaded on the host.
    """
    from gpucore.family import get_family
    from gpucore.problems.graph.distributed.load import is_divisible, load_whole

    if runner.certify_part is None or device is None or device.name == "host":
        return None
    if not is_divisible(spec):
        return None
    matching = get_family(runner.family).prepare.endswith(":for_matching")
    return load_whole(
        spec, device, matching=matching, seed=weights_seed, progress=progress, cancel=cancel
    )


def load_for(
    spec: str,
    family: str,
    weights_seed: int,
    progress: Progress | None,
    cancel: Cancel | None,
    *,
    permute: int | None = None,
    recorded: bool = False,
    named: bool = False,
    weights: WeightsName | None = None,
    columns: str | None = None,
    duplicates: RepeatedName | None = None,
) -> Graph:
    """Load a problem of the kind that `family` solves, and prepare it as the family declares.

    In a random order, members without names take their numbers as names if they are to be `named`.

    Raises
    ------
    ParameterError
        If `permute`, the seed of a random order, is given for a kind whose order does not affect
        results, or `duplicates` for another kind than ratings.
    """
    from gpucore.family import families, get_family
    from gpucore.members import all_labels
    from gpucore.problems.graph.graph import Graph

    declared = get_family(family)
    kind = get_kind(declared.problem)
    if permute is not None and not kind.permute:
        raise ParameterError(
            "--permute orders rows and columns, which only matrices have; leave it out for "
            f"{family}"
        )
    if duplicates is not None and kind.name != "ratings":
        raise ParameterError(f"--duplicates is for ratings, which {family} does not take")
    allow_downloads()
    options: dict[str, Any] = {} if columns is None else {"columns": columns}
    options |= {} if duplicates is None else {"duplicates": duplicates.value}
    try:
        found = load(
            spec, kind.name, seed=weights_seed, progress=progress, cancel=cancel, **options
        )
    except OtherKind as error:
        solvers = [f for f in families().values() if f.problem == error.kind.name]
        names = [name for one in solvers for name in one.algorithms or one.load_methods()]
        raise GraphError(f"{error.fact}; it is for {', '.join(names)}") from None
    problem = kind.prepared_for_run(found, recorded=recorded)
    if isinstance(problem, Graph):
        options = {} if weights is None else {"weights": weights.value}
        problem = declared.prepared(problem, seed=weights_seed, **options)
    elif weights is not None:
        raise ParameterError("--weights is for weighted graphs, which this problem is not")
    if permute is None:
        return cast("Graph", problem)
    if named and problem.names is None:
        problem = problem.with_attributes(names=all_labels(problem))
    return cast("Graph", kind.load(kind.permute)(problem, permute))
