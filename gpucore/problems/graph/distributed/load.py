"""Load this rank's part of any graph, in the memory of its device."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from gpucore.device import Device
from gpucore.io.files import format_of
from gpucore.io.stream import LineReader, Source
from gpucore.limits import Limits
from gpucore.loading import load
from gpucore.problems.graph import prepare
from gpucore.problems.graph.distributed.exchange import OneRank, Ranks, agreed, before
from gpucore.problems.graph.distributed.matrix_market import read_part
from gpucore.problems.graph.distributed.matrix_on_device import matrix_on_device
from gpucore.problems.graph.distributed.prepare import for_matching
from gpucore.problems.graph.distributed.prepare_on_device import prepared_on_device
from gpucore.problems.graph.distributed.slabs import is_slabs, load_slabs
from gpucore.problems.graph.distributed.slabs_on_device import slabs_on_device
from gpucore.problems.graph.generate.rows import plan_of
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import GraphPart, cut, on_host, with_arrays
from gpucore.progress import Cancel, Progress


def load_part(
    spec: str | Path,
    ranks: Ranks,
    device: Device,
    *,
    matching: bool = True,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    limits: Limits | None = None,
) -> GraphPart:
    """Return this rank's part of the graph that `spec` specifies; all ranks call.

    Parameters
    ----------
    spec : str or Path
        One of

        - a generator of rows, ``"rmat_rows:scale=20,seed=1"``: each rank makes its own rows on
          its device (:mod:`gpucore.problems.graph.generate.rows`);
        - a folder of slabs, or a Matrix Market file that is not compressed: each rank reads its
          own part (:mod:`.slabs`, :mod:`.matrix_market`);
        - anything else that :func:`gpucore.load` takes: every rank loads the whole
          graph and keeps its part.
    ranks : Ranks
        All ranks of the run.
    device : Device
        Its memory holds the part.
    matching : bool
        Prepare the graph for weighted matching, see :func:`.prepare.for_matching`.
    seed : int
        Seed of random weights, if the graph has none and `matching` asks for weights.
    progress, cancel, limits
        See :func:`gpucore.load`.

    Returns
    -------
    GraphPart
        Arrays of the device. The graph is the same for any number of ranks.

    Raises
    ------
    GraphError, DeviceError, Cancelled
        On all ranks; the text names the rank if only some failed.
    """
    hooks: dict[str, Any] = {"progress": progress, "cancel": cancel, "limits": limits}
    plan = agreed(ranks, lambda: plan_of(spec) if isinstance(spec, str) else None)
    if plan is not None:
        part = agreed(ranks, lambda: plan.part(device, ranks.rank, ranks.size))
        if part.weighted or not matching:
            return replace(part, num_edges=before(ranks, part.entries)[1] // 2)
        return _placed(for_matching(on_host(part, device), ranks, seed=seed), ranks, device)
    if is_slabs(spec):
        part = load_slabs(spec, ranks)
    elif agreed(ranks, lambda: _has_ranges(spec, limits)):
        part = read_part(Source.of(spec, **hooks), ranks)
    else:
        return _placed(_own_part(spec, ranks, matching, seed, hooks), ranks, device)
    part = for_matching(part, ranks, seed=seed) if matching else part
    return _placed(part, ranks, device)


def load_divided(
    spec: str | Path, ranks: Ranks, device: Device, *, seed: int = 0, **hooks: Any
) -> GraphPart | None:
    """Return this rank's part of an input for matching that ranks read or generate in parts.

    Returns
    -------
    GraphPart or None
        See :func:`load_part`; None if every rank would load the whole graph.
    """
    plan = agreed(ranks, lambda: plan_of(spec) if isinstance(spec, str) else None)
    if plan is None and not agreed(ranks, lambda: is_slabs(spec) or _has_ranges(spec)):
        return None
    return load_part(spec, ranks, device, seed=seed, **hooks)


def load_whole(
    spec: str | Path,
    device: Device,
    *,
    matching: bool = True,
    seed: int = 0,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> GraphPart:
    """Return a graph in the memory of one device, without a copy on the host.

    Parameters
    ----------
    spec : str or Path
        A generator of rows; a folder of slabs, or a Matrix Market file that is not compressed:
        these are read block by block. Anything else that :func:`gpucore.load`
        takes, and graphs without weights that get random ones for matching, take memory on the
        host.
    device : Device
        Its memory holds the graph.
    matching : bool
        Prepare the graph for weighted matching; otherwise for the search for communities.
    seed : int
        Seed of random weights.
    progress, cancel
        See :mod:`gpucore.progress`.

    Raises
    ------
    GraphError, DeviceError, Cancelled
        As :func:`load_part`.

    Examples
    --------
    >>> from gpucore.device import get_device
    >>> load_whole("grid_rows:rows=3,columns=3", get_device("host")).num_edges
    12
    """
    hooks: dict[str, Any] = {"progress": progress, "cancel": cancel}
    plan = plan_of(spec) if isinstance(spec, str) else None
    if plan is not None:
        with device.cancel_with(cancel, progress):
            part = plan.part(device, 0, 1)
    elif is_slabs(spec):
        part = slabs_on_device(spec, device, **hooks)
    elif _has_ranges(spec):
        part = matrix_on_device(Source.of(spec, **hooks), device)
    else:
        return load_part(spec, OneRank(), device, matching=matching, seed=seed, **hooks)
    if part.weighted or not matching:
        return part if plan is not None else prepared_on_device(part, matching=matching)
    return _placed(for_matching(on_host(part, device), OneRank(), seed=seed), OneRank(), device)


def is_divisible(spec: str | Path) -> bool:
    """Return whether a graph can be generated or read without a copy on the host."""
    plan = plan_of(spec) if isinstance(spec, str) else None
    return plan is not None or is_slabs(spec) or _has_ranges(spec)


def _own_part(
    spec: str | Path, ranks: Ranks, matching: bool, seed: int, hooks: dict[str, Any]
) -> GraphPart:
    """Load the whole graph on each rank, and keep its part."""

    def own() -> GraphPart:
        graph: Graph = load(spec, **hooks)
        graph = prepare.for_matching(graph, seed=seed) if matching else graph
        return cut(graph, ranks.size)[ranks.rank]

    return agreed(ranks, own)


def _has_ranges(spec: str | Path, limits: Limits | None = None) -> bool:
    """Return whether a text is the path of a Matrix Market file that is not compressed."""
    path = Path(spec)
    try:
        if not path.is_file():
            return False
    except (OSError, ValueError):  # no file can have such a name
        return False
    source = Source.of(spec, limits)
    if format_of(source) != "matrix_market":
        return False
    with LineReader(source) as reader:
        return not reader.compressed


def _placed(part: GraphPart, ranks: Ranks, device: Device) -> GraphPart:
    """Copy a part to the device, if there is memory for it."""

    def place() -> GraphPart:
        device.require_memory(part.nbytes if device.name == "cuda" else 0, "a part of the graph")
        return with_arrays(part, device.asarray)

    placed = agreed(ranks, place)
    return replace(placed, num_edges=before(ranks, placed.entries)[1] // 2)
