"""The methods on the processor: the paper's, and Leiden."""

from gpucore.families.communities.methods import (
    leiden_serial,
    louvain_adaptive,
    louvain_omp,
    louvain_serial,
)

METHODS = (
    leiden_serial.METHOD,
    louvain_adaptive.METHOD,
    louvain_omp.METHOD,
    louvain_serial.METHOD,
)
