"""Machine and commit of a measurement, for its results file."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any


def hardware() -> dict[str, Any]:
    """Return the processor's name and the number of usable cores."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if "model name" in line), "")
    return {"processor": model or platform.processor(), "cores": len(os.sched_getaffinity(0))}


def commit() -> str:
    """Return the commit that is measured."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def chromium() -> str | None:
    """Return the path of the system's Chromium; None leaves Playwright to use its own."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)
