"""The cases of the benchmarks of community detection: our variants and the methods of others."""

from __future__ import annotations

from typing import Any

from gpucore.bench.suite import Case

#: Thresholds of the paper's study: sweeps of large graphs, and of the rest.
T_BIN = tuple(10.0**-k for k in range(1, 5))
T_FINAL = tuple(10.0**-k for k in range(3, 8))

#: Rules are named in full, so that a measurement says which rule it had.
PAPER, OURS = {"rule": "paper"}, {"rule": "ours"}


def kernel(label: str, variant: str, **more: Any) -> Case:
    """Return a case of our kernels."""
    return Case(label, "louvain", {"variant": variant, **more}, keep=("stages",))


def multicore(label: str, **more: Any) -> Case:
    """Return a case of the multicore method, by default with a thread for each core."""
    return Case(label, "louvain_omp", more, "cpu", keep=("stages",))


def _serial(label: str, method: str, **more: Any) -> Case:
    return Case(label, method, more, "cpu", keep=("stages",), separate=True)


FAST = kernel("fast (ours)", "fast")
LEIDEN = kernel("Leiden (ours)", "leiden")
FAST_ABSOLUTE = kernel("fast, absolute thresholds", "fast", thresholds="absolute", counted="all")
BUCKETS = kernel("buckets", "buckets", **PAPER)
BUCKETS_OURS = kernel("buckets, our rule", "buckets", **OURS)
RELAXED = kernel("relaxed", "relaxed", **PAPER)
RELAXED_OURS = kernel("relaxed, our rule", "relaxed", **OURS)
NODE_CENTRED = kernel("node centred", "node_centred", **PAPER)
SEQUENTIAL = _serial("sequential", "louvain_serial")
SEQUENTIAL_LEIDEN = _serial("Leiden, sequential", "leiden_serial")
SEQUENTIAL_RELATIVE = _serial(
    "sequential, relative threshold", "louvain_serial", thresholds="relative"
)
ADAPTIVE = _serial("sequential, adaptive", "louvain_adaptive", thresholds="absolute", counted="all")
ADAPTIVE_RELATIVE = _serial(
    "sequential, adaptive, relative thresholds",
    "louvain_adaptive",
    thresholds="relative",
    counted="with_edges",
)

#: With a thread for each core.
MULTICORE = multicore("multicore")
BALANCED = multicore("multicore, balanced colours", colouring="balanced")
UNCOLOURED = multicore("multicore, no colours", colouring="none")
#: One stage of one sweep.
_ONE_SWEEP = {"max_sweeps": 1, "t_final": 1.0, "bin_vertices": 1 << 40}
BUCKETS_ONCE = kernel("buckets, one sweep", "buckets", **PAPER, **_ONE_SWEEP)
MULTICORE_ONCE = multicore("multicore, one sweep", follow=False, **_ONE_SWEEP)


def thresholds(variant: str, **more: Any) -> list[Case]:
    """Return a case for each pair of thresholds of the paper's study."""
    rule = f" ({more['rule']})" if more else ""
    return [
        Case(
            f"{variant}{rule}, t_bin {t_bin:.0e}, t_final {t_final:.0e}",
            "louvain",
            {"variant": variant, "t_bin": t_bin, "t_final": t_final, **more},
            study=True,
            line=f"{variant}{rule}, by thresholds",
        )
        for t_bin in T_BIN
        for t_final in T_FINAL
    ]


def _recorded(variant: str, level: str, **more: Any) -> Case:
    params = {"variant": variant, "record": level, **more}
    return Case(f"{variant}, {level}", "louvain", params, study=True)


#: The paper's kernels with their lanes counted.
COUNTED = _recorded("buckets", "counters", **PAPER)


def processor(cores: int) -> list[Case]:
    """Return methods on the processor, those of other libraries that are installed."""
    threads = {"threads": cores}
    return [
        SEQUENTIAL,
        ADAPTIVE,
        MULTICORE,
        BALANCED,
        UNCOLOURED,
        Case(f"NetworKit PLM, {cores} threads", "networkit_plm", threads, "cpu", optional=True),
        Case("igraph multilevel", "igraph_multilevel", {}, "cpu", optional=True, separate=True),
    ]


def recording(_cores: int) -> list[Case]:
    """Return two variants at every level of the record."""
    return [
        FAST,
        *(_recorded("fast", level) for level in ("counters", "events")),
        BUCKETS,
        *(_recorded("buckets", level, **PAPER) for level in ("counters", "events")),
    ]


def peers(cores: int) -> list[Case]:
    """Return our variant and the methods of others, those that are on this machine."""
    threads = {"threads": cores}
    return [
        FAST,
        _peer("ν-Louvain", "nu_louvain"),
        _peer(f"GVE-Louvain, {cores} threads", "gve_louvain", **threads),
        _peer(f"NetworKit PLM, {cores} threads", "networkit_plm", **threads),
        _peer("cuGraph Louvain", "cugraph_louvain"),
        _peer("cuGraph Leiden", "cugraph_leiden"),
    ]


def _peer(label: str, method: str, **params: Any) -> Case:
    return Case(f"{label}, same run", method, params, "cpu", optional=True, runs=4)
