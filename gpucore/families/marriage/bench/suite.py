"""Benchmarks of stable marriage: the experiments of the paper's section 4.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016.

All methods find the same marriage, which is certified once. Times on the device do not contain the
copy of the lists to it, as in the paper. Sequential methods need minutes for hard instances, whose
two vectors fit into a cache, so there they run in parallel, in processes of their own; all other
runs are alone on the machine.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gpucore.bench.cases import digest_of, recording
from gpucore.bench.suite import Contest, Experiment, Suite
from gpucore.families.marriage.bench import cases
from gpucore.families.marriage.bench.cases import APART, FAST, KERNELS, LIBRARY, SEQUENTIAL
from gpucore.families.marriage.bench.figure_numbers import (
    scaling,
    speed_ups_of,
    teps,
    times_of,
)
from gpucore.families.marriage.bench.instances import (
    SMALL_ONES,
    STANDARD,
    digest,
    load,
    prepare,
    sets_of,
)
from gpucore.families.marriage.bench.tables import marriage_tables
from gpucore.problems.preferences.prepare import as_preferences

if TYPE_CHECKING:
    from gpucore.families.marriage.result import MarriageResult
    from gpucore.problems.graph.graph import Graph


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
    return {
        "men": preferences.num_men,
        "women": preferences.num_women,
        "sets": sets_of(source),
        "max_degree": int(preferences.list_lengths().max(initial=0)),
        "fingerprint": digest(preferences),
        # The number of considered places is known only from a marriage.
        "bytes_each": {} if shared else {"considered": 8},
    }


def _digest(result: MarriageResult) -> str:
    return digest_of(result.men, result.women)


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
            cases.all_methods,
            plot="none",
            charts=times_of("easy", "easy"),
            within="easy",
        ),
        Experiment(
            "easy_speed_up",
            "Speed-up on the easy set",
            "figure 2 of the paper: over the faster sequential method",
            cases.all_methods,
            plot="none",
            charts=speed_ups_of("easy_speed_up", "easy"),
            within="easy",
        ),
        Experiment(
            "hard",
            "Time on the hard set",
            "figure 5 of the paper; sequential methods run beside one another",
            lambda cores: [*KERNELS, *cases.multicore(cores), *APART],
            plot="none",
            charts=times_of("hard", "hard"),
            within="hard",
        ),
        Experiment(
            "multicore",
            "All cores on larger and larger easy instances",
            "figure 3 of the paper, which goes up to 125 million men",
            cases.multicore,
            plot="none",
            charts=times_of("multicore", "easy"),
            within="easy",
        ),
        *(
            Experiment(
                f"threads_{kind}",
                f"Speed-up by threads on the {kind} set",
                f"figure {number} of the paper: over the faster sequential method",
                cases.every_count,
                plot="none",
                charts=scaling(kind),
                within=kind,
            )
            for kind, number in (("easy", 4), ("hard", 6))
        ),
        *(
            Experiment(
                f"teps_{kind}",
                f"Considered places a second on the {kind} set",
                source,
                lambda cores: [*KERNELS, *cases.every_count(cores)],
                plot="none",
                charts=teps(kind, across=KERNELS),
                within=kind,
            )
            for kind, source in (
                (
                    "easy",
                    "figure 7 of the paper: the sum over the men of the rank of their partner, by "
                    "the time. Lines across: the device",
                ),
                ("hard", "figure 8 of the paper, as figure 7"),
            )
        ),
        Experiment(
            "complete",
            "Complete lists, everyone's own",
            "ours: the classical problem, of which the paper has no times",
            cases.all_methods,
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
        recording(cases.recording, within="small"),
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
)
