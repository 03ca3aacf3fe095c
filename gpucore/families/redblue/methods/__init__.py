"""The paper's methods on the processor."""

from gpucore.families.redblue.methods import greedy_random, greedy_weighted, redblue_omp

METHODS = (
    greedy_random.METHOD,
    greedy_weighted.METHOD,
    redblue_omp.METHOD,
)
