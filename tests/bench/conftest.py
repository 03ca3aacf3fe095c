"""Sessions in tests measure the bandwidth with a small buffer."""

import functools

import pytest

from gpucore.bench import harness


@pytest.fixture(autouse=True)
def small_copy(monkeypatch):
    copy = functools.partial(harness.copy_bandwidth, largest=1 << 20)
    monkeypatch.setattr("gpucore.bench.session.copy_bandwidth", copy)
