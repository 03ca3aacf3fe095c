"""The errors of the native certificate are those of array operations."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpucore.certify import work
from gpucore.certify.work import attended
from gpucore.families.sgd.factors import Factors
from gpucore.families.sgd.native_proof import rmse


@given(
    st.integers(1, 9), st.integers(1, 9), st.integers(1, 20), st.integers(0, 60),
    st.booleans(), st.integers(0, 99), st.integers(1, 20), st.integers(1, 4),
)  # fmt: skip
@settings(deadline=None, max_examples=100)
def test_errors(users, items, width, count, biases, seed, block, threads):
    rng = np.random.default_rng(seed)

    def numbers(*shape):
        return rng.normal(size=shape).astype(np.float32)

    own = (numbers(users), numbers(items)) if biases else (None, None)
    factors = Factors(numbers(users, width), numbers(items, width), 3.5, *own)
    ratings = rng.integers(0, users, count), rng.integers(0, items, count), numbers(count)
    with pytest.MonkeyPatch.context() as patch, attended(threads=threads):
        patch.setattr(work, "BLOCK", block)
        found = rmse(factors, *ratings)
    assert found == pytest.approx(factors.rmse(*ratings), rel=1e-12, nan_ok=True)
