"""Setup of a measurement: machine, versions, commit, and a digest of the code."""

from __future__ import annotations

import hashlib
import importlib
import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpucore import family
from gpucore.processor import processor_name

if TYPE_CHECKING:
    from gpucore.device import Device

PACKAGE = Path(__file__).resolve().parents[1]
PACKAGES = (
    "warplens",
    "numpy",
    "scipy",
    "cupy-cuda12x",
    "cupy-cuda13x",
    "networkit",
    "networkx",
    "igraph",
)
#: Parts of the package whose code is timed.
TIMED = ("families", "cpu", "device", "kernels", "record", "simt")


def describe_setup(device: Device) -> dict[str, Any]:
    """Return the facts that a reader needs to interpret the times, JSON-able."""
    return {
        "device": device.describe(),
        "processor": processor_name(),
        "cores": usable_cores(),
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": installed_versions(PACKAGES),
        "commit": commit(),
        "code": code_digest(),
        "date": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def identity(setup: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a setup that must be equal for two times to be comparable."""
    device = {
        key: value
        for key, value in setup["device"].items()
        if isinstance(value, str | bool) or key in ("seed", "resident", "threads")
    }
    kept = ("processor", "cores", "python", "versions", "code")
    return {"device": device, **{key: setup[key] for key in kept}}


def installed_versions(names: tuple[str, ...]) -> dict[str, str]:
    """Return the versions of those distributions that are installed."""
    versions = {}
    for name in names:
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def usable_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def commit() -> str | None:
    """Return the checkout's commit, with "+" if files were changed; None outside of a checkout.

    In a copy without the history, the environment variable ``WARPLENS_COMMIT`` can name the
    commit.
    """
    if given := os.environ.get("WARPLENS_COMMIT"):
        return given
    try:
        head = _git("rev-parse", "HEAD")
        changed = _git("status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.SubprocessError):
        return None
    return head + ("+" if changed else "")


def _git(*arguments: str) -> str:
    command = ["git", "-C", str(PACKAGE), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, timeout=20)
    return ran.stdout.strip()


def code_digest() -> str:
    """Return a digest of the timed sources; it needs no commit.

    Families outside of this package are included.
    """
    digest = hashlib.sha256()
    parts = [(PACKAGE, PACKAGE / part) for part in TIMED]
    beside = importlib.import_module(family.PACKAGE).__path__
    parts += [(Path(p), Path(p)) for p in beside if not Path(p).is_relative_to(PACKAGE)]
    for root, part in parts:
        for path in sorted(part.rglob("*")):
            if path.suffix in (".py", ".cu", ".cuh", ".cpp", ".h"):
                digest.update(path.relative_to(root).as_posix().encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
