"""Runs lines of CUDA C++ as a watched kernel, and whole programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gpucore
from gpucore.watching.programs.program import WatchedProgram, watch_program


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


@pytest.fixture
def program(lab_compiler: object, tmp_path: Path) -> Callable[..., tuple[WatchedProgram, str]]:
    """Watch a program of these lines; returns the report, and what it printed."""

    def run(source: str, *arguments: str, **options: Any) -> tuple[WatchedProgram, str]:
        path = tmp_path / "program.cu"
        path.write_text(source)
        with (tmp_path / "out").open("w+") as out:
            found = watch_program(
                path, arguments, stdout=out, **{"schedules": 4, "seconds": 60, **options}
            )
            out.seek(0)
            return found, out.read()

    return run
