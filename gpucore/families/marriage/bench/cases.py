"""Cases of the benchmarks of stable marriage: what is timed on every instance."""

from __future__ import annotations

from dataclasses import replace

from gpucore.bench.cases import on_threads, thread_counts, with_records
from gpucore.bench.suite import Case


def _device(label: str, variant: str) -> Case:
    return Case(label, "marriage", {"variant": variant})


FAST = _device("fast (ours)", "fast")
MW = _device("McVitie-Wilson, kernel", "mw")
GS = _device("Gale-Shapley, kernel", "gs")
KERNELS = (FAST, MW, GS)
QUEUE = Case("Gale-Shapley", "gale_shapley", {}, "cpu")
STACK = Case("McVitie-Wilson", "mcvitie_wilson", {}, "cpu")
#: Methods on one thread; speed-ups are over the faster one.
SEQUENTIAL = (QUEUE, STACK)
#: The same for runs that take minutes and do not slow each other down.
APART = tuple(replace(case, separate=True) for case in SEQUENTIAL)
LIBRARY = Case(
    "matching (package)", "matching_library", {}, "cpu", optional=True, separate=True, runs=2
)


def multicore(cores: int) -> list[Case]:
    """Return both methods on all cores."""
    return [on_threads(case.label, f"{case.runner}_omp", cores) for case in SEQUENTIAL]


def every_count(cores: int) -> list[Case]:
    """Return both methods on 1, 2, 4, ... threads and on all; most threads first."""
    return [case for count in reversed(thread_counts(cores)) for case in multicore(count)]


def all_methods(cores: int) -> list[Case]:
    """Return every method but the library's."""
    return [*KERNELS, *multicore(cores), *SEQUENTIAL]


def recording(_cores: int) -> list[Case]:
    """Return the kernels with and without records."""
    return [case for kernel in KERNELS for case in with_records(kernel)]
