"""Methods on the processor, from the papers; each is the native function ``cpu_NAME``."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any

from gpucore.families.bmatching.capacity import DEFAULT_B
from gpucore.families.bmatching.certificate import certify_result
from gpucore.families.bmatching.native import run_native
from gpucore.families.bmatching.variants import OMP
from gpucore.runner import Context, native_runner

if TYPE_CHECKING:
    from gpucore.families.bmatching.result import BMatchingResult
    from gpucore.problems.graph.graph import Graph

_KHAN = "Khan et al., SIAM Journal on Scientific Computing 38(5), 2016"


@dataclass(frozen=True)
class CapacityParams:
    """Parameters of methods of one thread.

    Attributes
    ----------
    b : int, str or sequence of int
        Capacities of the vertices, see :mod:`gpucore.families.bmatching.capacity`.
    """

    b: Any = field(default=DEFAULT_B, compare=False)


@dataclass(frozen=True)
class OmpParams(CapacityParams):
    """Parameters of b-Suitor on several threads.

    Attributes
    ----------
    variant : {"eager", "delayed"}
        When displaced vertices propose again.
    """

    variant: str = "eager"


def _run_serial(
    name: str,
    counters: tuple[str, ...],
    graph: Graph,
    params: CapacityParams,
    context: Context,
) -> BMatchingResult:
    """Run a method of one thread; `counters` become figures of the result."""
    return run_native(name, graph, params.b, 1, context.cancel, counters, **context.recorded)


def _run_omp(graph: Graph, params: OmpParams, context: Context) -> BMatchingResult:
    """Run b-Suitor on several threads."""
    counters = ("scans", "proposals", *(("rounds",) if params.variant == "delayed" else ()))
    return run_native(
        "bsuitor_omp",
        graph,
        params.b,
        context.workers,
        context.cancel,
        counters,
        params.variant,
        **context.recorded,
    )


#: The counter ``scans`` counts walks over a vertex's neighbours, which sort the best of them;
#: ``proposals`` counts those that were accepted. Both depend a little on the schedule if there are
#: several threads. ``rounds`` counts the rounds of the queue.
METHODS = (
    native_runner(
        "bgreedy",
        "Greedy b-matching",
        "J. Mestre, ESA 2006",
        partial(_run_serial, "bgreedy", ()),
        certify_result,
        CapacityParams,
    ),
    native_runner(
        "bsuitor_serial",
        "b-Suitor, serial",
        _KHAN,
        partial(_run_serial, "bsuitor_serial", ("scans", "proposals")),
        certify_result,
        CapacityParams,
    ),
    native_runner(
        "bsuitor_omp",
        "b-Suitor, multicore",
        _KHAN,
        _run_omp,
        certify_result,
        OmpParams,
        variants=OMP,
        parallel=True,
    ),
)
