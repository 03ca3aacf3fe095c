"""Benchmarks of greedy red/blue matching: the experiments of the paper's section 4.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
Multicore-Challenge II, 2012.

Colours depend only on the seed and the vertex numbers, so both variants and the run on all threads
of the processor must find the same matching; a table shows whether they did. Algorithms 1 and 2
find others of about the same size; figure 5 compares their weights.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

from gpucore.bench.suite import Case, Contest, Experiment, Suite
from gpucore.families.redblue.bench.intensity import on_device
from gpucore.families.redblue.bench.plots import redblue_plots
from gpucore.families.redblue.bench.tables import redblue_tables
from gpucore.families.redblue.colours import BEST_P
from gpucore.problems.graph.benchmarks import SMALL, STANDARD

if TYPE_CHECKING:
    from gpucore.families.matching.result import MatchingResult
    from gpucore.problems.graph.graph import Graph

#: Figures kept with the measurement: vertices matched, and vertices that die, in every round.
ROUNDS = ("matched", "dead")
#: The paper's best probability, and smaller and larger ones.
PROBABILITIES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, BEST_P, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95)
#: Random permutations of the vertices, as in the paper; and on graphs of more edges than that,
#: where results hardly differ from one to the next.
PERMUTATIONS = 32
FEW_PERMUTATIONS, MANY_EDGES = 8, 20_000_000


def _device(
    label: str,
    variant: str = "fast",
    select: str = "weighted",
    runs: int | None = None,
    **params: Any,
) -> Case:
    settings = {"variant": variant, "select": select, **params}
    return Case(label, "redblue", settings, keep=ROUNDS, runs=runs)


def _algorithm_1(label: str, select: str, seed: int = 0, **options: Any) -> Case:
    params = {"select": select, "seed": seed}
    return Case(label, "greedy_random", params, "cpu", separate=True, **options)


def _multicore(cores: int, select: str = "random") -> Case:
    label = f"multicore, {select}, {cores} thread{'s' * (cores > 1)}"
    return Case(label, "redblue_omp", {"threads": cores, "select": select}, "cpu", keep=ROUNDS)


FAST = _device("fast (ours)")
PAPER = _device("paper", "paper")
FAST_RANDOM = _device("fast, random", select="random")
PAPER_RANDOM = _device("paper, random", "paper", "random")
#: The paper's rule, on permuted vertices; the graph is renumbered once, before the timed run.
FAST_FIRST = _device("fast, first, permuted", select="first", permute=True)
PAPER_FIRST = _device("paper, first, permuted", "paper", "first", permute=True)
SUITOR = Case("Suitor, fast (ours)", "suitor", {"variant": "fast"})
RANDOM_1 = _algorithm_1("algorithm 1, random", "random")
FIRST_1 = Case(
    "algorithm 1, first, permuted",
    "greedy_random",
    {"select": "first", "permute": True},
    "cpu",
    separate=True,
)
WEIGHTED_1 = _algorithm_1("algorithm 1, heaviest", "weighted")
WEIGHTED_2 = Case("algorithm 2", "greedy_weighted", {}, "cpu", separate=True)
SERIAL = (RANDOM_1, FIRST_1, WEIGHTED_1, WEIGHTED_2)


def _contest(cores: int) -> list[Case]:
    return [FAST, PAPER, _multicore(cores, "weighted"), WEIGHTED_1, WEIGHTED_2]


def _selections(_cores: int) -> list[Case]:
    philox = [
        _device(f"{case.label}, Philox", **case.params, generator="philox")
        for case in (FAST, PAPER)
    ]
    return [FAST, PAPER, FAST_RANDOM, PAPER_RANDOM, *philox, FAST_FIRST, PAPER_FIRST]


def _numberings(_cores: int) -> list[Case]:
    """Return both variants with both numberings; the permuted ones together, renumbered once."""
    first = [_device(f"{v}, first", v, "first") for v in ("fast", "paper")]
    given = [FAST, PAPER, FAST_RANDOM, PAPER_RANDOM, *first]
    return given + [_device(f"{c.label}, permuted", **c.params, permute=True) for c in given]


def _probabilities(_cores: int) -> list[Case]:
    """Return all probabilities for the heaviest, any, and the paper's random neighbour."""
    selections: dict[str, dict[str, Any]] = {
        "heaviest": {"select": "weighted"},
        "any": {"select": "random"},
        "first, permuted": {"select": "first", "permute": True},
    }
    return [
        Case(
            f"{label}, p = {p:g}",
            "redblue",
            {"variant": "fast", **select, "p": p},
            study=True,
            keep=ROUNDS,
            runs=3,
        )
        for label, select in selections.items()
        for p in PROBABILITIES
    ]


def _threads(cores: int) -> list[Case]:
    steps = [1 << i for i in range(cores.bit_length()) if 1 << i <= cores]
    return [_multicore(count) for count in dict.fromkeys([*steps, cores])]


