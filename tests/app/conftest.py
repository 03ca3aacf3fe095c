"""Runs that several tests look at."""

import pytest

import gpucore
from gpucore.device import get_device
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching


@pytest.fixture(scope="session")
def lesmis():
    """Return the graph of Les Misérables, prepared for matching."""
    return for_matching(load("lesmis"))


@pytest.fixture(scope="session")
def run(lesmis):
    """Return a recorded run on it, on the host executor."""
    device = get_device("host", policy="random", seed=1)
    return gpucore.run("suitor", lesmis, device=device, record="events", variant="sync_lb")
