"""Seeds: what is random follows from a whole number."""

from __future__ import annotations

import numpy as np

from gpucore.errors import GraphError
from gpucore.params import is_whole


def generator(seed: int, name: str = "seed") -> np.random.Generator:
    """Return NumPy's default generator; what is no seed is a GraphError that calls it `name`."""
    if not is_whole(seed) or seed < 0:
        raise GraphError(f"{name} must be a whole number of at least 0, not {seed!r}")
    return np.random.default_rng(seed)
