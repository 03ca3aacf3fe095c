"""Methods on the processor, from the papers; each is the native function ``cpu_NAME``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from gpucore.families.bmatching.certificate import certify_result
from gpucore.families.bmatching.native import CapacityParams, run_native
from gpucore.families.bmatching.variants import OMP
from gpucore.runner import native_runner

_KHAN = "Khan et al., SIAM Journal on Scientific Computing 38(5), 2016"


@dataclass(frozen=True)
class OmpParams(CapacityParams):
    """Parameters of b-Suitor on several threads.

    Attributes
    ----------
    variant : {"eager", "delayed"}
        When displaced vertices propose again.
    """

    variant: str = "eager"


#: The counter ``scans`` counts walks over a vertex's neighbours, which sort the best of them;
#: ``proposals`` counts those that were accepted. Both depend a little on the schedule if there are
#: several threads. ``rounds`` counts the rounds of the queue.
METHODS = (
    native_runner(
        "bgreedy",
        "Greedy b-matching",
        "J. Mestre, ESA 2006",
        partial(run_native, "bgreedy", (), False),
        certify_result,
        CapacityParams,
    ),
    native_runner(
        "bsuitor_serial",
        "b-Suitor, serial",
        _KHAN,
        partial(run_native, "bsuitor_serial", ("scans", "proposals"), False),
        certify_result,
        CapacityParams,
    ),
    native_runner(
        "bsuitor_omp",
        "b-Suitor, multicore",
        _KHAN,
        partial(run_native, "bsuitor_omp", ("scans", "proposals", "rounds"), True),
        certify_result,
        OmpParams,
        variants=OMP,
        parallel=True,
    ),
)
