"""Runs lines of CUDA C++ as a watched kernel."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gpucore


@pytest.fixture
def run(lab_compiler: object) -> Callable[..., Any]:
    """Return a function that watches a kernel of one array `out`, of up to 32 lanes by default."""

    def run(
        body: str,
        out: np.ndarray,
        *others: np.ndarray,
        parameters: str,
        top: str = "",
        **options: Any,
    ) -> Any:
        source = f"{top}\n__global__ void k({parameters})\n{{\n{body}\n}}\n"
        call = {"grid": 1, "block": 32, "schedules": 1, **options}
        return gpucore.watch(source, args=(out, *others), **call)

    return run
