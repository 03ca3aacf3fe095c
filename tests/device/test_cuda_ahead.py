"""Expressions are evaluated once for a cache of compiled kernels; no GPU is needed."""

from __future__ import annotations

import contextlib
from concurrent.futures import Future, wait
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpucore.compiles import Compiles, Samples
from gpucore.device import cuda_ahead
from gpucore.errors import KernelCompileError

CALLS: list[str] = []


def plus(samples: Samples) -> None:
    CALLS.append(f"plus {samples.int32.dtype}")


def broken(samples: Samples) -> None:
    CALLS.append("broken")
    raise MemoryError


class Gpu(contextlib.nullcontext[None]):
    compute_capability, id = "90", 0


@pytest.fixture
def xp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return what `cuda_ahead` uses of CuPy; the cache of compiled kernels is empty."""
    monkeypatch.setenv("CUPY_CACHE_DIR", str(tmp_path))
    CALLS.clear()
    cuda = SimpleNamespace(Device=Gpu, nvrtc=SimpleNamespace(getVersion=lambda: (13, 0)))
    return SimpleNamespace(__version__="14", asarray=np.asarray, cuda=cuda)


def test_what_was_noted_is_not_evaluated_again(xp: Any) -> None:
    needs = Compiles(expressions=(plus,))
    for _ in range(2):  # without a note
        wait(cuda_ahead.begin(xp, needs, 0))
    assert CALLS == ["plus int32"] * 2
    cuda_ahead.note(xp, needs.expressions)
    assert cuda_ahead.begin(xp, needs, 0) == []
    xp.__version__ = "15"  # its kernels are others
    assert len(cuda_ahead.begin(xp, needs, 0)) == 1


def test_sources_wait_for_the_first_kernels(xp: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    first: Future[Path] = Future()

    def begin(path: Path, names: list[str], record: int, *_: Any) -> list[Future[Path]]:
        begun.append(f"{path.stem} {record}")
        return [first]

    monkeypatch.setattr(cuda_ahead, "begin_kernels", begin)
    monkeypatch.setattr(cuda_ahead, "begin_together", begin)
    needs = Compiles(("sgd_rmse:sgd_rmse",), (), ("sgd_deal",), ("sgd_stripes",))
    cuda_ahead.begin(xp, needs, 1)
    assert begun == ["sgd_rmse 0"]
    first.set_exception(KernelCompileError("the run will raise it"))
    assert begun == ["sgd_rmse 0", "sgd_deal 0", "sgd_stripes 1"]


def test_an_expression_that_fails_stops_no_other(xp: Any) -> None:
    futures = cuda_ahead.begin(xp, Compiles(expressions=(broken, plus)), 0)
    wait(futures)
    assert isinstance(futures[0].exception(), MemoryError)
    assert futures[1].exception() is None
