"""The algorithms, one module each; a module with an ``ALGORITHM`` is found by itself."""

from __future__ import annotations

import dataclasses
import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from gpucore.errors import ParameterError

if TYPE_CHECKING:
    from gpucore.certify import Certificate
    from gpucore.device import Device
    from gpucore.graph import Graph
    from gpucore.progress import Cancel, Progress
    from gpucore.record import Record
    from gpucore.record.timeline import Timeline
    from gpucore.result import Result


@dataclass(frozen=True)
class Algorithm:
    """What the rest of the project needs to know of an algorithm.

    Attributes
    ----------
    name : str
        Name on the command line; also the module's, the kernel file's and the tests' name.
    title : str
        Name for people.
    family : str
        Algorithms of one family return the same kind of result and can be compared.
    source : str
        Paper and section.
    params : type
        Frozen dataclass of parameters; its defaults are the algorithm's.
    variants : tuple of str
        Values of ``params.variant``, the default first.
    run, certify, timeline : callable
        See :func:`gpucore.run`; ``timeline(record)`` turns events into state changes.
    objective : str
        The figure that the algorithm maximises.
    """

    name: str
    title: str
    family: str
    source: str
    params: type
    variants: tuple[str, ...]
    run: Callable[..., Result]
    certify: Callable[[Graph, Any], Certificate]
    timeline: Callable[[Record], Timeline]
    objective: str


@cache
def algorithms() -> dict[str, Algorithm]:
    """Return all algorithms by name."""
    modules = (
        importlib.import_module(f"{__name__}.{module.name}")
        for module in pkgutil.iter_modules(__path__)
    )
    found = [module.ALGORITHM for module in modules if hasattr(module, "ALGORITHM")]
    return {algorithm.name: algorithm for algorithm in sorted(found, key=lambda a: a.name)}


def get_algorithm(name: str) -> Algorithm:
    """Return the algorithm called `name`, or raise ParameterError with the known names."""
    try:
        return algorithms()[name]
    except KeyError:
        known = ", ".join(algorithms())
        raise ParameterError(
            f"there is no algorithm {name!r}; the known ones are {known}"
        ) from None


def make_params(algorithm: Algorithm, given: dict[str, Any]) -> Any:
    """Build the algorithm's parameters from keywords; unknown names are ParameterErrors."""
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
    """Run an algorithm on a graph and certify what it returns.

    Parameters
    ----------
    name : str
        Algorithm, see :func:`algorithms`.
    graph : Graph
        The problem.
    device : {"auto", "cuda", "host"} or Device
        Where to run; "auto" takes a usable GPU if there is one.
    record : {"off", "counters", "events"}
        How much of the inside to record.
    record_budget : int
        Bytes the record may take on the device; what does not fit is counted, not kept.
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
