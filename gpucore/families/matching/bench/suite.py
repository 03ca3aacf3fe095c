"""Benchmarks of half-approximate weighted matching: the experiments of paper I, section 5.

Paper I: Naim, Manne, Halappanavar, Tumeo, Langguth, Optimizing approximate weighted matching on
Nvidia Kepler K40, HiPC 2015.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from gpucore.bench.suite import Case, Contest, Experiment, Suite
from gpucore.families.matching.suitor import VARIANTS
from gpucore.problems.graph.benchmarks import SMALL, STANDARD

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph

#: The paper's four ways to place warps and waits.
PAPER_VARIANTS = tuple(variant.name for variant in VARIANTS if variant.name != "fast")
#: The paper compares algorithms at this point of the parameter space (section 5.2).
PAPER_POINT = {"threads_per_block": 128, "vertices_per_warp": 8}


#: Label of our variant, which is not in the paper.
OURS = "fast (ours)"


def _variants(_cores: int) -> list[Case]:
    return [
        Case(variant, "suitor", {"variant": variant, **PAPER_POINT}) for variant in PAPER_VARIANTS
    ]


def _variants_wider(_cores: int) -> list[Case]:
    wider = {"threads_per_block": 128, "vertices_per_warp": 32}
    return [Case(f"{v}, 32", "suitor", {"variant": v, **wider}) for v in PAPER_VARIANTS]


def _algorithms(_cores: int) -> list[Case]:
    return [
        Case(OURS, "suitor", {"variant": "fast"}),
        Case("nosync", "suitor", {"variant": "nosync", **PAPER_POINT}),
        Case("locally dominant", "ld"),
        Case("locally dominant, a warp a vertex", "ld", {"variant": "warp"}),
    ]


def _recording(_cores: int) -> list[Case]:
    kinds: dict[str, dict[str, Any]] = {
        "nosync": {"variant": "nosync", "threads_per_block": 128, "vertices_per_warp": 32},
        "fast": {"variant": "fast"},
    }
    levels: dict[str, dict[str, Any]] = {
        "off": {},
        "counters": {"record": "counters"},
        "events": {"record": "events"},
    }
    return [
        Case(f"{kind}, {level}", "suitor", {**params, **extra})
        for kind, params in kinds.items()
        for level, extra in levels.items()
    ]


def _blocks(_cores: int) -> list[Case]:
    return [
        Case(
            f"{threads} threads, {vertices} vertices",
            "suitor",
            {
                "variant": "nosync",
                "threads_per_block": threads,
                "vertices_per_warp": vertices,
            },
        )
        for threads in (128, 192, 256)
        for vertices in (1, 2, 4, 8, 16, 32, 64, 128, 256)
    ]


def _processor(cores: int) -> list[Case]:
    steps = [1 << i for i in range(cores.bit_length()) if 1 << i <= cores]
    if steps[-1] != cores:
        steps.append(cores)
    parallel = [
        Case(f"{title}, {count} thread{'s' * (count > 1)}", runner, {"threads": count}, "cpu")
        for runner, title in (("suitor_omp", "OMP-Suitor"), ("ld_omp", "OMP-LD"))
        for count in steps
    ]
    serial = [
        Case("greedy", "greedy", {}, "cpu"),
        Case("Suitor, serial", "suitor_serial", {}, "cpu"),
        Case("LD, serial", "ld_serial", {}, "cpu"),
        Case("NetworKit Suitor", "networkit_suitor", {}, "cpu", optional=True),
    ]
    return serial + parallel


def _least_bytes(graph: Graph) -> int:
    entries = len(graph.indices)
    return entries * 8 + (graph.num_vertices + 1) * 8 + graph.num_vertices * 4


def _digest(result: MatchingResult) -> str:
    return hashlib.sha256(result.mate.astype("<i4").tobytes()).hexdigest()[:16]


SUITE = Suite(
    family="matching",
    title="Half-approximate weighted matching",
    graphs=STANDARD,
    small_graphs=SMALL,
    experiments=(
        Experiment(
            "algorithms",
            "GPU-Suitor, GPU-LD and the fast variant",
            "the comparison of figures 2 and 3 of the paper, with our own variant added",
            _algorithms,
            plot="bars",
        ),
        Experiment(
            "variants",
            "Variants of GPU-Suitor (128 threads a block, 8 vertices a warp)",
            "figure 4 of the paper",
            _variants,
        ),
        Experiment(
            "variants32",
            "Variants of GPU-Suitor (128 threads a block, 32 vertices a warp)",
            "figure 4 of the paper, at the setting that suits today's cards",
            _variants_wider,
        ),
        Experiment(
            "recording",
            "What recording costs: off, counters, events",
            "ours; events are bounded by a buffer of 64 MiB, what does not fit is counted",
            _recording,
            plot="bars",
        ),
        Experiment(
            "blocks",
            "Threads per block and vertices per warp (nosync)",
            "figure 5 of the paper, which says that fewer than 8 vertices a warp are slower",
            _blocks,
        ),
        Experiment(
            "processor",
            "Methods on the processor beside the device",
            "the multicore methods of figures 2 and 3 of the paper, and peers",
            _processor,
            plot="bars",
        ),
    ),
    contest=Contest(OURS, "algorithms", ("variants", "variants32", "blocks")),
    least_bytes=_least_bytes,
    least_bytes_why=(
        "every adjacency entry read once (4 bytes neighbour, 4 bytes weight), every row pointer "
        "read once (8 bytes), every mate written once (4 bytes)"
    ),
    digest=_digest,
)
