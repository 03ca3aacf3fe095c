"""Run an algorithm by name, and certify its result."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

from gpucore.errors import ParameterError
from gpucore.family import Algorithm, get_algorithm

if TYPE_CHECKING:
    from gpucore.device import Device
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel, Progress
    from gpucore.result import Result


def make_params(algorithm: Algorithm, given: dict[str, Any]) -> Any:
    """Build the algorithm's parameters from keywords; ParameterError for unknown names."""
    known = {f.name for f in dataclasses.fields(algorithm.params)}
    for name in given:
        if name not in known:
            raise ParameterError(
                f"{algorithm.name} has no parameter {name!r}; it has {', '.join(sorted(known))}"
            )
    return algorithm.params(**given)


def run(
    name: str,
    graph: Graph,
    *,
    device: str | Device = "auto",
    record: str = "off",
    record_budget: int = 64 << 20,
    certify: bool = True,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    **params: Any,
) -> Result:
    """Run an algorithm on a graph and certify its result.

    Parameters
    ----------
    name : str
        Algorithm, see :func:`algorithms`.
    graph : Graph
        The problem.
    device : {"auto", "cuda", "host"} or Device
        Where to run; "auto" takes a usable GPU if there is one.
    record : {"off", "counters", "events"}
        How much of the run to record.
    record_budget : int
        Bytes the record may take on the device; events and rows that do not fit are only counted.
    certify : bool
        Check the result with independent code and attach the certificate.
    progress, cancel
        See :mod:`gpucore.progress`.
    **params
        Parameters of the algorithm.

    Returns
    -------
    Result
        The family's result.

    Raises
    ------
    ParameterError, GraphError, DeviceError, Cancelled
    """
    from gpucore.device import get_device

    algorithm = get_algorithm(name)
    parameters = make_params(algorithm, params)
    target = get_device(device) if isinstance(device, str) else device
    with target.cancel_with(cancel, progress):
        result = algorithm.run(
            graph, parameters, device=target, record=record, record_budget=record_budget
        )
    if not certify:
        return result
    if progress is not None:
        progress("certifying", 0, 0)
    return dataclasses.replace(result, certificate=algorithm.certify(graph, result))
