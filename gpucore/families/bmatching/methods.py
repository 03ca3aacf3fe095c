"""Methods on the processor, from the papers; each is the native function ``cpu_NAME``."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from gpucore.cpu.common import choose_threads, native_available
from gpucore.families.bmatching.capacity import DEFAULT_B
from gpucore.families.bmatching.certificate import certify_result
from gpucore.families.bmatching.native import run_native
from gpucore.family import Method
from gpucore.params import check_word
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from gpucore.families.bmatching.result import BMatchingResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Cancel

#: When a displaced vertex proposes again: at once, or in the next round.
VARIANTS = ("eager", "delayed")

_KHAN = "Khan et al., SIAM Journal on Scientific Computing 38(5), 2016"


def _run_serial(
    name: str,
    counters: tuple[str, ...],
    graph: Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
    b: Any = DEFAULT_B,
) -> BMatchingResult:
    """Run a method of one thread; `counters` become figures of the result."""
    recorded: Any = {"record": record, "record_budget": record_budget}
    return run_native(name, graph, b, 1, cancel, counters, **recorded)


def _run_omp(
    graph: Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
    b: Any = DEFAULT_B,
    variant: str = "eager",
) -> BMatchingResult:
    """Run b-Suitor on several threads; `variant` says when displaced vertices propose again."""
    check_word("bsuitor_omp", "variant", variant, VARIANTS)
    counters = ("scans", "proposals", *(("rounds",) if variant == "delayed" else ()))
    workers = choose_threads(threads)
    recorded: Any = {"record": record, "record_budget": record_budget}
    return run_native("bsuitor_omp", graph, b, workers, cancel, counters, variant, **recorded)


#: The counter ``scans`` counts walks over a vertex's neighbours, which sort the best of them;
#: ``proposals`` counts those that were accepted. Both depend a little on the schedule if there are
#: several threads. ``rounds`` counts the rounds of the queue.
METHODS = (
    Method(
        "bgreedy",
        "Greedy b-matching",
        "J. Mestre, ESA 2006",
        partial(_run_serial, "bgreedy", ()),
        native_available,
        certify_result,
        records=True,
    ),
    Method(
        "bsuitor_serial",
        "b-Suitor, serial",
        _KHAN,
        partial(_run_serial, "bsuitor_serial", ("scans", "proposals")),
        native_available,
        certify_result,
        records=True,
    ),
    Method(
        "bsuitor_omp",
        "b-Suitor, multicore",
        _KHAN,
        _run_omp,
        native_available,
        certify_result,
        records=True,
        parallel=True,
    ),
)
