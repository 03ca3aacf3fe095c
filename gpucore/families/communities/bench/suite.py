"""Benchmarks of community detection: the experiments of the Louvain paper's section V.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017.

Methods need not agree: where several moves gain the same, or vertices move at the same time, the
result depends on the order. Quality is modularity; the summary shows the lowest of our method's
runs, and independent code checks every result. The variants of the paper compute with integers and
repeat their solution from run to run, which the results note.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.bench.suite import Contest, Experiment, Suite
from gpucore.families.communities.bench.cases import (
    ADAPTIVE,
    ADAPTIVE_RELATIVE,
    BUCKETS,
    BUCKETS_ONCE,
    BUCKETS_OURS,
    FAST,
    FAST_ABSOLUTE,
    LEIDEN,
    MULTICORE,
    MULTICORE_ONCE,
    NODE_CENTRED,
    OURS,
    PAPER,
    RELAXED,
    RELAXED_OURS,
    SEQUENTIAL,
    SEQUENTIAL_LEIDEN,
    SEQUENTIAL_RELATIVE,
    peers,
    processor,
    recording,
    thresholds,
)
from gpucore.families.communities.certificate import MODULARITY_TOLERANCE
from gpucore.families.communities.modularity import adjacency, modularity
from gpucore.problems.graph.benchmarks import SMALL, STANDARD

if TYPE_CHECKING:
    from collections.abc import Callable

    from gpucore.bench.suite import Case
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph


def _least_bytes(graph: Graph) -> int:
    return len(graph.indices) * 8 + (graph.num_vertices + 1) * 8 + graph.num_vertices * 8


def _facts(graph: Graph) -> dict[str, Any]:
    return {"gather_bytes": len(graph.indices) * 4, "graph_bytes": graph.nbytes}


def _digest(result: CommunityResult) -> str:
    """Return a digest of the partition: each community is named by its first vertex."""
    community = result.community
    first = np.zeros(result.num_communities, "<i4")
    # NumPy keeps the last of several values for one place, so vertices are taken in reverse.
    first[community[::-1]] = np.arange(community.size, dtype="<i4")[::-1]
    return hashlib.sha256(first[community].tobytes()).hexdigest()[:16]


def _recheck(graph: Graph, result: CommunityResult) -> bool:
    """Compute the modularity again in double precision, edge by edge, from the graph itself."""
    community = result.community.astype(np.int64)
    if community.shape != (graph.num_vertices,) or (community < 0).any():
        return False
    resolution = float(result.params.get("resolution", 1.0))
    found = modularity(adjacency(graph), community, resolution)
    return abs(found - result.modularity) <= MODULARITY_TOLERANCE


def _by_thresholds(
    prefix: str, which: str, quality: str, speed: str, cases: Callable[[int], list[Case]]
) -> tuple[Experiment, Experiment]:
    """Return the experiments of figures 1 and 2; `quality` and `speed` say how they differ."""
    common: dict[str, Any] = {"cases": cases, "axes": ("t_final", "t_bin")}
    return (
        Experiment(
            f"{prefix}thresholds",
            f"Modularity by thresholds ({which})",
            f"figure 1 of the paper{quality}",
            plot="grid-quality",
            baseline=SEQUENTIAL,
            **common,
        ),
        Experiment(
            f"{prefix}threshold_speed",
            f"Speed by thresholds ({which})",
            f"figure 2 of the paper{speed}",
            plot="grid-speed",
            **common,
        ),
    )


def _over(
    name: str, which: str, figure: str, absolute: Case, relative: Case
) -> tuple[Experiment, Experiment]:
    """Return the experiments that compare with a method, by the paper's rule and by ours."""
    title = f"Speed-up over the {which} method"
    return (
        Experiment(
            name,
            title,
            f"{figure} of the paper: absolute thresholds everywhere; our own variant added",
            lambda cores: [BUCKETS, FAST_ABSOLUTE, absolute],
            plot="speed-up",
            baseline=absolute,
        ),
        Experiment(
            f"{name}_relative",
            f"{title} (relative thresholds)",
            f"{figure} of the paper, with our rule: relative thresholds everywhere",
            lambda cores: [FAST, BUCKETS_OURS, relative],
            plot="speed-up",
            baseline=relative,
        ),
    )


