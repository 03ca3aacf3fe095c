"""The paper's methods on the processor."""

from gpucore.families.communities.methods import louvain_adaptive, louvain_omp, louvain_serial

METHODS = (
    louvain_adaptive.METHOD,
    louvain_omp.METHOD,
    louvain_serial.METHOD,
)
