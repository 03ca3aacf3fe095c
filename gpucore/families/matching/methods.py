"""Methods on the processor, from the papers; each is the native function ``cpu_NAME``."""

from __future__ import annotations

from functools import partial

from gpucore.families.matching.certificate import certify_result
from gpucore.families.matching.native import build_record, run_native
from gpucore.runner import Runner, native_runner


def _method(
    name: str,
    title: str,
    source: str,
    counters: tuple[str, ...] = (),
    parallel: bool = False,
    gain_share: float = 1.0,
) -> Runner:
    run = partial(run_native, name, counters, parallel, partial(build_record, gain_share))
    return native_runner(name, title, source, run, certify_result, parallel=parallel)


#: The counter ``scans`` counts walks over a vertex's neighbours; with several threads it depends a
#: little on the schedule. ``rounds`` counts the rounds of the queues.
METHODS = (
    _method("greedy", "Greedy", "D. Avis, Networks 13, 1983"),
    _method(
        "suitor_serial",
        "Suitor, serial",
        "Manne and Halappanavar, IPDPS 2014; Naim et al., HiPC 2015, Algorithm 3",
        ("scans",),
        gain_share=0.5,
    ),
    _method(
        "suitor_omp",
        "Suitor, multicore",
        "Naim et al., HiPC 2015, Algorithm 3",
        ("scans",),
        parallel=True,
        gain_share=0.5,
    ),
    _method(
        "ld_serial",
        "Locally dominant, serial",
        "Naim et al., HiPC 2015, Algorithms 1 and 2",
        ("scans", "rounds"),
    ),
    _method(
        "ld_omp",
        "Locally dominant, multicore",
        "Naim et al., HiPC 2015, Algorithms 1 and 2",
        ("scans", "rounds"),
        parallel=True,
    ),
)
