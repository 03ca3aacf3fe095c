"""Cases of the benchmarks of bipartite matching: what is timed on every matrix."""

from __future__ import annotations

from typing import Any

from gpucore.bench.suite import Case
from gpucore.families.bipartite.bench.published import VARIANTS as PAPER_VARIANTS

#: Ends the labels of cases on a device that begin with the common matching.
COMMON_START = ", common start"


def _device(label: str, variant: str, **params: Any) -> Case:
    return Case(label, "bipartite", {"variant": variant, **params}, keep=("phase_levels",))


def _common(label: str, variant: str) -> Case:
    """Return a case that begins with the matching with which the processor's methods begin."""
    return _device(f"{label}{COMMON_START}", variant, initial="cheap_serial")


def _processor(label: str, runner: str) -> Case:
    return Case(label, runner, {"initial": "cheap"}, "cpu", separate=True)


#: With the cheap matching of a kernel: the whole time is that for which a user waits.
FAST = _device("fast (ours)", "fast")
PAPER = {variant: _device(variant, variant) for variant in PAPER_VARIANTS}
#: The paper's best, with which it makes all its comparisons.
BEST = PAPER["apfb_gpubfs_wr_ct"]
#: From the one initial matching of all methods, as in section 4 of the paper.
COMMON_FAST = _common("fast (ours)", "fast")
COMMON = {variant: _common(variant, variant) for variant in PAPER_VARIANTS}
COMMON_BEST = COMMON["apfb_gpubfs_wr_ct"]
HK = _processor("Hopcroft-Karp", "hopcroft_karp")
HKDW = _processor("HKDW", "hkdw")
PFP = _processor("PFP", "pothen_fan")
#: The session's limit rules, not the method's own.
SCIPY = Case("SciPy", "scipy_matching", {"time_limit": 1e6}, "cpu", optional=True, separate=True)

#: On the GPU; every run of its program reads the matrix again.
ECL_MM = Case("ECL-MM, same run", "ecl_mm", {}, "cpu", optional=True, runs=4)


def multicore(cores: int) -> list[Case]:
    """Return P-DBFS, P-PFP and P-HK on all cores, from the common initial matching.

    They run in the session's process, since nothing may run beside them.
    """
    methods = (
        ("P-DBFS", "disjoint_bfs_omp"),
        ("P-PFP", "pothen_fan_omp"),
        ("P-HK", "hopcroft_karp_omp"),
    )
    return [
        Case(label, runner, {"initial": "cheap", "threads": cores}, "cpu")
        for label, runner in methods
    ]


def recorded(case: Case, level: str, runs: int | None = None) -> Case:
    """Return a case that records; schedules differ, so its solutions are certified too."""
    params = {**case.params, "record": level}
    return Case(f"{case.label}, {level}", case.runner, params, runs=runs)


#: Each method on the device with its work counted; only two of them are timed so.
COUNTED = {
    case.key: recorded(case, "counters", None if case in (COMMON_FAST, COMMON_BEST) else 1)
    for case in (COMMON_FAST, *COMMON.values())
}


def initials(_cores: int) -> list[Case]:
    """Return fast and the paper's best with cheap matching, short lists first, and Karp-Sipser.

    Short lists first is what fast begins with anyway.
    """
    names = {"cheap": "cheap", "short_first": "short lists first", "karp_sipser": "Karp-Sipser"}
    others = [
        _device(f"{case.label}, {words}", case.params["variant"], initial=name)
        for case, usual in ((FAST, "short_first"), (BEST, "cheap"))
        for name, words in names.items()
        if name != usual
    ]
    return [FAST, BEST, *others]


def recordings(_cores: int) -> list[Case]:
    """Return fast and the paper's best without and with recording."""
    levels = ("counters", "events")
    return [c for case in (FAST, BEST) for c in (case, *(recorded(case, k) for k in levels))]
