"""The paper's methods on the processor."""

from gpucore.families.marriage.methods import gale_shapley
from gpucore.families.marriage.methods import gale_shapley_omp
from gpucore.families.marriage.methods import mcvitie_wilson
from gpucore.families.marriage.methods import mcvitie_wilson_omp

METHODS = (gale_shapley.METHOD, gale_shapley_omp.METHOD, mcvitie_wilson.METHOD, mcvitie_wilson_omp.METHOD, )
