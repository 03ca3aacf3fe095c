"""The figures of the Louvain paper, its printed numbers and its statements.

Source: Naim, Manne, Halappanavar, Tumeo, "Community detection on the GPU", IPDPS 2017, section V.
"""

from __future__ import annotations

from gpucore.bench.papers.charts import by_instance
from gpucore.bench.papers.declare import Expectation, Paper, PaperFigure, Printed
from gpucore.bench.papers.measures import (
    speed_ups,
    times,
)
from gpucore.families.communities.bench import (
    ADAPTIVE,
    BUCKETS,
    FAST,
    RELAXED,
    SEQUENTIAL,
)
from gpucore.families.communities.figure_numbers import (
    PAIRS,
    at_the_choice,
    bin_matters,
    drop,
    faster_than,
    grid,
    never_far_below,
    openmp,
    openmp_charts,
    openmp_words,
    optimising,
    relative_modularity,
    relaxed_differs,
    span_over,
    speed_up_chart,
    speeds,
    stage_charts,
    tables_1,
    teps,
    teps_words,
)
from gpucore.families.communities.figure_tables import REAL, STANDS_FOR
from gpucore.families.communities.parts import PARTS
from gpucore.problems.graph.benchmarks import STANDARD

PAPER = Paper(
    name="louvain",
    title="Community detection on the GPU",
    source="Naim, Manne, Halappanavar, Tumeo, IPDPS 2017 (paper III)",
    machine="Tesla K40m; two Intel Xeon E5-2680 (20 threads) for the OpenMP code; 56 graphs",
    parts=PARTS,
    instances={
        "small": ("delaunay8", "rgg8", "rmat8"),
        "medium": ("delaunay18", "grid512", "rgg18", "rmat18", "sbm100k"),
        "paper": STANDARD,
    },
    stands_for=STANDS_FOR,
    real=REAL,
    figures=(
        PaperFigure(
            "table 1",
            "Graphs, sequential time and time on the GPU",
            lambda cores: [SEQUENTIAL, ADAPTIVE, BUCKETS, FAST],
            tables=tables_1,
        ),
        PaperFigure(
            "figure 1",
            "Modularity by thresholds, relative to the sequential method",
            lambda cores: [SEQUENTIAL, *PAIRS.values()],
            lambda data: grid(data, relative_modularity, "relative modularity"),
            printed=(
                Printed(
                    "relative modularity at (1e-2, 1e-6)",
                    "over 99 %",
                    "section V",
                    at_the_choice(relative_modularity),
                ),
            ),
            expectations=(
                Expectation(
                    "The average modularity is never more than 2 % below the sequential one",
                    "section V, figure 1",
                    never_far_below,
                    "on graphs of little modularity (R-MAT, about 0.08) a sweep gains less than "
                    "t_bin, so the literal rule stops early",
                    on_gpu=False,
                ),
            ),
        ),
        PaperFigure(
            "figure 2",
            "Speed by thresholds, relative to the best",
            lambda cores: list(PAIRS.values()),
            lambda data: grid(data, speeds, "relative speed"),
            printed=(
                Printed(
                    "relative speed at (1e-2, 1e-6)",
                    "about 63 %",
                    "section V",
                    at_the_choice(speeds),
                ),
            ),
            expectations=(
                Expectation(
                    "Speed depends on t_bin: a larger one is faster",
                    "section V, figure 2",
                    bin_matters,
                    "t_bin counts only on graphs of more than 100,000 vertices",
                ),
            ),
        ),
        PaperFigure(
            "figure 3",
            "Speed-up over the sequential method",
            lambda cores: [FAST, BUCKETS, SEQUENTIAL],
            speed_up_chart(SEQUENTIAL),
            printed=(
                Printed("speed-up", "2.7 to 312 ×, mean 41.7", "section V", span_over(SEQUENTIAL)),
            ),
            expectations=(
                Expectation(
                    "The GPU is faster than the sequential method on all graphs",
                    "section V, figure 3",
                    faster_than(SEQUENTIAL),
                ),
            ),
        ),
        PaperFigure(
            "figure 4",
            "Speed-up over the adaptive sequential method",
            lambda cores: [FAST, BUCKETS, ADAPTIVE, SEQUENTIAL],
            speed_up_chart(ADAPTIVE),
            printed=(
                Printed(
                    "speed-up", "just over 1 to 27 ×, mean 6.7", "section V", span_over(ADAPTIVE)
                ),
                Printed(
                    "adaptive over sequential",
                    "mean 7.3 ×",
                    "section V",
                    span_over(SEQUENTIAL, ADAPTIVE),
                ),
                Printed("modularity lost by the adaptive method", "0.13 %", "section V", drop),
            ),
            expectations=(
                Expectation(
                    "The GPU is faster than the adaptive method on all graphs",
                    "section V, figure 4",
                    faster_than(ADAPTIVE),
                ),
            ),
        ),
        PaperFigure(
            "figures 5 and 6",
            "Time of every stage: optimisation and aggregation",
            lambda cores: [BUCKETS],
            stage_charts,
            printed=(
                Printed("share of the optimisation phase", "about 70 %", "section V", optimising),
            ),
            note="The paper draws road_usa and nlpkkt200; the behaviour of figure 6 it found in "
            "four graphs only.",
        ),
        PaperFigure(
            "figure 7",
            "Speed-up over the OpenMP code",
            lambda cores: [BUCKETS, FAST, *openmp(cores)],
            openmp_charts,
            printed=(
                Printed(
                    "over Lu et al., 20 threads",
                    "1.1 to 27.0 ×, mean 6.1",
                    "section V",
                    openmp_words(-2),
                ),
                Printed(
                    "over PLM, 32 threads, three graphs",
                    "1.3 to 4.6 ×, mean 2.7",
                    "section V",
                    openmp_words(-1),
                ),
            ),
        ),
        PaperFigure(
            "section V, relaxed",
            "Communities updated after every bucket, or once a sweep",
            lambda cores: [BUCKETS, RELAXED],
            lambda data: by_instance(
                "Time with the relaxed rule by that without",
                speed_ups(times(data, [BUCKETS, RELAXED]), BUCKETS.label),
                "times as long",
            ),
            printed=(
                Printed(
                    "difference in modularity",
                    "less than 0.13 % on average",
                    "section V",
                    relaxed_differs,
                ),
                Printed(
                    "time of relaxed by that of buckets",
                    "up to 10 ×",
                    "section V",
                    span_over(RELAXED),
                ),
            ),
        ),
        PaperFigure(
            "section V, TEPS",
            "Edges traversed a second in the first optimisation phase",
            lambda cores: [BUCKETS],
            lambda data: by_instance(
                "Traversed edges",
                {BUCKETS.label: row} if (row := teps(data)) else {},
                "thousand million a second",
            ),
            printed=(
                Printed(
                    "largest rate", "0.225 thousand million (channel-500)", "section V", teps_words
                ),
            ),
        ),
    ),
)
