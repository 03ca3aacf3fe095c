"""Memory of the host: total and available, container limits included."""

from __future__ import annotations

import os
from pathlib import Path

_GROUP = Path("/sys/fs/cgroup")
#: Assumed memory of a system that does not report it.
_UNKNOWN = 8 << 30


def physical_memory() -> int:
    """Return the bytes of memory that this process may use in total."""
    try:
        physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not reported by every system
        physical = _UNKNOWN
    limit = _read_number(_GROUP / "memory.max")
    return physical if limit is None else min(physical, limit)


def available_memory() -> int:
    """Return the bytes that can be allocated without swapping."""
    available = _meminfo("MemAvailable")
    if available is None:
        available = physical_memory() // 2
    limit, used = _read_number(_GROUP / "memory.max"), _read_number(_GROUP / "memory.current")
    if limit is not None and used is not None:
        available = min(available, max(0, limit - used))
    return available


def _meminfo(field: str) -> int | None:
    try:
        text = Path("/proc/meminfo").read_text()
    except OSError:
        return None
    for line in text.splitlines():
        if line.startswith(f"{field}:"):
            return int(line.split()[1]) * 1024
    return None


def _read_number(path: Path) -> int | None:
    """Return the number in a file; None if there is none ("max" means no limit)."""
    try:
        return int(path.read_text())
    except (OSError, ValueError):
        return None
