"""Machine and commit of a measurement, for its results file, and how that is written."""

from __future__ import annotations

import datetime
import hashlib
import json
import os
import platform
import shutil
import subprocess
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
#: What is measured and what measures it. Results and graphs beside it do not count.
SOURCES = ("gpucore", "app", "labs", "benchmarks")
SUFFIXES = (".py", ".cu", ".cuh", ".cpp", ".h", ".S", ".in", ".cmake", ".js", ".css")


def write_rows(path: Path, about: object, rows: Iterable[object], name: str = "rows") -> None:
    """Write what was measured and the rows of a results file, a line each."""
    lines = ",\n".join(json.dumps(row) for row in rows)
    path.write_text(f'{{"about": {json.dumps(about)},\n"{name}": [\n{lines}\n]}}\n')


def hardware() -> dict[str, Any]:
    """Return the processor's name and the number of usable cores."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.split(":")[1].strip() for line in lines if "model name" in line), "")
    return {"processor": model or platform.processor(), "cores": len(os.sched_getaffinity(0))}


def commit() -> str:
    """Return the commit that is measured, or "code" with a digest of the sources.

    ``WARPLENS_COMMIT`` names it where the tree was copied without its history. A checkout's commit
    counts only while the sources are those of the commit: a history can be older than its files.
    """
    if given := os.environ.get("WARPLENS_COMMIT"):
        return given
    try:
        if Path(_git("rev-parse", "--show-toplevel")).resolve() == ROOT.resolve():
            changed = _git("status", "--porcelain", "--untracked-files=all", "--", *SOURCES)
            if not any(line.strip('"').endswith(SUFFIXES) for line in changed.splitlines()):
                return _git("rev-parse", "--short", "HEAD")
    except (OSError, subprocess.SubprocessError):  # no Git, or no history
        pass
    return f"code {sources_digest()}"


def sources_digest() -> str:
    """Return a digest of the names and the contents of the sources."""
    digest = hashlib.sha256()
    for path in sorted(path for top in SOURCES for path in (ROOT / top).rglob("*")):
        if path.suffix in SUFFIXES and path.is_file():
            digest.update(path.relative_to(ROOT).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(ROOT), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    return ran.stdout.strip()


def chromium() -> str | None:
    """Return the path of the system's Chromium; None leaves Playwright to use its own."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


def launch_options() -> dict[str, Any]:
    """Return the options with which Playwright starts Chromium: rendering is by software."""
    return {"executable_path": chromium(), "args": ["--no-sandbox", "--disable-gpu"]}


def about_browser(browser_version: str, *packages: str) -> dict[str, Any]:
    """Return date, hardware and versions, of more packages too, for a results file of pages."""
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "hardware": hardware(),
        "versions": {
            "chromium": browser_version,
            "python": platform.python_version(),
            **{name: version(name) for name in (*packages, "warplens")},
            "commit": commit(),
        },
    }


def write_results(results: dict[str, Any], output: Path) -> None:
    """Write results as JSON, and print them."""
    text = json.dumps(results, indent=1)
    output.parent.mkdir(parents=True, exist_ok=True)
    output.write_text(text + "\n")
    print(text)
