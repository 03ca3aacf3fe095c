"""Benchmarks of bipartite matching: the experiments of the paper's section 4.

Source: Deveci, Kaya, Uçar, Çatalyürek, "GPU accelerated maximum cardinality matching algorithms for
bipartite graphs", Euro-Par 2013.

All methods must find the same cardinality, not the same matching. As in the paper, table 1 and
figures 2 to 5 compare methods by the time after one common initial matching: the cheap matching of
the processor, which is the same for every method and every run ("cheap_serial" on a device).
SciPy and NetworkX cannot begin with a matching, so they begin with nothing, and their whole time
counts. The summary and the contest show the whole time, for which a user waits; there the kernels
compute a cheap matching of their own.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.bench.suite import Contest, Experiment, Suite
from gpucore.datasets.remote import is_remote
from gpucore.families.bipartite.bench.cases import (
    BEST,
    COMMON,
    COMMON_BEST,
    COMMON_FAST,
    COUNTED,
    ECL_MM,
    FAST,
    HK,
    HKDW,
    PAPER,
    PFP,
    SCIPY,
    initials,
    multicore,
    recordings,
)
from gpucore.families.bipartite.bench.tables import bipartite_tables
from gpucore.families.bipartite.initial_matching import are_entries
from gpucore.problems.bipartite.benchmarks import (
    CARDINALITY,
    SMALL,
    STANDARD,
    original,
    permuted,
    sets,
)
from gpucore.problems.bipartite.graph import BipartiteGraph

if TYPE_CHECKING:
    from gpucore.families.bipartite.result import BipartiteResult
    from gpucore.problems.graph.graph import Graph


def _least_bytes(graph: Graph) -> int:
    entries, vertices = len(graph.indices) // 2, graph.num_vertices
    columns = vertices - _matrix(graph).num_rows
    return entries * 4 + (columns + 1) * 8 + vertices * 8


def _matrix(graph: Graph) -> BipartiteGraph:

    assert isinstance(graph, BipartiteGraph)
    return graph


def _facts(graph: Graph) -> dict[str, Any]:
    matrix = _matrix(graph)
    facts: dict[str, Any] = {
        "rows": matrix.num_rows,
        "columns": matrix.num_columns,
        "sets": sets(graph.name),
    }
    if (published := CARDINALITY.get(original(graph.name))) is not None:
        facts["expected"] = published
    return facts


def _load(name: str) -> Graph:
    """Load a matrix; one of a collection with "_perm" behind its name is permuted."""
    from gpucore.problems.bipartite.load import load_bipartite

    if not is_remote(original(name)) or name == original(name):
        return load_bipartite(name)
    matrix = load_bipartite(original(name))
    entries = permuted(*matrix.entries(), matrix.shape)
    return BipartiteGraph.from_entries(*entries, matrix.shape, name=name)


def _digest(result: BipartiteResult) -> str:
    return hashlib.sha256(result.row_match.astype("<i4").tobytes()).hexdigest()[:16]


def _valid(graph: Graph, result: BipartiteResult) -> bool:
    """Return True if the result is a matching of the graph with as many pairs as it says."""
    matrix = _matrix(graph)
    matches = ((result.row_match, matrix.num_rows), (result.column_match, matrix.num_columns))
    for (match, size), (_, others) in zip(matches, matches[::-1], strict=True):
        if match.shape != (size,) or (size and not -1 <= match.min() <= match.max() < others):
            return False
    rows = np.flatnonzero(result.row_match >= 0)
    columns = result.row_match[rows]
    return (
        len(rows) == int((result.column_match >= 0).sum()) == result.cardinality
        and bool((result.column_match[columns] == rows).all())
        and bool(are_entries(matrix, rows, columns).all())
    )


SUITE = Suite(
    family="bipartite",
    title="Maximum cardinality matching of bipartite graphs",
    graphs=STANDARD,
    small_graphs=SMALL,
    experiments=(
        Experiment(
            "contest",
            "Fast, the paper's best variant, and methods on the processor: the whole time",
            "ours; the whole time, initial matching included. SciPy starts from nothing",
            lambda cores: [FAST, BEST, *multicore(cores), HK, HKDW, PFP, SCIPY],
            plot="bars",
            all_peers=True,
        ),
        Experiment(
            "whole",
            "The paper's eight variants: the whole time",
            "ours; each after the cheap matching of a kernel, which counts",
            lambda cores: list(PAPER.values()),
            by_set=True,
        ),
        Experiment(
            "variants",
            "The paper's eight variants after one common initial matching",
            "table 1 of the paper, whose numbers stand in a table above, drawn as performance "
            "profiles; uniform matrices belong to both sets",
            lambda cores: list(COMMON.values()),
            clock="after",
            by_set=True,
        ),
        Experiment(
            "levels",
            "Levels of every phase",
            "figure 2 of the paper, on the two graphs on which APsB-GPUBFS-WR needs the most and "
            "the fewest levels in all, compared with APFB-GPUBFS-WR; from one initial matching",
            lambda cores: [
                COMMON_BEST,
                COMMON["apfb_gpubfs_ct"],
                COMMON_FAST,
                COMMON["apsb_gpubfs_ct"],
                COMMON["apsb_gpubfs_wr_ct"],
            ],
            plot="levels",
        ),
        Experiment(
            "speed_up_profiles",
            "Speed-up profiles",
            "figure 3 of the paper: over the faster one of PFP and Hopcroft-Karp, graph by graph, "
            "after one common initial matching; multicore methods on all cores",
            lambda cores: [COMMON_FAST, COMMON_BEST, *multicore(cores), PFP, HK],
            plot="speed-up profile",
            references=(PFP, HK),
            clock="after",
            by_set=True,
        ),
        Experiment(
            "profiles",
            "Performance profiles of GPU and multicore methods",
            "figure 4 of the paper, after one common initial matching; multicore methods on all "
            "cores",
            lambda cores: [COMMON_FAST, COMMON_BEST, *multicore(cores)],
            clock="after",
            by_set=True,
        ),
        Experiment(
            "all_profiles",
            "Performance profiles of all methods",
            "ours: figure 4 with the sequential methods and SciPy, which begins with nothing and "
            "whose whole time counts",
            lambda cores: [
                *(COMMON_FAST, COMMON_BEST, *multicore(cores)),
                *(HKDW, PFP, HK, SCIPY),
            ],
            clock="after",
            by_set=True,
        ),
        Experiment(
            "overall",
            "Overall speed-up over PFP and Hopcroft-Karp",
            "figure 5 of the paper: geometric means over the graphs that both finished, after one "
            "common initial matching",
            lambda cores: [COMMON_FAST, COMMON_BEST, PFP, HK],
            plot="overall speed-up",
            references=(PFP, HK),
            clock="after",
        ),
        Experiment(
            "hardest",
            "The hardest twenty matrices",
            "table 2 of the paper, a table above: the actual times after one common initial "
            "matching; a matrix is as hard as the slower one of PFP and Hopcroft-Karp is slow",
            lambda cores: [COMMON_FAST, COMMON_BEST, *multicore(cores), PFP, HK],
            plot="none",
            clock="after",
        ),
        Experiment(
            "initial",
            "Cheap matching or Karp-Sipser to begin with: the whole time",
            "ours",
            initials,
            plot="bars",
        ),
        Experiment(
            "work",
            "Phases, levels, launches and entries visited",
            "ours; every variant once more with its work counted, from one initial matching",
            lambda cores: [COMMON_FAST, *COMMON.values(), *COUNTED.values()],
            plot="none",
        ),
        Experiment(
            "peers",
            "ECL-MM on the same machine, in the same run: the whole time",
            "ours: IPDPS 2025, the fastest published method; left out where it is not built",
            lambda cores: [FAST, ECL_MM],
            plot="bars",
        ),
        Experiment(
            "recording",
            "What recording costs: off, counters, events",
            "ours; events are bounded by a buffer of 64 MiB, what does not fit is counted",
            recordings,
            plot="bars",
        ),
        Experiment(
            "processor",
            "Methods on the processor beside the device: the whole time",
            "the sequential and the multicore methods of section 4, and SciPy",
            lambda cores: [*multicore(cores), HK, HKDW, PFP, SCIPY],
            plot="bars",
        ),
    ),
    contest=Contest(
        FAST.label,
        "contest",
        ("whole", "variants"),
        agree="quality",
        rivals_name="the best of the paper's variants",
    ),
    least_bytes=_least_bytes,
    least_bytes_why=(
        "every entry read once (4 bytes), every column pointer read once (8 bytes), the mate of "
        "every row and column read and written once (8 bytes)"
    ),
    quality_format="{:.0f}",
    digest=_digest,
    valid=_valid,
    facts=_facts,
    load=_load,
    before="initial_seconds",
    before_why="after its initial matching",
    tables=lambda data: bipartite_tables(data, [COMMON_FAST, *COMMON.values()], COUNTED),
)
