"""The paper's methods on the processor."""

from gpucore.cpu import gale_shapley
from gpucore.cpu import gale_shapley_omp
from gpucore.cpu import mcvitie_wilson
from gpucore.cpu import mcvitie_wilson_omp

METHODS = (gale_shapley.METHOD, gale_shapley_omp.METHOD, mcvitie_wilson.METHOD, mcvitie_wilson_omp.METHOD, )
