"""All ranks check at the start that they run the same."""

from __future__ import annotations

import dataclasses
import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.errors import DeviceError, GraphError, ParameterError, WarplensError
from gpucore.format import counted
from gpucore.record.record import versions

if TYPE_CHECKING:
    from gpucore.ranks.comm import Comm


def agree(
    comm: Comm, algorithm: str, params: Any, problem: Any, record: str, record_budget: int
) -> None:
    """Compare versions, parameters and inputs; every rank calls.

    Raises
    ------
    DeviceError, ParameterError, GraphError
        Some rank differs from rank 0; the text names the rank, and is the same on all ranks.
    """
    given = {name: _comparable(value) for name, value in dataclasses.asdict(params).items()}
    settings = {**given, "record": record, "record_budget": record_budget}
    views = comm.allgather((versions(), algorithm, settings, _fingerprint(problem)))
    for rank, own in enumerate(views):
        error = _difference(rank, own, views[0])
        if error is not None:
            error.names_ranks = True  # type: ignore[attr-defined]
            raise error


def _comparable(value: Any) -> Any:
    """Return a value that `==` compares: of an array its length and a hash of its contents."""
    if not isinstance(value, np.ndarray):
        return value
    digest = hashlib.sha256(value.tobytes()).hexdigest()
    return f"{len(value):,} numbers, hash {digest[:12]}"


def _difference(rank: int, own: tuple[Any, ...], first: tuple[Any, ...]) -> WarplensError | None:
    """Return an error with the first thing in which a rank differs from rank 0."""
    for name, version in first[0].items():
        if own[0].get(name) != version:
            return DeviceError(
                f"rank {rank} has {name} {own[0].get(name)}, rank 0 has {version}; "
                "install the same versions for all ranks"
            )
    if own[1] != first[1]:
        return ParameterError(
            f"rank {rank} runs {own[1]}, rank 0 runs {first[1]}; start all ranks alike"
        )
    for name in sorted({*own[2], *first[2]}):
        mine, theirs = own[2].get(name), first[2].get(name)
        if mine != theirs:
            return ParameterError(
                f"rank {rank} has {name}={mine}, rank 0 has {name}={theirs}; give all ranks the "
                "same parameters"
            )
    if own[3] != first[3]:
        return GraphError(
            f"rank {rank} has another input than rank 0 ({own[3]} and {first[3]}); give all ranks "
            "the same file"
        )
    return None


def _fingerprint(problem: Any) -> str:
    """Return what has to be equal on all ranks: of a whole graph everything, of a part its cut."""
    whole = getattr(problem, "fingerprint", None)
    if whole is not None:
        n, m = problem.num_vertices, problem.num_edges
        return f"{counted(n, 'vertex')}, {counted(m, 'edge')}, fingerprint {whole[:12]}"
    return f"{counted(problem.n, 'vertex')}, cut at {problem.bounds.tolist()}"
