"""Cases of the benchmarks of greedy red/blue matching: what is timed on every graph."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from gpucore.bench.cases import on_threads, thread_counts, with_records
from gpucore.bench.suite import Case
from gpucore.families.redblue.colours import BEST_P

#: Figures kept with the measurement: vertices matched, and vertices that die, in every round.
ROUNDS = ("matched", "dead")
#: The paper's best probability, and smaller and larger ones.
PROBABILITIES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.45, 0.5, BEST_P, 0.55, 0.6, 0.7, 0.8, 0.9, 0.95)
#: Random permutations of the vertices, as in the paper; and on graphs of more edges than that,
#: where results hardly differ from one to the next.
PERMUTATIONS = 32
FEW_PERMUTATIONS, MANY_EDGES = 8, 20_000_000

#: Symmetric matrices of the SuiteSparse collection with weights of their own, of 14 to 50,000 rows;
#: the paper has 425.
COLLECTION = tuple(
    f"suitesparse:{group}/{name}"
    for group, names in {
        "Boeing": "bcsstk34 bcsstk38 crystm01 msc01050",
        "Cylshell": "s3rmt3m3",
        "DIMACS10": "ak2010",
        "FIDAP": "ex3 ex9 ex10 ex10hs ex13 ex15 ex33",
        "GHS_indef": "bloweybq tuma1",
        "GHS_psdef": "cvxbqp1",
        "HB": "1138_bus 494_bus 662_bus 685_bus bcsstk01 bcsstk02 bcsstk03 bcsstk04 bcsstk05 "
        "bcsstk06 bcsstk07 bcsstk08 bcsstk09 bcsstk10 bcsstk11 bcsstk13 bcsstk14 bcsstk15 bcsstk16 "
        "bcsstk19 bcsstk20 bcsstk21 bcsstk22 bcsstk25 bcsstk26 bcsstm07 bcsstm10 bcsstm12 bcsstm13 "
        "nos1 nos3 nos4 plat362 zenios",
        "Newman": "lesmis netscience",
        "Norris": "fv3",
        "Oberwolfach": "LFAT5",
        "Pajek": "GD97_b",
        "VDOL": "hangGlider_2 reorientation_1 tumorAntiAngiogenesis_2",
    }.items()
    for name in names.split()
)


def device(
    label: str,
    variant: str = "fast",
    select: str = "weighted",
    **params: Any,
) -> Case:
    """Return algorithm 3 on the device."""
    settings = {"variant": variant, "select": select, **params}
    return Case(label, "redblue", settings, keep=ROUNDS)


def algorithm_1(label: str, select: str) -> Case:
    """Return algorithm 1 in a random order of the vertices as they are numbered."""
    params = {"select": select, "seed": 0}
    return Case(label, "greedy_random", params, "cpu", separate=True)


def multicore(cores: int, select: str = "random", **params: Any) -> Case:
    """Return algorithm 3 on a number of threads."""
    case = on_threads(f"multicore, {select}", "redblue_omp", cores, select=select, **params)
    return replace(case, keep=ROUNDS)


FAST = device("fast (ours)")
PAPER = device("paper", "paper")
FAST_RANDOM = device("fast, random", select="random")
PAPER_RANDOM = device("paper, random", "paper", "random")
#: The paper's rule, on permuted vertices; the graph is renumbered once, before the timed run.
FAST_FIRST = device("fast, first, permuted", select="first", permute=True)
PAPER_FIRST = device("paper, first, permuted", "paper", "first", permute=True)
SUITOR = Case("Suitor, fast (ours)", "suitor", {"variant": "fast"})
RANDOM_1 = algorithm_1("algorithm 1, random", "random")
FIRST_1 = Case(
    "algorithm 1, first, permuted",
    "greedy_random",
    {"select": "first", "permute": True},
    "cpu",
    separate=True,
)
WEIGHTED_1 = algorithm_1("algorithm 1, heaviest", "weighted")
WEIGHTED_2 = Case("algorithm 2", "greedy_weighted", {}, "cpu", separate=True)
SERIAL = (RANDOM_1, FIRST_1, WEIGHTED_1, WEIGHTED_2)


def contest(cores: int) -> list[Case]:
    """Return both variants, and methods on the processor."""
    return [FAST, PAPER, multicore(cores, "weighted"), WEIGHTED_1, WEIGHTED_2]


def selections(_cores: int) -> list[Case]:
    """Return both variants with all selections and generators."""
    philox = [
        device(f"{case.label}, Philox", **case.params, generator="philox") for case in (FAST, PAPER)
    ]
    return [FAST, PAPER, FAST_RANDOM, PAPER_RANDOM, *philox, FAST_FIRST, PAPER_FIRST]


def numberings(_cores: int) -> list[Case]:
    """Return both variants with both numberings; the permuted ones together, renumbered once."""
    first = [device(f"{v}, first", v, "first") for v in ("fast", "paper")]
    given = [FAST, PAPER, FAST_RANDOM, PAPER_RANDOM, *first]
    return given + [device(f"{c.label}, permuted", **c.params, permute=True) for c in given]


#: Parameters of the sweeps over p, by label.
SWEEPS: dict[str, dict[str, Any]] = {
    "heaviest": {"select": "weighted"},
    "any": {"select": "random"},
    "first, permuted": {"select": "first", "permute": True},
}


def at(p: float, label: str, variant: str = "fast", **params: Any) -> Case:
    """Return algorithm 3 with a probability of blue."""
    params = {"variant": variant, **params, "p": p}
    return Case(f"{label}, p = {p:g}", "redblue", params, study=True, keep=ROUNDS, runs=3)


def sweeps() -> dict[str, list[Case]]:
    """Return all probabilities for the heaviest, any, and the paper's random neighbour."""
    return {
        label: [at(p, label, **select) for p in PROBABILITIES] for label, select in SWEEPS.items()
    }


def threads(cores: int, **params: Any) -> list[Case]:
    """Return random matching on 1, 2, 4, ... threads and on all."""
    return [multicore(count, **params) for count in thread_counts(cores)]


def permutations(
    cores: int,
    seeds: int = PERMUTATIONS,
    variant: str = "fast",
    selects: tuple[str, ...] = ("first", "random", "weighted"),
) -> list[Case]:
    """Return the three algorithms on the same permuted graphs, one for every seed.

    As in section 4 of the paper; algorithm 1 selects as algorithm 3 does. Algorithm 3 runs on the
    device and on all threads of the processor; random selection, which the paper does not have, on
    the device only.
    """
    cases = []
    for seed in range(seeds):
        permuted = {"permute": True, "seed": seed}
        label = f"algorithm 2, permutation {seed}"
        cases.append(_serial(label, "greedy_weighted", permuted))
        for select in selects:
            params = {"select": select, **permuted}
            label, device = f"{select}, permutation {seed}", {"variant": variant, **params}
            cases.append(Case(f"algorithm 3, {label}", "redblue", device, study=True, runs=2))
            if select != "random":
                shared = on_threads("algorithm 3", "redblue_omp", cores, **params)
                shared = replace(shared, label=f"{shared.label}, {label}", study=True, runs=2)
                cases.append(shared)
            cases.append(_serial(f"algorithm 1, {label}", "greedy_random", params))
    return cases


def _serial(label: str, runner: str, params: dict[str, Any]) -> Case:
    return Case(label, runner, params, "cpu", separate=True, study=True, runs=2)


def recording(_cores: int) -> list[Case]:
    """Return both variants with and without records."""
    return [*with_records(FAST), *with_records(PAPER)]
