"""Runs whose result a test judges itself."""

import gpucore


def uncertified(name, problem, **params):
    """Run a runner by its name, without a certificate."""
    return gpucore.run(name, problem, certify=False, **params)
