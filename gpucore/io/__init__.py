"""Graphs from the outside world: bundled data sets, generators, files of many formats."""

from __future__ import annotations

from gpucore.datasets import load_dataset
from gpucore.graph import Graph


def load(spec: str) -> Graph:
    """Return the graph that `spec` names."""
    return load_dataset(spec)
