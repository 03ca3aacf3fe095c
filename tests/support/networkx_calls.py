"""Counts the calls that reach the backend while NetworkX's own tests run; a pytest plugin."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

from gpucore.networkx_backend import Backend, backend

calls: Counter[str] = Counter()
_lookup = Backend.__getattr__


def _counted(self, name):
    function = _lookup(self, name)

    def call(*args, **kwargs):
        calls[name] += 1
        return function(*args, **kwargs)

    return call


Backend.__getattr__ = _counted


def pytest_sessionfinish():
    """Write the number of calls of each function."""
    counted = {name: calls[name] for name in backend.references()}
    Path(os.environ["WARPLENS_CALLS"]).write_text(json.dumps(counted), encoding="utf-8")
