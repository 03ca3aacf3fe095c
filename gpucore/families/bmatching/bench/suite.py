"""Benchmarks of half-approximate weighted b-matching, with b = 1, 3, 10 and half of the degree.

The lists, the two ways to treat displaced vertices and the values of b are those of Khan et al.,
"Efficient approximation algorithms for weighted b-matching", SIAM Journal on Scientific Computing
38(5), 2016. For each b there is one b-stable b-matching, which all methods but peers must find; a
table shows whether they did.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.bench.cases import LEVELS, digest_of, on_threads, recorded, recording, thread_counts
from gpucore.bench.suite import Case, Contest, Experiment, Suite
from gpucore.families.bmatching.bench.tables import OURS, PEER, bmatching_tables
from gpucore.families.bmatching.result import BMatchingResult
from gpucore.problems.graph.benchmarks import SMALL, STANDARD
from gpucore.result import from_pairs

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph

#: Every b with a name for experiments.
VALUES: dict[str, int | str] = {"b1": 1, "b3": 3, "b10": 10, "half": "degree/2"}
LISTS = ("unsorted", "partial", "sorted")
WORKERS = ("warp", "thread")


def _device(label: str, b: int | str, variant: str, **params: Any) -> Case:
    return Case(label, "bmatching", {"variant": variant, "b": b, **params})


def _fast(b: int | str) -> Case:
    return _device(OURS, b, "fast")


def _variants(b: int | str, _cores: int) -> list[Case]:
    """Return our variant and the two of b-Suitor, lists partially sorted, a warp a vertex."""
    paper = {"lists": "partial", "worker": "warp"}
    return [_fast(b), *(_device(v, b, v, **paper) for v in ("eager", "delayed"))]


def _lists(_cores: int) -> list[Case]:
    return [
        _device(f"{variant}, {lists}, {worker}", 3, variant, lists=lists, worker=worker)
        for variant in ("eager", "delayed")
        for lists in LISTS
        for worker in WORKERS
    ]


def _one_mate(_cores: int) -> list[Case]:
    return [_fast(1), Case("Suitor, fast (ours)", "suitor", {"variant": "fast"})]


def _serial(b: int | str) -> list[Case]:
    """Return the methods of one thread, which may take minutes."""
    return [
        Case("greedy", "bgreedy", {"b": b}, "cpu", separate=True),
        Case("b-Suitor, serial", "bsuitor_serial", {"b": b}, "cpu", separate=True),
        Case(PEER, "networkit_bsuitor", {"b": b}, "cpu", optional=True, separate=True),
    ]


def _beside(b: int | str, cores: int) -> list[Case]:
    """Return our variant, and the methods on the processor beside it."""
    return [_fast(b), *_serial(b), *_multicore(b, [cores])]


def _multicore(b: int | str, counts: list[int]) -> list[Case]:
    return [
        on_threads(variant, "bsuitor_omp", count, b=b, variant=variant)
        for variant in ("eager", "delayed")
        for count in counts
    ]


def _recording(_cores: int) -> list[Case]:
    fast = _device("fast", 3, "fast")
    return [recorded(fast, level) for level in ("off", *LEVELS)]


def _of_each_b() -> list[Experiment]:
    experiments = []
    for name, b in VALUES.items():
        experiments += [
            Experiment(
                name,
                f"Fast, eager and delayed, b = {b}",
                "ours; the two ways to treat displaced vertices are those of Khan et al.",
                partial(_variants, b),
                plot="bars",
            ),
            Experiment(
                f"processor_{name}",
                f"Methods on the processor beside the device, b = {b}",
                "ours; greedy, b-Suitor of Khan et al., and NetworKit's",
                partial(_beside, b),
                plot="bars",
            ),
        ]
    return experiments


def _least_bytes(graph: Graph) -> int:
    return len(graph.indices) * 8 + (graph.num_vertices + 1) * 16


def _digest(result: BMatchingResult | MatchingResult) -> str:
    """Return a digest of capacities and mates; a matching is a b-matching with b = 1."""
    if isinstance(result, BMatchingResult):
        arrays = (result.capacity, result.starts, result.mates)
    else:
        u = np.flatnonzero(result.mate > np.arange(result.mate.size))
        capacity = np.ones(result.mate.size, np.int32)
        arrays = (capacity, *from_pairs(result.mate.size, u, result.mate[u]))
    return digest_of(*arrays)


SUITE = Suite(
    family="bmatching",
    title="Half-approximate weighted b-matching",
    graphs=STANDARD,
    small_graphs=SMALL,
    experiments=(
        *_of_each_b(),
        Experiment(
            "one_mate",
            "One mate: b-matching beside Suitor",
            "ours; what the general method costs where the special one is enough",
            _one_mate,
            plot="bars",
        ),
        Experiment(
            "lists",
            "Lists of neighbours unsorted, partially sorted and sorted; a warp or a thread a "
            "vertex (b = 3)",
            "ours; partially sorted lists are those of Khan et al.",
            _lists,
        ),
        Experiment(
            "threads",
            "b-Suitor on the processor by the number of threads (b = 3)",
            "ours; Khan et al. measure the same on their machines",
            lambda cores: _multicore(3, thread_counts(cores)),
            plot="bars",
        ),
        recording(_recording, of=" (b = 3)"),
    ),
    # Each b has its own b-matching, so a table compares them instead.
    contest=Contest(OURS, "b3", ("b3", "lists"), agree="nothing"),
    least_bytes=_least_bytes,
    least_bytes_why=(
        "every adjacency entry read once (4 bytes neighbour, 4 bytes weight), every row pointer "
        "read once (8 bytes), the beginning of every list of mates written once (8 bytes)"
    ),
    digest=_digest,
    tables=bmatching_tables,
)
