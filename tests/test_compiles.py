"""What a variant declares to compile exists, and is valid on arrays of the declared types."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore import native
from gpucore.compiles import Samples
from gpucore.device.constants import check_known
from gpucore.device.source import source_path
from gpucore.family import get_runner
from gpucore.run import make_params

CASES = [
    (name, variant, recorded)
    for name in gpucore.algorithms()
    if get_runner(name).compiles is not None
    for variant in get_runner(name).variant_names
    for recorded in (False, True)
]


@pytest.mark.parametrize(("name", "variant", "recorded"), CASES)
def test_declared_kernels_and_expressions_exist(name: str, variant: str, recorded: bool) -> None:
    algorithm = get_runner(name)
    assert algorithm.compiles is not None
    needs = algorithm.compiles(make_params(algorithm, {"variant": variant})[0], recorded)
    for entry in needs.first:
        source, _, kernels = entry.partition(":")
        for kernel in kernels.split():
            assert native.library_of(source).kernel(source, kernel, 0).signature
    for each in needs.special:
        assert native.library_of(each.source).kernel(each.source, each.kernel, 0).signature
        check_known(each.source, dict(each.constants))
    for source in (*needs.sources, *needs.recorded):
        assert source_path(source).is_file()
    for expression in needs.expressions:
        expression(Samples(np))
    assert len(set(needs.expressions)) == len(needs.expressions)
    assert needs == algorithm.compiles(make_params(algorithm, {"variant": variant})[0], recorded)


def test_samples_are_new_each_time() -> None:
    samples = Samples(np)
    first = samples.int32
    first[:] = 7
    assert (samples.int32 == 1).all()
    assert samples.int32.dtype == np.int32