def _permutations(cores: int) -> list[Case]:
    """Return algorithm 3 and algorithm 1 with every seed, and algorithm 2, which has none.

    Algorithm 3 runs on the device and on all threads of the processor, on the same permuted graphs.
    """
    cases = [WEIGHTED_2]
    for seed in range(PERMUTATIONS):
        for select in ("first", "random", "weighted"):
            params = {"variant": "fast", "select": select, "permute": True, "seed": seed}
            label = f"{select}, permutation {seed}"
            cases.append(Case(f"algorithm 3, {label}", "redblue", params, study=True, runs=2))
            if select != "random":  # the two that the paper has
                where = f"{cores} thread{'s' * (cores > 1)}"
                shared = {"select": select, "permute": True, "seed": seed, "threads": cores}
                label_of_cpu = f"algorithm 3, {where}, {label}"
                cases.append(Case(label_of_cpu, "redblue_omp", shared, "cpu", study=True, runs=2))
            if select != "first":  # algorithm 1 visits in random order for all numberings
                study = seed > 0
                label = f"algorithm 1, {label}"
                cases.append(_algorithm_1(label, select, seed, study=study, runs=2))
    return cases


def _recording(_cores: int) -> list[Case]:
    return [
        Case(
            label,
            "redblue",
            {**case.params, **extra},
            study=bool(extra),
            keep=case.keep,
            runs=3 if extra else None,  # collecting a record takes longer than making it
        )
        for case in (FAST, PAPER)
        for label, extra in (
            (case.label, {}),
            *((f"{case.label}, {level}", {"record": level}) for level in ("counters", "events")),
        )
    ]


def _least_bytes(graph: Graph) -> int:
    return len(graph.indices) * 8 + (graph.num_vertices + 1) * 8 + graph.num_vertices * 4


def _facts(graph: Graph) -> dict[str, Any]:
    return {"least_bytes_random": _least_bytes(graph) - 4 * len(graph.indices)}


def _skip(case: Case, facts: dict[str, Any]) -> str:
    if case.params.get("seed", 0) >= FEW_PERMUTATIONS and facts["edges"] > MANY_EDGES:
        return f"skipped: {FEW_PERMUTATIONS} permutations are enough for {facts['edges']:,} edges"
    return ""


def _digest(result: MatchingResult) -> str:
    return hashlib.sha256(result.mate.astype("<i4").tobytes()).hexdigest()[:16]


SUITE = Suite(
    family="redblue",
    title="Greedy red/blue matching",
    graphs=STANDARD,
    small_graphs=SMALL,
    experiments=(
        Experiment(
            "contest",
            "Fast, the paper's variant, and methods on the processor",
            "ours; weighted matching, recording off",
            _contest,
            plot="bars",
        ),
        Experiment(
            "select",
            "Heaviest, any or first neighbour, MD5 or Philox",
            "ours; a thread for a vertex against live vertices balanced by degree. The first "
            "neighbour is that of a permuted graph, whose lists lie anywhere in memory",
            _selections,
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
        ),
        Experiment(
            "probability",
            "Size, weight, time and the first round by the probability of blue",
            "figure 3 of the paper, the mean over the graphs instead of one matrix: on the left "
            "relative to the most of each graph, on the right the first round with equation (2), "
            "which is for random neighbours",
            _probabilities,
            plot="none",
        ),
        Experiment(
            "numbering",
            "Vertices numbered as given, or at random",
            "ours; the paper permutes the vertices of every graph (section 4)",
            _numberings,
            plot="bars",
        ),
        Experiment(
            "threads",
            "Threads of the processor",
            "figure 4 of the paper: random matching by algorithm 3, relative to one thread",
            _threads,
            plot="none",
        ),
        Experiment(
            "permutations",
            "Algorithm 3 by algorithms 1 and 2 over random permutations",
            "figure 5 of the paper: mean and one standard deviation over "
            f"{PERMUTATIONS} permutations ({FEW_PERMUTATIONS} on graphs of more than "
            f"{MANY_EDGES // 10**6} million edges). The device and all threads of the processor "
            "match a permuted graph, and find the same; algorithm 1 visits the vertices in a "
            "random order",
            _permutations,
            plot="none",
        ),
        Experiment(
            "intensity",
            "Instructions per byte of proposing and responding",
            "the study of section 4 of the paper: instructions and bytes are counted on a grid "
            "like ecology1, and stand in a table; here are the times of the same selection",
            lambda cores: [PAPER_FIRST, FAST_FIRST],
            plot="bars",
        ),
        Experiment(
            "recording",
            "What recording costs: off, counters, events",
            "ours; events are bounded by a buffer of 64 MiB, what does not fit is counted",
            _recording,
            plot="bars",
        ),
    ),
    contest=Contest(FAST.label, "contest", ("contest",), agree="nothing"),
    least_bytes=_least_bytes,
    least_bytes_why=(
        "every adjacency entry read once (4 bytes neighbour, 4 bytes weight; random matching needs "
        "no weights), every row pointer read once (8 bytes), every mate written once (4 bytes)"
    ),
    digest=_digest,
    facts=_facts,
    skip=_skip,
    on_device=on_device,
    tables=redblue_tables,
    plots=redblue_plots,
)
