"""Compile what a run declares (:mod:`gpucore.compiles`) side by side.

CuPy leaves the GIL while NVRTC compiles, so threads can evaluate several expressions at a time. A
file in the cache of compiled kernels notes that a list of expressions was evaluated: later
processes, for which CuPy has these kernels on disk, evaluate none.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from pathlib import Path
from types import ModuleType

from gpucore import native
from gpucore.compiles import Compiles, Expression, Samples
from gpucore.device import ahead
from gpucore.device.cuda_compile import begin_kernels, begin_together, cache_folder, write
from gpucore.device.source import source_path
from gpucore.errors import KernelCompileError


def begin(xp: ModuleType, needs: Compiles, record: int) -> list[Future[None]]:
    """Begin to compile what a run needs, and return the expressions under way.

    A run waits for each of our kernels when it needs it. What is not among the first kernels begins
    when these have ended: cores that two compilers share make the longest one take longer. The
    expressions have to end before the run begins, or it would compile the same ones once more.
    """
    first: list[Future[Path]] = []
    for unit in needs.first:
        source, _, kernels = unit.partition(":")
        first += begin_together(source_path(source), kernels.split(), 0)
    for each in needs.special:
        begin_kernels(source_path(each.source), [each.kernel], record, dict(each.constants))
    futures = _begin_expressions(xp, needs.expressions)
    device = xp.cuda.Device()

    def rest() -> None:
        with device:  # the current GPU of another thread may be another one
            for level, sources in ((0, needs.sources), (record, needs.recorded)):
                for source in sources:
                    begin_kernels(source_path(source), names_of(source, level), level, {})

    ahead.after(first, rest)
    return futures


def names_of(source: str, record: int) -> list[str]:
    """Return the kernels that a source has at this record level."""
    known = native.library_of(source).kernels
    return [name for stem, name, level in known if (stem, level) == (source, record)]


def note(xp: ModuleType, expressions: Sequence[Expression]) -> None:
    """Note on disk that all expressions were evaluated, so that CuPy's cache has their kernels."""
    with suppress(KernelCompileError):  # then the next process evaluates them again
        write(_noted(xp, expressions), b"")


def _begin_expressions(xp: ModuleType, expressions: Sequence[Expression]) -> list[Future[None]]:
    if not expressions or _noted(xp, expressions).is_file():
        return []
    samples, number = Samples(xp), xp.cuda.Device().id

    def work(expression: Expression) -> None:
        with xp.cuda.Device(number):  # the current GPU of another thread may be another one
            expression(samples)

    return [ahead.begin_work(partial(work, each)) for each in expressions]


def _noted(xp: ModuleType, expressions: Sequence[Expression]) -> Path:
    """Return the file that notes these expressions for this GPU, CuPy and NVRTC."""
    code = [each.__code__ for each in expressions]
    lines = [(each.co_filename, each.co_firstlineno) for each in code]
    texts = [Path(path).read_bytes() for path in sorted({path for path, _ in lines})]
    capability = xp.cuda.Device().compute_capability
    key = (texts, lines, capability, xp.__version__, xp.cuda.nvrtc.getVersion())
    return cache_folder() / f"expressions-{hashlib.sha256(repr(key).encode()).hexdigest()[:40]}"
