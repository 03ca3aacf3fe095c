"""Compile kernels in the background while the server runs, so that no visitor waits for them."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec

from .background import started

#: ``warplens warm`` in a process that gives way to the pages.
COMMAND = (sys.executable, "-m", "gpucore.cli", "warm", "--background")

# Seconds that the process has to end by itself, at a safe point of its run.
_PATIENCE = 5


@contextlib.contextmanager
def compiling_ahead(command: tuple[str, ...] = COMMAND) -> Iterator[None]:
    """Run the command until it ends or the block does; its progress bar is on stderr.

    Pages may run the same kernels meanwhile: each file of the cache is written in one step.
    """
    process = started(command)
    try:
        yield
    finally:
        process.terminate()
        try:
            process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def can_compile() -> bool:
    """Return whether kernels can be compiled here: the package for GPUs is installed."""
    return find_spec("cupy") is not None
