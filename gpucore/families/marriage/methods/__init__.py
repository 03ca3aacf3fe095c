"""The paper's methods on the processor."""

from gpucore.families.marriage.methods import (
    gale_shapley,
    gale_shapley_omp,
    mcvitie_wilson,
    mcvitie_wilson_omp,
)

METHODS = (
    gale_shapley.METHOD,
    gale_shapley_omp.METHOD,
    mcvitie_wilson.METHOD,
    mcvitie_wilson_omp.METHOD,
)
