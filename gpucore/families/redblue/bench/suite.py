"""Benchmarks of greedy red/blue matching: the experiments of the paper's section 4.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
Multicore-Challenge II, 2012.

Colours depend only on the seed and the vertex numbers, so both variants and the run on all threads
of the processor must find the same matching; a table shows whether they did. Algorithms 1 and 2
find others of about the same size; figure 5 compares their weights.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.bench.cases import recording
from gpucore.bench.suite import Case, Contest, Data, Experiment, Suite
from gpucore.families.matching.bench.suite import digest, least_bytes, prepare
from gpucore.families.redblue.bench import cases
from gpucore.families.redblue.bench.cases import (
    FAST,
    FAST_FIRST,
    FAST_RANDOM,
    FEW_PERMUTATIONS,
    MANY_EDGES,
    PAPER_FIRST,
    PERMUTATIONS,
    SERIAL,
    SUITOR,
)
from gpucore.families.redblue.bench.figure_numbers import (
    first_rounds,
    permuted_ratios,
    relative,
    round_charts,
    scaling,
)
from gpucore.families.redblue.bench.intensity import on_device
from gpucore.families.redblue.bench.tables import redblue_tables
from gpucore.problems.graph.benchmarks import SMALL, STANDARD

if TYPE_CHECKING:
    from gpucore.bench.papers.charts import Chart
    from gpucore.problems.graph.graph import Graph


def _facts(graph: Graph) -> dict[str, Any]:
    return {"least_bytes_random": least_bytes(graph) - 4 * len(graph.indices)}


def _skip(case: Case, facts: dict[str, Any]) -> str:
    if case.params.get("seed", 0) >= FEW_PERMUTATIONS and facts["edges"] > MANY_EDGES:
        return f"skipped: {FEW_PERMUTATIONS} permutations are enough for {facts['edges']:,} edges"
    return ""


def _rounds(data: Data) -> list[Chart]:
    title = "Matched vertices by round: {}".format
    ours = (FAST, FAST_RANDOM, FAST_FIRST)
    return [c for case in ours for c in round_charts(data, case, title(case.label), theory=True)]


def _sweeps(data: Data) -> list[Chart]:
    found = []
    for label, sweep in cases.sweeps().items():
        found += [*relative(data, sweep, f": {label}"), *first_rounds(data, sweep, label)]
    return found


SUITE = Suite(
    family="redblue",
    title="Greedy red/blue matching",
    graphs=STANDARD,
    small_graphs=SMALL,
    prepare=prepare,
    experiments=(
        Experiment(
            "contest",
            "Fast, the paper's variant, and methods on the processor",
            "ours; weighted matching, recording off",
            cases.contest,
            plot="bars",
        ),
        Experiment(
            "select",
            "Heaviest, any or first neighbour, MD5 or Philox",
            "ours; a thread for a vertex against live vertices balanced by degree. The first "
            "neighbour is that of a permuted graph, whose lists lie anywhere in memory",
            cases.selections,
            plot="bars",
        ),
        Experiment(
            "quality",
            "Beside algorithms 1 and 2 and Suitor",
            "ours; sizes and weights stand in the tables",
            lambda cores: [FAST, FAST_RANDOM, FAST_FIRST, SUITOR, *SERIAL],
            plot="bars",
        ),
        Experiment(
            "rounds",
            "Matched vertices by round",
            "figure 2 of the paper; the cross line is equation (2), for the first round on large "
            "random graphs",
            lambda cores: [FAST, FAST_RANDOM, FAST_FIRST],
            plot="none",
            charts=_rounds,
        ),
        Experiment(
            "probability",
            "Size, weight, time and the first round by the probability of blue",
            "figure 3 of the paper, the mean over the graphs instead of one matrix: on the left "
            "relative to the most of each graph, on the right the first round with equation (2), "
            "which is for random neighbours",
            lambda cores: [case for sweep in cases.sweeps().values() for case in sweep],
            plot="none",
            charts=_sweeps,
        ),
        Experiment(
            "numbering",
            "Vertices numbered as given, or at random",
            "ours; the paper permutes the vertices of every graph (section 4)",
            cases.numberings,
            plot="bars",
        ),
        Experiment(
            "threads",
            "Threads of the processor",
            "figure 4 of the paper: random matching by algorithm 3, relative to one thread",
            cases.threads,
            plot="none",
            charts=scaling,
        ),
        Experiment(
            "permutations",
            "Algorithm 3 by algorithms 1 and 2 over random permutations",
            "figure 5 of the paper: mean and one standard deviation over "
            f"{PERMUTATIONS} permutations ({FEW_PERMUTATIONS} on graphs of more than "
            f"{MANY_EDGES // 10**6} million edges). The device and all threads of the processor "
            "match a permuted graph, and find the same; algorithm 1 visits the vertices in a "
            "random order",
            cases.permutations,
            plot="none",
            charts=permuted_ratios,
        ),
        Experiment(
            "intensity",
            "Instructions per byte of proposing and responding",
            "the study of section 4 of the paper: instructions and bytes are counted on a grid "
            "like ecology1, and stand in a table; here are the times of the same selection",
            lambda cores: [PAPER_FIRST, FAST_FIRST],
            plot="bars",
        ),
        recording(cases.recording),
    ),
    contest=Contest(FAST.label, "contest", ("contest",), agree="nothing"),
    least_bytes=least_bytes,
    least_bytes_why=(
        "every adjacency entry read once (4 bytes neighbour, 4 bytes weight; random matching needs "
        "no weights), every row pointer read once (8 bytes), every mate written once (4 bytes)"
    ),
    digest=digest,
    facts=_facts,
    skip=_skip,
    on_device=on_device,
    tables=redblue_tables,
)
