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

from gpucore.bench.suite import Case, Contest, Experiment, Suite
from gpucore.families.communities.certificate import MODULARITY_TOLERANCE
from gpucore.families.communities.modularity import adjacency, modularity
from gpucore.problems.graph.benchmarks import SMALL, STANDARD
from gpucore.problems.graph.prepare import for_communities

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult
    from gpucore.problems.graph.graph import Graph

#: Thresholds of the paper's study: sweeps of large graphs, and of the rest.
T_BIN = tuple(10.0**-k for k in range(1, 5))
T_FINAL = tuple(10.0**-k for k in range(3, 8))

#: Rules are named in full, so that a measurement says which rule it had.
PAPER, OURS = {"rule": "paper"}, {"rule": "ours"}


def _kernel(label: str, variant: str, **more: Any) -> Case:
    return Case(label, "louvain", {"variant": variant, **more}, keep=("stages",))


def _multicore(label: str, **more: Any) -> Case:
    return Case(label, "louvain_omp", more, "cpu", keep=("stages",))


def _serial(label: str, method: str, **more: Any) -> Case:
    return Case(label, method, more, "cpu", keep=("stages",), separate=True)


FAST = _kernel("fast (ours)", "fast")
LEIDEN = _kernel("Leiden (ours)", "leiden")
FAST_ABSOLUTE = _kernel("fast, absolute thresholds", "fast", thresholds="absolute", counted="all")
BUCKETS = _kernel("buckets", "buckets", **PAPER)
BUCKETS_OURS = _kernel("buckets, our rule", "buckets", **OURS)
RELAXED = _kernel("relaxed", "relaxed", **PAPER)
RELAXED_OURS = _kernel("relaxed, our rule", "relaxed", **OURS)
NODE_CENTRED = _kernel("node centred", "node_centred", **PAPER)
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
MULTICORE = _multicore("multicore")
BALANCED = _multicore("multicore, balanced colours", colouring="balanced")
UNCOLOURED = _multicore("multicore, no colours", colouring="none")
#: One stage of one sweep.
ONE_SWEEP = {"max_sweeps": 1, "t_final": 1.0, "bin_vertices": 1 << 40}


def _thresholds(variant: str, **more: Any) -> list[Case]:
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


def _processor(cores: int) -> list[Case]:
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


def _recording(_cores: int) -> list[Case]:
    return [
        FAST,
        *(_recorded("fast", level) for level in ("counters", "events")),
        BUCKETS,
        *(_recorded("buckets", level, **PAPER) for level in ("counters", "events")),
    ]


def _peers(cores: int) -> list[Case]:
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


SUITE = Suite(
    family="communities",
    title="Communities by the Louvain method",
    graphs=STANDARD,
    small_graphs=SMALL,
    prepare=for_communities,
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
        Experiment(
            "thresholds",
            "Modularity by thresholds (buckets)",
            "figure 1 of the paper: relative to the sequential method if that was measured on all "
            "graphs, otherwise to the best thresholds; t_bin is for over 100,000 vertices",
            lambda cores: _thresholds("buckets", **PAPER),
            plot="grid-quality",
            baseline=SEQUENTIAL,
            axes=("t_final", "t_bin"),
        ),
        Experiment(
            "threshold_speed",
            "Speed by thresholds (buckets)",
            "figure 2 of the paper: best time of a graph by its time, mean over the graphs",
            lambda cores: _thresholds("buckets", **PAPER),
            plot="grid-speed",
            axes=("t_final", "t_bin"),
        ),
        Experiment(
            "our_thresholds",
            "Modularity by thresholds (buckets, our rule)",
            "figure 1 of the paper, for our rule, whose thresholds are relative",
            lambda cores: _thresholds("buckets", **OURS),
            plot="grid-quality",
            baseline=SEQUENTIAL,
            axes=("t_final", "t_bin"),
        ),
        Experiment(
            "our_threshold_speed",
            "Speed by thresholds (buckets, our rule)",
            "figure 2 of the paper, for our rule, whose thresholds are relative",
            lambda cores: _thresholds("buckets", **OURS),
            plot="grid-speed",
            axes=("t_final", "t_bin"),
        ),
        Experiment(
            "fast_thresholds",
            "Modularity by thresholds (fast)",
            "figure 1 of the paper, for our variant, whose thresholds are relative",
            lambda cores: _thresholds("fast"),
            plot="grid-quality",
            baseline=SEQUENTIAL,
            axes=("t_final", "t_bin"),
        ),
        Experiment(
            "fast_threshold_speed",
            "Speed by thresholds (fast)",
            "figure 2 of the paper, for our variant, whose thresholds are relative",
            lambda cores: _thresholds("fast"),
            plot="grid-speed",
            axes=("t_final", "t_bin"),
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
                *_thresholds("fast"),
                *_thresholds("buckets", **PAPER),
                *_thresholds("buckets", **OURS),
            ],
            plot="time-quality",
            all_peers=True,
        ),
        Experiment(
            "sequential",
            "Speed-up over the sequential method",
            "figure 3 of the paper: absolute thresholds everywhere; our own variant added",
            lambda cores: [BUCKETS, FAST_ABSOLUTE, SEQUENTIAL],
            plot="speed-up",
            baseline=SEQUENTIAL,
        ),
        Experiment(
            "sequential_relative",
            "Speed-up over the sequential method (relative thresholds)",
            "figure 3 of the paper, with our rule: relative thresholds everywhere",
            lambda cores: [FAST, BUCKETS_OURS, SEQUENTIAL_RELATIVE],
            plot="speed-up",
            baseline=SEQUENTIAL_RELATIVE,
        ),
        Experiment(
            "adaptive",
            "Speed-up over the adaptive sequential method",
            "figure 4 of the paper: absolute thresholds everywhere; our own variant added",
            lambda cores: [BUCKETS, FAST_ABSOLUTE, ADAPTIVE],
            plot="speed-up",
            baseline=ADAPTIVE,
        ),
        Experiment(
            "adaptive_relative",
            "Speed-up over the adaptive sequential method (relative thresholds)",
            "figure 4 of the paper, with our rule: relative thresholds everywhere",
            lambda cores: [FAST, BUCKETS_OURS, ADAPTIVE_RELATIVE],
            plot="speed-up",
            baseline=ADAPTIVE_RELATIVE,
        ),
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
            lambda cores: [
                _kernel("buckets, one sweep", "buckets", **PAPER, **ONE_SWEEP),
                _multicore("multicore, one sweep", follow=False, **ONE_SWEEP),
            ],
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
            _peers,
            plot="bars",
        ),
        Experiment(
            "recording",
            "What recording costs: off, counters, events",
            "ours; events are bounded by a buffer of 64 MiB, what does not fit is counted",
            _recording,
            plot="bars",
        ),
        Experiment(
            "processor",
            "Methods on the processor beside the device",
            "the sequential methods of section V, and peers",
            _processor,
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
    quality="modularity",
    digest=_digest,
    quality_format="{:.5f}",
    recheck=_recheck,
    facts=_facts,
)
