"""Benchmarks of half-approximate weighted matching: the experiments of paper I, section 5.

Paper I: Naim, Manne, Halappanavar, Tumeo, Langguth, Optimizing approximate weighted matching on
Nvidia Kepler K40, HiPC 2015.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpucore.bench.cases import LEVELS, digest_of, on_threads, recorded, recording, thread_counts
from gpucore.bench.suite import Case, Contest, Experiment, Suite
from gpucore.families.matching.suitor import VARIANTS
from gpucore.problems.graph.benchmarks import SMALL, STANDARD
from gpucore.problems.graph.prepare import for_matching

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph

#: The paper's four ways to place warps and waits.
PAPER_VARIANTS = tuple(variant.name for variant in VARIANTS if variant.name != "fast")
#: The paper compares algorithms at this point of the parameter space (section 5.2).
PAPER_POINT = {"threads_per_block": 128, "vertices_per_warp": 8}
#: What suits today's cards.
WIDER = {"threads_per_block": 128, "vertices_per_warp": 32}

#: Label of our variant, which is not in the paper.
OURS = "fast (ours)"


def _variants(_cores: int) -> list[Case]:
    return [
        Case(variant, "suitor", {"variant": variant, **PAPER_POINT}) for variant in PAPER_VARIANTS
    ]


def _variants_wider(_cores: int) -> list[Case]:
    return [Case(f"{v}, 32", "suitor", {"variant": v, **WIDER}) for v in PAPER_VARIANTS]


def _algorithms(_cores: int) -> list[Case]:
    return [
        Case(OURS, "suitor", {"variant": "fast"}),
        Case("nosync", "suitor", {"variant": "nosync", **PAPER_POINT}),
        Case("locally dominant", "ld"),
        Case("locally dominant, a warp a vertex", "ld", {"variant": "warp"}),
    ]


def _recording(_cores: int) -> list[Case]:
    cases = [
        Case("nosync", "suitor", {"variant": "nosync", **WIDER}),
        Case("fast", "suitor", {"variant": "fast"}),
    ]
    return [recorded(case, level) for case in cases for level in ("off", *LEVELS)]


def point(threads: int, vertices: int) -> Case:
    """Return the paper's best variant at a point of its parameter space."""
    params = {"threads_per_block": threads, "vertices_per_warp": vertices}
    label = f"{threads} threads, {vertices} vertices"
    return Case(label, "suitor", {"variant": "nosync", **params})


def _blocks(_cores: int) -> list[Case]:
    return [
        point(threads, vertices)
        for threads in (128, 192, 256)
        for vertices in (1, 2, 4, 8, 16, 32, 64, 128, 256)
    ]


def _processor(cores: int) -> list[Case]:
    parallel = [
        on_threads(title, runner, count)
        for runner, title in (("suitor_omp", "OMP-Suitor"), ("ld_omp", "OMP-LD"))
        for count in thread_counts(cores)
    ]
    serial = [
        Case("greedy", "greedy", {}, "cpu"),
        Case("Suitor, serial", "suitor_serial", {}, "cpu"),
        Case("LD, serial", "ld_serial", {}, "cpu"),
        Case("NetworKit Suitor", "networkit_suitor", {}, "cpu", optional=True),
    ]
    return serial + parallel


def least_bytes(graph: Graph) -> int:
    """Return the bytes of a graph read once, and of the mates written once."""
    entries = len(graph.indices)
    return entries * 8 + (graph.num_vertices + 1) * 8 + graph.num_vertices * 4


def prepare(graph: Graph) -> Graph:
    """Prepare a graph as the papers prepare matrices: negative weights count by their size."""
    return for_matching(graph, weights="absolute")


def digest(result: MatchingResult) -> str:
    """Return a digest of a matching."""
    return digest_of(result.mate)


SUITE = Suite(
    family="matching",
    title="Half-approximate weighted matching",
    graphs=STANDARD,
    small_graphs=SMALL,
    prepare=prepare,
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
        recording(_recording),
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
    least_bytes=least_bytes,
    least_bytes_why=(
        "every adjacency entry read once (4 bytes neighbour, 4 bytes weight), every row pointer "
        "read once (8 bytes), every mate written once (4 bytes)"
    ),
    digest=digest,
)
