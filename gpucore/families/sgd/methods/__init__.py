"""Stochastic gradient descent on the processor."""

from gpucore.families.sgd.methods import sgd_dsgd_omp, sgd_hogwild_omp, sgd_serial

METHODS = (
    sgd_serial.METHOD,
    sgd_hogwild_omp.METHOD,
    sgd_dsgd_omp.METHOD,
)
