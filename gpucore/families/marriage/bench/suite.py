"""Benchmarks of stable marriage: the experiments of the paper's section 4.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016.

All methods find the same marriage, which is certified once. Times on the device do not contain the
copy of the lists to it, as in the paper. Sequential methods need minutes for hard instances, whose
two vectors fit into a cache, so there they run in parallel, in processes of their own; all other
runs are alone on the machine.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import numpy as np

from gpucore.bench.suite import Case, Contest, Experiment, Suite
from gpucore.families.marriage.bench.instances import (
    SMALL_ONES,
    STANDARD,
    digest,
    load,
    prepare,
    sets_of,
)
from gpucore.families.marriage.bench.plots import marriage_plots
from gpucore.families.marriage.bench.tables import marriage_tables
from gpucore.problems.preferences.prepare import as_preferences

if TYPE_CHECKING:
    from gpucore.families.marriage.result import MarriageResult
    from gpucore.problems.graph.graph import Graph


def _device(label: str, variant: str) -> Case:
    return Case(label, "marriage", {"variant": variant})


FAST = _device("fast (ours)", "fast")
MW = _device("McVitie-Wilson, kernel", "mw")
GS = _device("Gale-Shapley, kernel", "gs")
KERNELS = (FAST, MW, GS)
QUEUE = Case("Gale-Shapley", "gale_shapley", {}, "cpu")
STACK = Case("McVitie-Wilson", "mcvitie_wilson", {}, "cpu")
SEQUENTIAL = (QUEUE, STACK)
#: The same for runs that take minutes and do not slow each other down.
APART = tuple(Case(case.label, case.runner, {}, "cpu", separate=True) for case in SEQUENTIAL)
LIBRARY = Case(
    "matching (package)", "matching_library", {}, "cpu", optional=True, separate=True, runs=2
)


def _threads(case: Case, count: int) -> Case:
    label = f"{case.label}, {count} thread{'s' * (count > 1)}"
    return Case(label, f"{case.runner}_omp", {"threads": count}, "cpu")


def _multicore(cores: int) -> list[Case]:
    return [_threads(case, cores) for case in SEQUENTIAL]


def _every_count(cores: int) -> list[Case]:
    """Return both methods on 1, 2, 4, ... threads and on all; most threads first."""
    counts = {1 << i for i in range(cores.bit_length())} | {cores}
    return [
        _threads(case, count)
        for count in sorted((c for c in counts if c <= cores), reverse=True)
        for case in SEQUENTIAL
    ]


def _all(cores: int) -> list[Case]:
    return [*KERNELS, *_multicore(cores), *SEQUENTIAL]


def _all_apart(cores: int) -> list[Case]:
    return [*KERNELS, *_multicore(cores), *APART]


def _recorded(case: Case, level: str) -> Case:
    params = {**case.params, "record": level}
    # Collecting a record takes longer than making it.
    return Case(f"{case.label}, {level}", case.runner, params, study=True, runs=3)


def _recording(_cores: int) -> list[Case]:
    levels = ("counters", "events")
    return [c for case in KERNELS for c in (case, *(_recorded(case, level) for level in levels))]


def _least_bytes(graph: Graph) -> int:
    preferences = as_preferences(graph)
    words = 16 * preferences.num_women
    if preferences.is_shared:
        return words + 4 * preferences.num_vertices
    return words + 16 * preferences.num_men


def _facts(graph: Graph) -> dict[str, Any]:
    preferences = as_preferences(graph)
    shared = preferences.is_shared
    source = str(preferences.source.get("spec", ""))
    longest = preferences.num_women if shared else int(np.diff(preferences.indptr).max(initial=0))
    return {
        "men": preferences.num_men,
        "women": preferences.num_women,
        "sets": sets_of(source),
        "max_degree": longest,
        "fingerprint": digest(preferences),
        # The number of considered places is known only from a marriage.
        "bytes_each": {} if shared else {"considered": 8},
    }


def _digest(result: MarriageResult) -> str:
    pairs = hashlib.sha256(result.men.astype("<i4").tobytes())
    pairs.update(result.women.astype("<i4").tobytes())
    return pairs.hexdigest()[:16]


SUITE = Suite(
    family="marriage",
    graphs=STANDARD,
    small_graphs=SMALL_ONES,
    prepare=prepare,  # large instances keep their shared lists
    load=load,
    sets_of=sets_of,
    experiments=(
        Experiment(
            "kernels",
            "Fast, the paper's kernel, and Gale-Shapley in rounds",
            "ours; lists on the card, recording off",
            lambda cores: list(KERNELS),
            plot="bars",
            within="one to one",
        ),
        Experiment(
            "easy",
            "Time on the easy set",
            "figure 1 of the paper, whose times are those of 36 cores and of a Tesla K40m",
            _all,
            plot="none",
            within="easy",
        ),
        Experiment(
            "easy_speed_up",
            "Speed-up on the easy set",
            "figure 2 of the paper: over the faster sequential method",
            _all,
            plot="none",
            within="easy",
        ),
        Experiment(
            "hard",
            "Time on the hard set",
            "figure 5 of the paper; sequential methods run beside one another",
            _all_apart,
            plot="none",
            within="hard",
        ),
        Experiment(
            "multicore",
            "All cores on larger and larger easy instances",
            "figure 3 of the paper, which goes up to 125 million men",
            _multicore,
            plot="none",
            within="easy",
        ),
        Experiment(
            "threads_easy",
            "Speed-up by threads on the easy set",
            "figure 4 of the paper: over the faster sequential method",
            _every_count,
            plot="none",
            within="easy",
        ),
        Experiment(
            "threads_hard",
            "Speed-up by threads on the hard set",
            "figure 6 of the paper: over the faster sequential method",
            _every_count,
            plot="none",
            within="hard",
        ),
        Experiment(
            "teps_easy",
            "Considered places a second on the easy set",
            "figure 7 of the paper: the sum over the men of the rank of their partner, by the "
            "time. Lines across: the device",
            lambda cores: [*KERNELS, *_every_count(cores)],
            plot="none",
            within="easy",
        ),
        Experiment(
            "teps_hard",
            "Considered places a second on the hard set",
            "figure 8 of the paper, as figure 7",
            lambda cores: [*KERNELS, *_every_count(cores)],
            plot="none",
            within="hard",
        ),
        Experiment(
            "complete",
            "Complete lists, everyone's own",
            "ours: the classical problem, of which the paper has no times",
            _all,
            plot="bars",
            within="classic",
        ),
        Experiment(
            "capacities",
            "Residents and hospitals",
            "ours: section 2.1 of the paper has the problem, but no times",
            lambda cores: [FAST, *SEQUENTIAL],
            plot="bars",
            within="hospitals",
        ),
        Experiment(
            "recording",
            "What recording costs: off, counters, events",
            "ours; events are bounded by a buffer of 64 MiB, what does not fit is counted",
            _recording,
            plot="bars",
            within="small",
        ),
        Experiment(
            "library",
            "Beside the package matching",
            "ours: pure Python, which takes 100,000 pairs at most",
            lambda cores: [FAST, *SEQUENTIAL, LIBRARY],
            plot="bars",
            within="small",
        ),
    ),
    contest=Contest(FAST.label, "kernels", ("kernels", "easy", "hard", "complete", "capacities")),
    least_bytes=_least_bytes,
    least_bytes_why=(
        "every considered place of the lists of those who propose read once (8 bytes: the woman "
        "and her rank of him), both ends of every row read once (16 bytes), every woman's word "
        "read and written once (16 bytes); where all have one list, two vectors (4 bytes a person) "
        "and the words"
    ),
    quality_format="{:.0f}",
    rated="considered",
    digest=_digest,
    facts=_facts,
    tables=marriage_tables,
    plots=marriage_plots,
)
