"""Sessions in tests measure the bandwidth with a small buffer; the tests share a module."""

import functools
import sys
from pathlib import Path

import pytest

from gpucore.bench import harness

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(autouse=True)
def small_copy(monkeypatch):
    copy = functools.partial(harness.copy_bandwidth, largest=1 << 20)
    monkeypatch.setattr("gpucore.bench.session.copy_bandwidth", copy)
