"""The processor of this machine."""

from __future__ import annotations

import platform
from functools import cache
from pathlib import Path


@cache
def processor_name() -> str:
    """Return the processor's model, as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
