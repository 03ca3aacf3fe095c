"""Fixtures of pytest that watch kernels and programs: a finding fails the test with its report."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from gpucore.watching.program import WatchedProgram
    from gpucore.watching.watched import Watched


@pytest.fixture
def watch_kernel() -> Callable[..., Watched]:
    """Return :func:`gpucore.watch`, with the same arguments; it fails the test if it finds one."""
    import gpucore

    def watch(*arguments: Any, **options: Any) -> Watched:
        __tracebackhide__ = True
        found = gpucore.watch(*arguments, **options)
        if not found.ok:
            pytest.fail(str(found))
        return found

    return watch


@pytest.fixture
def watch_program() -> Callable[..., WatchedProgram]:
    """Return :func:`gpucore.watching.program.watch_program`, which fails the test likewise."""
    from gpucore.watching import program

    def watch(*arguments: Any, **options: Any) -> WatchedProgram:
        __tracebackhide__ = True
        found = program.watch_program(*arguments, **options)
        if not found.ok:
            pytest.fail(str(found))
        return found

    return watch
