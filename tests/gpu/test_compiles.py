"""Every array operation of a variant with a declaration is compiled ahead, not when it is needed.

Each case is a fresh process with an empty cache of compiled kernels, as the benchmark of the first
run has them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import gpucore
from gpucore.family import get_runner
from gpucore.run import make_params

pytestmark = pytest.mark.gpu

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
#: A variant may wait for so many: an operation of a rare case.
MOST = 3


def declared() -> list[tuple[str, str]]:
    """Return the variants that declare array expressions."""
    found = []
    for name in gpucore.algorithms():
        algorithm = get_runner(name)
        for variant in algorithm.variant_names:
            params, _ = make_params(algorithm, {"variant": variant})
            if algorithm.compiles is not None and algorithm.compiles(params, False).expressions:
                found.append((name, variant))
    return found


@pytest.mark.parametrize("level", ["off", "events"])
@pytest.mark.parametrize(("name", "variant"), declared())
def test_operations_are_compiled_ahead(
    name: str, variant: str, level: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import first_run

    empty = first_run.in_process((name, variant, level), str(tmp_path), 300.0)
    assert "error" not in empty, empty
    lacking = first_run.lacking(empty["cupy"])
    assert len(lacking) <= MOST, f"compiles.py lacks {lacking}"
    assert len(empty["cupy"]) > len(lacking), "nothing was compiled ahead"
    filled = first_run.in_process((name, variant, level), str(tmp_path), 300.0)
    assert filled["cupy"] == []
