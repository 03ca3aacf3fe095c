"""The figures of the SGD paper, its printed numbers and its statements.

Source: Kaleem, Venkat, Pai, Hall, Pingali, "Synchronization trade-offs in GPU implementations of
graph algorithms", IPDPS 2016, section V.
"""

from __future__ import annotations

from gpucore.bench.papers.declare import Expectation, Paper, PaperFigure, Printed
from gpucore.families.sgd.bench import matrices
from gpucore.families.sgd.bench.figure_numbers import (
    DIAGONAL,
    MAXIMAL,
    OURS,
    PAPERS,
    advantage_words,
    cases_of,
    each_beats_el,
    faster,
    figure_7,
    figure_8,
    figure_9,
    hybrid,
    mixed,
    one_address,
    online_wins,
    table_2,
    win,
)
from gpucore.families.sgd.bench.published import ATOMICS
from gpucore.families.sgd.bench.reasons import (
    matchings_win,
    passes_of_nl,
    schedules_differ,
    thinned,
)
from gpucore.families.sgd.bench.runs import BASE
from gpucore.families.sgd.bench.suite import ALL_WORKERS, FEW, HYBRIDS
from gpucore.families.sgd.parts import PARTS

SCALE_FREE, ROAD = matrices.SCALE_FREE, matrices.ROAD
PAPER = Paper(
    name="sgd",
    title="Synchronization trade-offs in GPU implementations of graph algorithms",
    source="Kaleem, Venkat, Pai, Hall, Pingali, IPDPS 2016",
    machine="NVIDIA K40 and AMD R9-290X",
    repeat=2,
    parts=PARTS,
    instances={
        "small": ("sample_ratings", "scale_free:users=60,items=30,ratings=400", "road20"),
        "medium": ("ratings100k", "road200"),
        "paper": matrices.STANDARD,
    },
    real=matrices.REAL,
    stands_for={
        "ratings20m": "NFLIX (scale-free; a fifth of the ratings)",
        "ratings1m": "BGG and WIKI (scale-free; smaller)",
        "road1000": "CAL (road network; 1 million crossings)",
        "road500": "CAL (road network; smaller)",
    },
    figures=(
        PaperFigure(
            "table II",
            "Inputs, and the time of EL",
            lambda cores: cases_of(BASE),
            tables=table_2,
        ),
        PaperFigure(
            "figure 7",
            "Schedules relative to EL, by class of matrix",
            lambda cores: cases_of(*PAPERS, *HYBRIDS, *OURS),
            figure_7,
            few=lambda cores: cases_of("el_shuffled", "nl", "agm_e", "sgm", "diag", "fast"),
            printed=(
                Printed(
                    "best online by best offline schedule, scale-free, K40",
                    "1.3 ×",
                    "section V-A",
                    advantage_words(SCALE_FREE),
                ),
                Printed(
                    "best online by best offline schedule, road, K40",
                    "2 ×",
                    "section V-A",
                    advantage_words(ROAD),
                ),
            ),
            expectations=(
                Expectation(
                    "On scale-free inputs the best online schedule beats the best offline one",
                    "section V-A (K40)",
                    online_wins(SCALE_FREE),
                    matchings_win,
                ),
                Expectation(
                    "On roads the best online schedule beats the best offline one",
                    "section V-A (K40)",
                    online_wins(ROAD),
                    "a matching of a road needs a handful of barriers, which today cost some "
                    "microseconds",
                ),
                Expectation(
                    "EL is faster than NL on scale-free inputs",
                    "section V-B",
                    faster(SCALE_FREE, BASE, "nl"),
                    "NL keeps an item's vector in shared memory, and saves half of the bytes; but "
                    "one worker has all ratings of an item",
                ),
                Expectation(
                    "NL is faster than EL on roads",
                    "section V-B",
                    faster(ROAD, "nl", BASE),
                    passes_of_nl,
                ),
                Expectation(
                    "Without preprocessing, diagonal schedules are slower than maximal matchings",
                    "section V-A (K40)",
                    win((SCALE_FREE, ROAD), MAXIMAL, DIAGONAL),
                    "crossings of our roads are numbered row by row, so all ratings are on four "
                    "diagonals",
                ),
                Expectation(
                    "With preprocessing, diagonal schedules are faster than maximal matchings on "
                    "scale-free inputs",
                    "section V-A",
                    win((SCALE_FREE,), DIAGONAL, MAXIMAL, whole=True),
                ),
                Expectation(
                    "AGM-E is the fastest of the maximal matchings on scale-free inputs",
                    "section V-C",
                    win((SCALE_FREE,), ("agm_e",), ("agm_n", "sgm")),
                    "SGM takes about as long here; the reason is not examined",
                ),
                Expectation(
                    "AGM-E, AGM-N and SGM are faster than EL on roads",
                    "section V-C",
                    each_beats_el(ROAD, MAXIMAL),
                    "AGM-N and SGM take about as long as EL here",
                ),
            ),
            differs=schedules_differ,
            note=f"Of {FEW} sweeps the median counts. Schedules whose preprocessing or barriers "
            "take too long on a matrix are skipped.",
        ),
        PaperFigure(
            "figure 8",
            "Speed-up of the hybrids over EL",
            lambda cores: [*cases_of(BASE, "nl", *HYBRIDS), ALL_WORKERS],
            figure_8,
            differs=thinned,
            expectations=(
                Expectation(
                    "NL first, then EL, is faster than each of them on both classes",
                    "section V-B, figure 8",
                    hybrid,
                    "on roads NL, with which it begins, is slower than EL here",
                ),
                Expectation(
                    "EL for nodes of high degree makes SGM faster, and is slower than EL alone",
                    "section V-B",
                    mixed,
                    "here SGM is faster than EL on scale-free inputs, so EL for some nodes makes "
                    "it slower; on roads the reason is not examined",
                ),
            ),
        ),
        PaperFigure(
            "figure 9",
            "Atomics a second by threads",
            lambda cores: cases_of(BASE),
            figure_9,
            printed=tuple(
                Printed(
                    f"atomics on one address, {card}",
                    f"{rate / 1e6:,.0f} M/s",
                    "section V-A",
                    one_address,
                )
                for card, rate in ATOMICS.items()
            ),
            differs="Another card; ours is the best rate over all numbers of threads.",
        ),
    ),
    not_shown={
        **{f"figure {n}": "an illustration, which the page and lab 06 play" for n in range(1, 7)},
        "table I": "the specifications of the paper's cards",
    },
)
