"""The paper's methods on the processor."""

from gpucore.cpu import greedy_random
from gpucore.cpu import greedy_weighted
from gpucore.cpu import redblue_omp

METHODS = (greedy_random.METHOD, greedy_weighted.METHOD, redblue_omp.METHOD, )
