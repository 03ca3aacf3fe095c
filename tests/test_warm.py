"""Every variant of every family has a small problem, and runs on it."""

import threading

import pytest

import gpucore
from gpucore.device import get_device
from gpucore.errors import Cancelled, ParameterError
from gpucore.family import get_runner
from gpucore.warm import LEVELS, variants, warm


def test_variants_of_a_family_come_in_order():
    assert variants(["marriage"]) == [
        ("marriage", name) for name in get_runner("marriage").variant_names
    ]
    assert {name for name, _ in variants()} == set(gpucore.algorithms())
    first = [variant for _, variant in variants()][: len(gpucore.algorithms())]
    assert first == [get_runner(name).variant_names[0] for name in gpucore.algorithms()]


@pytest.mark.parametrize(
    "family", sorted({get_runner(name).family for name in gpucore.algorithms()})
)
def test_the_first_variant_of_every_family_runs(family):
    runs = []

    def progress(phase, done, total):
        runs.append((phase, done, total))

    case = next(warm([family], device=get_device("host"), progress=progress))
    assert case[:3] == (*variants([family])[0], LEVELS[0])
    assert [run[1:] for run in runs] == [(0, len(LEVELS) * len(variants([family])))]


def test_it_can_be_cancelled_and_refuses_unknown_families():
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        next(warm(device=get_device("host"), cancel=stop))
    with pytest.raises(ParameterError, match="nonesuch"):
        variants(["nonesuch"])
