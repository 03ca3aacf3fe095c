"""McVitie and Wilson's algorithm for stable marriage on several threads.

In C++: mcvitie_wilson_omp.cpp.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.cpu.common import choose_threads, native_available
from gpucore.families.marriage.certificate import certify_result
from gpucore.families.marriage.native import run_native
from gpucore.family import Method
from gpucore.record.threads import BUDGET

if TYPE_CHECKING:
    from gpucore.families.marriage.result import MarriageResult
    from gpucore.problems.graph.graph import Graph
    from gpucore.problems.preferences.preferences import Preferences
    from gpucore.progress import Cancel


def run(
    graph: Preferences | Graph,
    *,
    threads: int | None = None,
    cancel: Cancel | None = None,
    record: str = "off",
    record_budget: int = BUDGET,
    proposers: str = "men",
) -> MarriageResult:
    """Return the marriage of ``mcvitie_wilson``; a stack for each thread.

    Figures other than ``considered`` depend a little on the schedule.

    Raises
    ------
    GraphError
        Also for preferences with capacities.
    ParameterError, Cancelled, DeviceError
    """
    return run_native(
        "mcvitie_wilson_omp",
        graph,
        cancel,
        proposers,
        threads=choose_threads(threads),
        record=record,
        record_budget=record_budget,
    )


METHOD = Method(
    name="mcvitie_wilson_omp",
    title="McVitie-Wilson, multicore",
    source="Manne et al., CSC 2016, section 4",
    run=run,
    available=native_available,
    certify=certify_result,
    records=True,
    parallel=True,
)
