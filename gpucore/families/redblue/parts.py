"""What the red/blue paper has; see :mod:`gpucore.bench.papers.parts`."""

from gpucore.bench.papers.parts import Part
from gpucore.families.redblue.colours import BEST_P

PARTS = (
    Part("variant", "algorithm 3", "section 3", ("redblue.variant=paper",)),
    Part("rule", "colours by the first quarter of MD5", "algorithm 4", ("redblue.generator",)),
    Part(
        "rule",
        "select: the heaviest, or the first eligible neighbour",
        "section 3",
        ("redblue.select",),
    ),
    Part("rule", "vertices permuted at random before the run", "section 4", ("redblue.permute",)),
    Part("parameter", f"probability p of blue, best at {BEST_P}", "section 3.1", ("redblue.p",)),
    Part("parameter", "random number r of a round", "section 3.2", ("redblue.seed",)),
    Part("comparator", "algorithm 1, random and weighted", "section 2", ("greedy_random",)),
    Part("comparator", "algorithm 2", "section 2", ("greedy_weighted",)),
    Part(
        "comparator",
        "algorithm 3 on several cores (TBB)",
        "section 4",
        ("redblue_omp",),
        "OpenMP instead of TBB",
    ),
)