SUITE = Suite(
    family="communities",
    title="Communities by the Louvain method",
    graphs=STANDARD,
    small_graphs=SMALL,
    experiments=(
        Experiment(
            "contest",
            "Variants on the device, and other libraries",
            "ours; other libraries' times are published ones, see the file of peers",
            lambda cores: [FAST, BUCKETS, RELAXED],
            plot="bars",
            all_peers=True,
        ),
        Experiment(
            "leiden",
            "Louvain and Leiden",
            "ours: what connected communities cost, and their modularity",
            lambda cores: [FAST, LEIDEN, SEQUENTIAL, SEQUENTIAL_LEIDEN],
            plot="bars",
        ),
        Experiment(
            "node_centred",
            "A thread for a vertex, or lanes by its degree",
            "the methods before the paper, section III, against its buckets",
            lambda cores: [BUCKETS, NODE_CENTRED],
            plot="speed-up",
            baseline=NODE_CENTRED,
        ),
        Experiment(
            "relaxed",
            "Communities updated after every bucket, or once a sweep",
            'the "relaxed" approach of section V',
            lambda cores: [BUCKETS, RELAXED],
            plot="speed-up",
            baseline=RELAXED,
        ),
        Experiment(
            "rules",
            "The paper's rule and ours, which undoes sweeps that lose modularity",
            "ours: both rules for the same kernels",
            lambda cores: [BUCKETS, BUCKETS_OURS, RELAXED, RELAXED_OURS],
            plot="bars",
        ),
        *_by_thresholds(
            "",
            "buckets",
            ": relative to the sequential method if that was measured on all graphs, otherwise to "
            "the best thresholds; t_bin is for over 100,000 vertices",
            ": best time of a graph by its time, mean over the graphs",
            lambda cores: thresholds("buckets", **PAPER),
        ),
        *_by_thresholds(
            "our_",
            "buckets, our rule",
            *2 * (", for our rule, whose thresholds are relative",),
            lambda cores: thresholds("buckets", **OURS),
        ),
        *_by_thresholds(
            "fast_",
            "fast",
            *2 * (", for our variant, whose thresholds are relative",),
            lambda cores: thresholds("fast"),
        ),
        Experiment(
            "time_quality",
            "Modularity by time",
            "ours: every variant and every pair of thresholds; a line joins the settings of a "
            "variant that none of its others beats",
            lambda cores: [
                FAST,
                BUCKETS,
                RELAXED,
                NODE_CENTRED,
                SEQUENTIAL,
                ADAPTIVE,
                *thresholds("fast"),
                *thresholds("buckets", **PAPER),
                *thresholds("buckets", **OURS),
            ],
            plot="time-quality",
            all_peers=True,
        ),
        *_over("sequential", "sequential", "figure 3", SEQUENTIAL, SEQUENTIAL_RELATIVE),
        *_over("adaptive", "adaptive sequential", "figure 4", ADAPTIVE, ADAPTIVE_RELATIVE),
        Experiment(
            "multicore",
            "Speed-up over the multicore method",
            "figure 7 of the paper: Lu, Halappanavar and Kalyanaraman's method, the same absolute "
            "thresholds; our own variant added",
            lambda cores: [BUCKETS, FAST_ABSOLUTE, MULTICORE],
            plot="speed-up",
            baseline=MULTICORE,
        ),
        Experiment(
            "first_sweep",
            "One sweep and one contraction, on the device and on all cores",
            "section V of the paper: in the first sweep both hash all edges twice; the stages kept "
            "with each measurement have its time alone, first_sweep_seconds",
            lambda cores: [BUCKETS_ONCE, MULTICORE_ONCE],
            plot="bars",
        ),
        Experiment(
            "stages",
            "Time of the stages (buckets)",
            "figures 5 and 6 of the paper",
            lambda cores: [BUCKETS],
            plot="stages",
        ),
        Experiment(
            "fast_stages",
            "Time of the stages (fast)",
            "figures 5 and 6 of the paper, for our variant",
            lambda cores: [FAST],
            plot="stages",
        ),
        Experiment(
            "peers",
            "Methods of others on the same machine, in the same run",
            "ours: ν-Louvain and cuGraph run on the GPU; what is not on the machine is left out",
            peers,
            plot="bars",
        ),
        Experiment(
            "recording",
            "What recording costs: off, counters, events",
            "ours; events are bounded by a buffer of 64 MiB, what does not fit is counted",
            recording,
            plot="bars",
        ),
        Experiment(
            "processor",
            "Methods on the processor beside the device",
            "the sequential methods of section V, and peers",
            processor,
            plot="bars",
        ),
    ),
    contest=Contest(FAST.label, "contest", ("contest",), agree="nothing"),
    least_bytes=_least_bytes,
    least_bytes_why=(
        "one sweep: every adjacency entry read once (4 bytes neighbour, 4 bytes weight), every row "
        "pointer read once (8 bytes), every community read and written once (4 bytes each); the "
        "4 bytes an entry that are gathered at random (the neighbours' communities) are not in it"
    ),
    digest=_digest,
    quality_format="{:.5f}",
    recheck=_recheck,
    facts=_facts,
)
