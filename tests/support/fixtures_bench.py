"""Fixtures of benchmark sessions."""

import functools

import pytest

from gpucore.bench import harness


@pytest.fixture
def small_copy(monkeypatch):
    """Measure the bandwidth with a small buffer."""
    copy = functools.partial(harness.copy_bandwidth, largest=1 << 20)
    monkeypatch.setattr("gpucore.bench.session.copy_bandwidth", copy)
