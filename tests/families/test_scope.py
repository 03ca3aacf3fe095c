"""The scope of `Result.seconds`: every kernel that solves the problem runs within it."""

from contextlib import contextmanager

import pytest

import gpucore
from gpucore import algorithms
from gpucore.device import get_device
from gpucore.device.base import Kernel
from gpucore.family import get_family
from gpucore.warm import small_problem

#: What is outside by definition: figures of a solution, and a schedule that many runs use.
OUTSIDE = {"marriage_ranks", "sgd_rmse", "sgd_deal"}
RUNS = [(name, v) for name, found in algorithms().items() for v in found.variant_names or ("",)]


class Clocked:
    """A host device that notes which kernels ran outside of its timers."""

    def __init__(self, monkeypatch):
        self.device = get_device("host")
        self.open, self.inside, self.outside = 0, set(), set()
        timer, prepare = type(self.device).timer, Kernel.prepare

        @contextmanager
        def timed(device):
            with timer(device) as clock:
                self.open += 1
                try:
                    yield clock
                finally:
                    self.open -= 1

        def prepared(kernel, *args, **options):
            launch = prepare(kernel, *args, **options)

            def noted():
                (self.inside if self.open else self.outside).add(kernel.name)
                launch()

            return noted

        monkeypatch.setattr(type(self.device), "timer", timed)
        monkeypatch.setattr(Kernel, "prepare", prepared)


@pytest.mark.parametrize(("name", "variant"), RUNS)
def test_every_kernel_of_a_run_is_timed(monkeypatch, name, variant):
    """The first run puts the problem on the device, the second one finds it there."""
    problem = small_problem(get_family(algorithms()[name].family), recorded=False)
    clocked = Clocked(monkeypatch)
    params = {"variant": variant} if variant else {}
    gpucore.run(name, problem, device=clocked.device, certify=False, **params)
    clocked.outside.clear()
    result = gpucore.run(name, problem, device=clocked.device, certify=False, **params)
    assert clocked.inside
    assert clocked.outside <= OUTSIDE
    assert result.seconds > 0
