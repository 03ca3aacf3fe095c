"""Random generators from seeds, which are whole numbers."""

from __future__ import annotations

import numpy as np

from gpucore.errors import GraphError
from gpucore.params import is_whole


def generator(seed: int, name: str = "seed") -> np.random.Generator:
    """Return NumPy's default generator; GraphError with `name` in its text for an invalid seed."""
    if not is_whole(seed) or seed < 0:
        raise GraphError(f"{name} must be a whole number of at least 0, not {seed!r}")
    return np.random.default_rng(seed)
