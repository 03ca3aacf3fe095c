"""The figures of paper IV, its printed numbers and its statements.

Source: Manne, Naim, Lerring, Halappanavar, "On stable marriages and greedy matchings", CSC 2016,
section 4. The paper has five instances of every size and three runs of each; times are means.
"""

from __future__ import annotations

from gpucore.bench.papers.declare import Expectation, Paper, PaperFigure, printed
from gpucore.families.marriage.bench.cases import APART, MW, QUEUE, SEQUENTIAL, STACK
from gpucore.families.marriage.bench.figure_numbers import (
    PARALLEL,
    SIZES,
    all_apart,
    best_teps,
    by_threads,
    every_method,
    gs,
    has_size,
    instance_names,
    is_faster,
    lines,
    mean_speed_ups,
    mean_times,
    multicore,
    mw,
    scaling,
    slower_by,
    speed_up_range,
    teps,
    time_of_largest,
    up_to,
)
from gpucore.families.marriage.bench.reasons import CARD, card_and_threads, half_the_threads, sizes
from gpucore.families.marriage.parts import PARTS

MILLION = 1_000_000
#: Most men of figures 1 and 2, of figure 3, and of the hard set.
EASY, LARGEST, HARD = SIZES["easy"][4], SIZES["easy"][-1], SIZES["hard"][-1]
PAPER = Paper(
    name="marriage",
    title="On stable marriages and greedy matchings",
    source="Manne, Naim, Lerring, Halappanavar, CSC 2016 (paper IV)",
    machine="Tesla K40m; two Intel Xeon E5-2699, 36 threads, 252 GB",
    repeat=3,
    parts=PARTS,
    instances={
        "small": (
            *instance_names("easy", (500, 1000, 2000), 2),
            *instance_names("hard", (100, 200), 2),
        ),
        "medium": (
            *instance_names("easy", (200_000, 500_000, MILLION), 2),
            *instance_names("hard", (5000, 10_000, 20_000), 2),
        ),
        "paper": (
            *instance_names("easy", SIZES["easy"][:5], 5),
            *instance_names("hard", SIZES["hard"], 5),
            *instance_names("easy", SIZES["easy"][5:], 5),
        ),
    },
    stands_for={
        "easy25m": "one of five instances of 25 million men",
        "hard500k": "one of five instances of 500,000 men",
    },
    figures=(
        PaperFigure(
            "figure 1",
            "Time on the easy set",
            every_method,
            lambda data: lines("Easy set", up_to(mean_times(data, "easy"), EASY), "seconds"),
            printed=printed(
                "section 4",
                (
                    "GPU, 25 million men",
                    "slightly more than 1 s",
                    time_of_largest("easy", lambda cores: MW, EASY, EASY),
                ),
                (
                    "sequential McVitie-Wilson slower than Gale-Shapley by",
                    "27 %",
                    slower_by("easy", STACK, QUEUE),
                ),
            ),
            expectations=(
                Expectation(
                    "OpenMP Gale-Shapley is faster than OpenMP McVitie-Wilson",
                    "section 4, by as much as 12 %",
                    is_faster("easy", gs, mw),
                    "which one is faster depends on the processor's caches and threads",
                    on_gpu=False,
                ),
            ),
            differs=CARD,
            note=sizes("easy"),
            within="easy",
            own=has_size("easy"),
        ),
        PaperFigure(
            "figure 2",
            "Speed-up on the easy set",
            every_method,
            lambda data: lines(
                "Over one thread, easy", up_to(mean_speed_ups(data, "easy"), EASY), "times as fast"
            ),
            printed=printed(
                "section 4",
                (
                    "OpenMP Gale-Shapley, 36 threads",
                    "about 9 ×",
                    speed_up_range("easy", "OpenMP Gale-Shapley", EASY),
                ),
                ("GPU", "about 17 ×, then dropping", speed_up_range("easy", MW.label, EASY)),
            ),
            differs=card_and_threads,
            note=sizes("easy"),
            within="easy",
            own=has_size("easy"),
        ),
        PaperFigure(
            "figure 3",
            "All cores on larger and larger easy instances",
            multicore,
            lambda data: lines(
                "OpenMP, easy",
                {k: v for k, v in mean_times(data, "easy").items() if k.startswith("OpenMP")},
                "seconds",
            ),
            printed=printed(
                "section 4",
                (
                    "worst time, 125 million men",
                    "slightly more than 4 s",
                    time_of_largest("easy", mw, least=LARGEST),
                ),
            ),
            note=sizes(
                "easy",
                " 125 million men have 3.5 thousand million list entries: they take 66 GB of "
                "memory while they are made, and 58 GB on a card.",
            ),
            differs=half_the_threads,
            within="easy",
            own=has_size("easy"),
        ),
        PaperFigure(
            "figure 4",
            "Speed-up by threads on the easy set",
            lambda cores: [*by_threads(cores), *SEQUENTIAL],
            scaling("easy"),
            printed=printed(
                "section 4",
                (
                    "best speed-up, Gale-Shapley, 36 threads",
                    "almost 14 ×",
                    speed_up_range("easy", "OpenMP Gale-Shapley"),
                ),
            ),
            differs=half_the_threads,
            note=sizes("easy"),
            within="easy",
            own=has_size("easy"),
        ),
        PaperFigure(
            "figure 5",
            "Time on the hard set",
            all_apart,
            lambda data: lines("Hard set", mean_times(data, "hard"), "seconds"),
            printed=printed(
                "section 4",
                (
                    "GPU McVitie-Wilson, 500,000 men",
                    "close to 250 s",
                    time_of_largest("hard", lambda cores: MW, HARD),
                ),
                (
                    "OpenMP Gale-Shapley, 500,000 men",
                    "close to 250 s",
                    time_of_largest("hard", gs, HARD),
                ),
                (
                    "OpenMP McVitie-Wilson, 500,000 men",
                    "5 times faster (about 50 s)",
                    time_of_largest("hard", mw, HARD),
                ),
                (
                    "sequential Gale-Shapley slower than McVitie-Wilson by",
                    "109 %",
                    slower_by("hard", QUEUE, STACK),
                ),
            ),
            expectations=(
                Expectation(
                    "OpenMP McVitie-Wilson is faster than OpenMP Gale-Shapley",
                    "section 4, five times on the largest",
                    is_faster("hard", mw, gs),
                    "small instances end before the threads of either have met",
                    on_gpu=False,
                ),
                Expectation(
                    "OpenMP McVitie-Wilson is faster than the paper's GPU kernel",
                    "section 4, figure 5",
                    is_faster("hard", mw, lambda cores: MW),
                    "why the kernel takes so much less time than on a K40 was not examined",
                ),
            ),
            differs="Hard instances are chains of atomics on words that stay in the cache. The "
            "paper had 36 cores. Why sequential Gale-Shapley is so much slower than McVitie-Wilson "
            "here was not examined.",
            note=sizes("hard"),
            within="hard",
            own=has_size("hard", HARD),  # most of what the paper prints is of these
        ),
        PaperFigure(
            "figure 6",
            "Speed-up by threads on the hard set",
            lambda cores: [*by_threads(cores), *APART],
            scaling("hard"),
            printed=printed(
                "section 4",
                (
                    "McVitie-Wilson, 36 threads",
                    "close to 22 ×",
                    speed_up_range("hard", "OpenMP McVitie-Wilson"),
                ),
                (
                    "Gale-Shapley",
                    "never more than 2.5 ×",
                    speed_up_range("hard", "OpenMP Gale-Shapley"),
                ),
            ),
            differs="The paper had 36 cores, and larger instances, where one thread needs minutes.",
            note=sizes("hard"),
            within="hard",
            own=has_size("hard"),
        ),
        PaperFigure(
            "figure 7",
            "Considered places a second on the easy set",
            by_threads,
            teps("easy"),
            printed=printed(
                "section 4", ("36 threads", "100 to 140 M", best_teps("easy", *PARALLEL))
            ),
            differs=half_the_threads,
            note=sizes("easy"),
            within="easy",
            own=has_size("easy"),
        ),
        PaperFigure(
            "figure 8",
            "Considered places a second on the hard set",
            by_threads,
            teps("hard"),
            printed=printed(
                "section 4",
                ("McVitie-Wilson, 36 threads", "2,750 M", best_teps("hard", "mcvitie_wilson_omp")),
            ),
            differs="The paper had 36 cores, and larger instances.",
            note=sizes("hard"),
            within="hard",
            own=has_size("hard"),
        ),
    ),
)
