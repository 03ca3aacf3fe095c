"""The figures of the red/blue paper, its printed numbers and its statements.

Source: Fagginger Auer, Bisseling, "A GPU algorithm for greedy graph matching", Facing the
Multicore-Challenge II, 2012, sections 3 and 4.
"""

from __future__ import annotations

from gpucore.bench.papers.declare import Expectation, Paper, PaperFigure, Printed
from gpucore.families.redblue.bench.figure_numbers import (
    FEW,
    RANDOM,
    SEEDS,
    best,
    best_speed,
    by_threads,
    figure_3,
    figure_5,
    mean_ratio,
    permuted_cases,
    probabilities,
    round_charts,
    scales_up,
    scaling,
    sizes_agree,
    weighs_more,
)
from gpucore.families.redblue.bench.intensity import PUBLISHED
from gpucore.families.redblue.bench.suite import PAPER_FIRST
from gpucore.families.redblue.bench.tables import intensity_tables, per_byte
from gpucore.families.redblue.colours import best_p
from gpucore.families.redblue.parts import PARTS
from gpucore.problems.graph.benchmarks import STANDARD

PAPER = Paper(
    name="redblue",
    title="A GPU algorithm for greedy graph matching",
    source="Fagginger Auer, Bisseling, Facing the Multicore-Challenge II, 2012",
    machine="Tesla C2050; two quad-core Xeon E5620, 16 threads; 425 matrices and DIMACS graphs",
    parts=PARTS,
    instances={
        "small": ("delaunay9", "grid24", "rmat9"),
        "medium": ("delaunay16", "grid256", "rgg16", "rmat16"),
        "paper": ("grid1000", *STANDARD),
    },
    real=("suitesparse:McRae/ecology1", "suitesparse:McRae/ecology2"),
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
            lambda cores: [RANDOM],
            round_charts,
        ),
        PaperFigure(
            "figure 3",
            "Size, weight, time and the first iteration by the probability of blue",
            probabilities,
            figure_3,
            printed=(
                Printed(
                    "p that matches the most in the first iteration",
                    f"{best_p():.5f}",
                    "section 3.1",
                    best,
                ),
            ),
            differs="Of the probabilities tried the paper's is among the best; see the curves.",
            note="The right half has random selection, as equation (2) assumes. The paper draws "
            "ecology1; the left half has the mean of all graphs.",
        ),
        PaperFigure(
            "figure 4",
            "Scaling of random matching with threads",
            by_threads,
            scaling,
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
            lambda cores: list(permuted_cases(cores, SEEDS)),
            figure_5,
            few=lambda cores: list(permuted_cases(cores, FEW)),
            printed=(
                Printed(
                    "size, random, by algorithm 1",
                    "more than 99 %",
                    "section 4",
                    mean_ratio(0, "cardinality"),
                ),
                Printed("weight by algorithm 1", "115 %", "section 4", mean_ratio(1, "weight")),
                Printed("weight by algorithm 2", "85 %", "section 4", mean_ratio(2, "weight")),
                Printed(
                    "speed, CUDA, random, by algorithm 1",
                    "up to 6.8 ×",
                    "section 4",
                    best_speed(0),
                ),
                Printed(
                    "speed, CUDA, weighted, by algorithm 1",
                    "up to 5.6 ×",
                    "section 4",
                    best_speed(1),
                ),
                Printed(
                    "speed, CUDA, weighted, by algorithm 2",
                    "up to 37 ×",
                    "section 4",
                    best_speed(2),
                ),
                Printed(
                    "speed, TBB, random, by algorithm 1",
                    "up to 1.1 ×",
                    "section 4",
                    best_speed(0, "redblue_omp"),
                ),
                Printed(
                    "speed, TBB, weighted, by algorithm 1",
                    "up to 0.7 ×",
                    "section 4",
                    best_speed(1, "redblue_omp"),
                ),
                Printed(
                    "speed, TBB, weighted, by algorithm 2",
                    "up to 13 ×",
                    "section 4",
                    best_speed(2, "redblue_omp"),
                ),
            ),
            differs="A C2050 had 144 GB/s, its host 17; below is what this card copies. Our "
            "weights are uniform in (0, 1], the paper's are entries of matrices.",
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
                    weighs_more(1, True),
                    "our weights are uniform in (0, 1]; the paper's are entries of matrices",
                    on_gpu=False,
                ),
                Expectation(
                    "Weighted matchings weigh less than those of algorithm 2",
                    "section 4",
                    weighs_more(2, False),
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
