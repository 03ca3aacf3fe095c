"""The figures of the red/blue paper, its printed numbers and its statements.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
Multicore-Challenge II, 2012, sections 3 and 4.
"""

from __future__ import annotations

from gpucore.bench.papers.declare import Expectation, Paper, PaperFigure, Printed, printed
from gpucore.families.redblue.bench.cases import COLLECTION, PAPER_FIRST, threads
from gpucore.families.redblue.bench.figure_numbers import (
    FEW,
    SEEDS,
    best,
    best_speed,
    figure_2,
    figure_3,
    figure_5,
    is_large,
    mean_ratio,
    older_probabilities,
    older_serial,
    permuted_cases,
    probabilities,
    random_threads,
    scales_up,
    scaling,
    sizes_agree,
    weighs_less,
    weighs_more,
    why_others,
)
from gpucore.families.redblue.bench.intensity import PUBLISHED
from gpucore.families.redblue.bench.tables import intensity_tables, per_byte
from gpucore.families.redblue.colours import best_p
from gpucore.families.redblue.parts import PARTS
from gpucore.problems.graph.benchmarks import STANDARD

#: Graphs with weights of their own, for figure 5.
WEIGHTED = ("bcsstk13", "netscience")
PAPER = Paper(
    name="redblue",
    title="A GPU algorithm for greedy graph matching",
    source="Fagginger Auer, Bisseling, Facing the Multicore-Challenge II, 2012",
    machine="Tesla C2050; two quad-core Xeon E5620, 16 threads; 425 matrices and DIMACS graphs",
    parts=PARTS,
    instances={
        "small": ("delaunay9", "grid24", "rmat9", "karate_weighted"),
        "medium": ("delaunay16", "grid256", "rgg16", "rmat16", *WEIGHTED),
        "paper": ("grid1000", *STANDARD, *WEIGHTED),
    },
    real=("suitesparse:McRae/ecology1", "suitesparse:McRae/ecology2", *COLLECTION),
    stands_for={
        "grid1000": "ecology1 (1000 x 1000 grid; a tenth of the edges removed here)",
        "grid": "ecology2 and other meshes (larger)",
        "delaunay20": "delaunay_n20 (DIMACS10)",
        "delaunay21": "delaunay_n21 (DIMACS10)",
        "rgg21": "rgg_n_2_21_s0 (DIMACS10)",
        "rgg22": "rgg_n_2_22_s0 (DIMACS10)",
    },
    figures=(
        PaperFigure(
            "figure 2",
            "Matched vertices by iteration",
            lambda cores: [PAPER_FIRST],
            figure_2,
        ),
        PaperFigure(
            "figure 3",
            "Size, weight, time and the first iteration by the probability of blue",
            probabilities,
            figure_3,
            older=older_probabilities,
            printed=printed(
                "section 3.1",
                ("p that matches the most in the first iteration", f"{best_p():.5f}", best),
            ),
            differs="Of the probabilities tried the paper's is among the best; see the curves.",
            note="The paper draws ecology1; the left half has the mean of all graphs. Older "
            "results have the vertices as they are numbered, and on the right any neighbour in "
            "place of the first one of a permuted list.",
        ),
        PaperFigure(
            "figure 4",
            "Scaling of random matching with threads",
            random_threads,
            scaling,
            older=threads,
            own=is_large,
            expectations=(
                Expectation(
                    "Algorithm 3 scales with the number of threads",
                    "section 4",
                    scales_up,
                    "on small graphs threads wait for one another in each of some twenty rounds",
                    on_gpu=False,
                ),
            ),
        ),
        PaperFigure(
            "figure 5",
            "Algorithm 3 on the device and on all cores by algorithms 1 and 2",
            permuted_cases(SEEDS),
            figure_5,
            few=permuted_cases(FEW),
            older=older_serial,
            printed=printed(
                "section 4",
                ("size, random, by algorithm 1", "more than 99 %", mean_ratio(0, "size")),
                ("weight by algorithm 1", "115 %", mean_ratio(1, "weight")),
                ("weight by algorithm 2", "85 %", mean_ratio(2, "weight")),
                ("speed, CUDA, random, by algorithm 1", "up to 6.8 ×", best_speed(0)),
                ("speed, CUDA, weighted, by algorithm 1", "up to 5.6 ×", best_speed(1)),
                ("speed, CUDA, weighted, by algorithm 2", "up to 37 ×", best_speed(2)),
                ("speed, TBB, random, by algorithm 1", "up to 1.1 ×", best_speed(0, "redblue_omp")),
                (
                    "speed, TBB, weighted, by algorithm 1",
                    "up to 0.7 ×",
                    best_speed(1, "redblue_omp"),
                ),
                (
                    "speed, TBB, weighted, by algorithm 2",
                    "up to 13 ×",
                    best_speed(2, "redblue_omp"),
                ),
            ),
            differs=why_others,
            expectations=(
                Expectation(
                    "Random matchings of algorithm 3 have more than 99 % of the pairs of "
                    "algorithm 1",
                    "section 4",
                    sizes_agree,
                    "on grids algorithm 1 matches more",
                    on_gpu=False,
                ),
                Expectation(
                    "Weighted matchings weigh more than those of algorithm 1",
                    "section 4",
                    weighs_more,
                    on_gpu=False,
                ),
                Expectation(
                    "Weighted matchings weigh less than those of algorithm 2",
                    "section 4",
                    weighs_less,
                    on_gpu=False,
                ),
            ),
        ),
        PaperFigure(
            "section 4, instructions per byte",
            "Instructions per byte of proposing and responding",
            lambda cores: [PAPER_FIRST],
            tables=intensity_tables,
            printed=tuple(
                Printed(
                    f"instructions per byte, {words}",
                    f"{PUBLISHED[kernel]:.2f}",
                    "section 4",
                    per_byte(kernel),
                )
                for kernel, words in (
                    ("redblue_propose", "proposing"),
                    ("redblue_respond", "responding"),
                )
            ),
            note="The paper's texture-cache hits need a profiler's hardware counters.",
            differs="Ours are counted, without a cache and with the instructions of PTX for a card "
            "of today; the paper's come from a profiler on a C2050, which is balanced at 4.06. An "
            "H100 is balanced at about 10, so memory limits both searches, as the paper says.",
        ),
    ),
    not_shown={
        "figure 1": "an illustration of one round, which the page and lab 05 play",
    },
)
