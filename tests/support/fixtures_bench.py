"""Fixtures of benchmark sessions."""

import functools
import importlib.util

import pytest

from gpucore.bench import harness


@pytest.fixture
def small_copy(monkeypatch):
    """Measure the bandwidth with a small buffer."""
    copy = functools.partial(harness.copy_bandwidth, largest=1 << 20)
    monkeypatch.setattr("gpucore.bench.session.copy_bandwidth", copy)


@pytest.fixture(scope="session")
def papers_tool(request):
    """tools/papers.py, the tool that writes the data of the page "Papers", as a module."""
    path = request.config.rootpath / "tools" / "papers.py"
    found = importlib.util.spec_from_file_location("papers", path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module
