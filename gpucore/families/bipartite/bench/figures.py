"""The figures of the paper on bipartite matching, its printed numbers and its statements.

Source: Deveci, Kaya, Uçar, Çatalyürek, "GPU accelerated maximum cardinality matching algorithms for
bipartite graphs", Euro-Par 2013, section 4.
"""

from __future__ import annotations

from gpucore.bench.papers.declare import Expectation, Paper, PaperFigure, Printed
from gpucore.bench.papers.measures import MOST, mostly
from gpucore.families.bipartite.bench.cases import HK, PFP
from gpucore.families.bipartite.bench.figure_numbers import (
    EIGHT,
    LEVELS,
    best_of_all,
    deviation,
    every_method,
    level_charts,
    overall,
    pairs,
    parallel_profiles,
    share_faster,
    span_over,
    speed_up_profiles,
    table_1_chart,
    tables_1,
    tables_2,
    takes_long,
    total_levels,
    wins_words,
)
from gpucore.families.bipartite.bench.published import REAL, mean_speed_up
from gpucore.families.bipartite.parts import PARTS
from gpucore.problems.bipartite.benchmarks import SMALL, STANDARD

#: Why speed-ups are larger.
FASTER = (
    "A C2050 had at most 144 GB/s; below is what this card copies. Where sequential methods ran "
    "beside each other, speed-ups over them are up to twice too large."
)
PAPER_FIGURES = (
    PaperFigure(
        "table 1",
        "The eight variants: geometric means",
        lambda cores: list(EIGHT.values()),
        table_1_chart,
        tables_1,
        expectations=(
            Expectation(
                "CT is faster than MT",
                "section 4, table 1",
                pairs("_ct", "_mt"),
                "256 x 256 threads fill a C2050, but only a quarter of a card of today; MT has a "
                "thread for each column",
            ),
            Expectation(
                "GPUBFS-WR is faster than GPUBFS",
                "section 4, table 1",
                pairs("_gpubfs_wr_", "_gpubfs_"),
            ),
            Expectation(
                "APFB is faster than APsB",
                "section 4, table 1",
                pairs("apfb_", "apsb_"),
                "APsB wins where its phases have few levels (R-MAT)",
            ),
        ),
    ),
    PaperFigure(
        "figure 2",
        "Levels of every phase",
        lambda cores: [EIGHT[label] for label in LEVELS],
        level_charts,
        expectations=(
            Expectation(
                "APFB needs fewer launches in total than APsB on most graphs",
                "section 4, figure 2",
                lambda data: mostly(total_levels(data), share=MOST),
                on_gpu=False,
            ),
        ),
        note="The paper draws Hamrle3 and delaunay_n23.",
    ),
    PaperFigure(
        "figure 3",
        "Speed-up profiles",
        every_method,
        speed_up_profiles,
        own=takes_long,
        printed=(
            Printed(
                "faster than HK on original graphs",
                "86 %",
                "section 4",
                share_faster("original", HK),
            ),
            Printed(
                "faster than PFP on permuted graphs",
                "76 %",
                "section 4",
                share_faster("permuted", PFP),
            ),
        ),
        differs=FASTER,
    ),
    PaperFigure(
        "figure 4",
        "Performance profiles",
        every_method,
        parallel_profiles,
        own=takes_long,
        printed=(
            Printed(
                "APFB-GPUBFS-WR-CT is the fastest, original",
                "61 %",
                "section 4",
                wins_words("original"),
            ),
            Printed(
                "APFB-GPUBFS-WR-CT is the fastest, permuted",
                "74 %",
                "section 4",
                wins_words("permuted"),
            ),
        ),
        differs="The paper's multicore methods had 8 threads, and a C2050 144 GB/s. Where the "
        "common matching leaves little to do, a multicore method is the fastest.",
    ),
    PaperFigure(
        "figure 5",
        "Overall speed-up over PFP and HK",
        every_method,
        overall,
        own=takes_long,
        printed=(
            Printed(
                "mean over HK, original",
                "at least 3.61 (hardest: 3.96)",
                "section 4",
                span_over("original", HK),
            ),
            Printed(
                "mean over PFP, permuted",
                "at least 3.54 (hardest: 9.29)",
                "section 4",
                span_over("permuted", PFP),
            ),
            Printed(
                "over PFP, the hardest original graphs",
                "0.03 to 629.19 ×",
                "section 5",
                span_over("original", PFP),
            ),
            Printed(
                "standard deviation of repeated runs by their mean, original",
                "less than 10 % on 20 graphs, 18 % on 5, 47 % on 3",
                "section 4",
                deviation,
            ),
        ),
        note="The paper takes one sequential method for each set, the one that was faster on it. "
        f"Table 2's printed times give {mean_speed_up('HK'):.2f} over HK (geometric mean), and "
        f"{mean_speed_up('PFP', 'HK'):.2f} over the faster of PFP and HK on each original matrix.",
        differs=FASTER,
    ),
    PaperFigure(
        "table 2",
        "Run times of the hardest graphs",
        every_method,
        tables=tables_2,
        own=takes_long,
        expectations=(
            Expectation(
                "The GPU is faster than the best sequential method on all but six original and two "
                "permuted graphs of twenty",
                "section 4, table 2",
                best_of_all,
                "it depends on the matrices, of which ours are generated",
            ),
        ),
        note="The hardest twenty are in the SuiteSparse collection: with a network, --real "
        "measures them instead of generated matrices.",
    ),
)
PAPER = Paper(
    name="bipartite",
    title="GPU accelerated maximum cardinality matching algorithms for bipartite graphs",
    source="Deveci, Kaya, Uçar, Çatalyürek, Euro-Par 2013",
    machine="Tesla C2050; two quad-core Xeons at 2.27 GHz, 8 threads; 70 matrices",
    parts=PARTS,
    instances={
        "small": ("uni3k1", "bip_delaunay9", "bip_delaunay9_perm", "bip_grid24", "bip_rmat9"),
        "medium": SMALL,
        "paper": STANDARD,
    },
    real=REAL,
    stands_for={
        "bip_delaunay20": "delaunay_n23 (same class, an eighth of the size)",
        "bip_delaunay20_perm": "delaunay_n23, permuted (an eighth of the size)",
        "bip_grid": "road and mesh matrices such as roadNet-CA, hugetrace-00020",
        "bip_grid_perm": "road and mesh matrices, permuted",
        "bip_rmat20": "kron_g500-logn21 (same class, half the size)",
        "bip_rmat20_perm": "kron_g500-logn21, permuted (half the size)",
        "uni3": "sparse matrices with unmatched rows; none in the paper",
        "uni5": "sparse matrices with few unmatched rows; none in the paper",
    },
    figures=PAPER_FIGURES,
    not_shown={"figure 1": "an example of two paths, which the page and lab 03 play"},
)
