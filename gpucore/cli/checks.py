"""The checks of ``warplens doctor``: each returns its finding and the fix."""

from __future__ import annotations

import dataclasses
import os
import platform
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from gpucore.errors import WarplensError
from gpucore.installing import install_hint

COMPILERS = ("c++", "g++", "clang++")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
APP_PACKAGES = ("voila", "bokeh", "jupyter_bokeh", "ipywidgets", "anywidget", "ipykernel")


@dataclass(frozen=True)
class Finding:
    """Result of one check.

    Attributes
    ----------
    name : str
        The part that was checked.
    state : {"ok", "optional", "missing"}
        "optional": absent, but only some users need it; "missing": absent and always needed.
    detail : str
        The finding, or the error.
    fix : str
        The command or step that fixes it; empty if there is nothing to fix.
    """

    name: str
    state: Literal["ok", "optional", "missing"]
    detail: str
    fix: str = ""

    def as_dict(self) -> dict[str, str]:
        """Return the finding as a JSON-able object; the output's key of `fix` is "mend"."""
        found: dict[str, str] = dataclasses.asdict(self)
        found["mend"] = found.pop("fix")
        return found


def examine() -> list[Finding]:
    """Run all checks; an exception in a check is a finding too."""
    checks: tuple[Callable[[], Finding], ...] = (
        _python,
        _package,
        _native_library,
        _compiler,
        _host_device,
        _gpu,
        _cupy,
        _nvrtc,
        _app_packages,
        _peers,
        _mpi,
        _browser,
        _chosen_device,
    )
    return [_guarded(check) for check in checks]


def _guarded(check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except Exception as error:  # a broken installation can fail in any way
        name = check.__name__.strip("_").replace("_", " ")
        return Finding(
            name, "missing", f"{type(error).__name__}: {error}", install_hint(again=True)
        )


def _python() -> Finding:
    # The installer refuses older versions, so this check cannot fail.
    return Finding("Python", "ok", f"{platform.python_version()} ({sys.executable})")


def _package() -> Finding:
    try:
        return Finding("Warplens", "ok", metadata.version("warplens"))
    except metadata.PackageNotFoundError:
        return Finding(
            "Warplens",
            "optional",
            "runs from its sources without being installed: warplens serve is not found",
            install_hint("app"),
        )


def _native_library() -> Finding:
    from gpucore import native

    try:
        native.load()
    except (WarplensError, OSError) as error:
        fix = f"install a C++17 compiler, then: {install_hint(again=True)}"
        return Finding("native library", "missing", str(error), fix)
    return Finding("native library", "ok", "host executor, kernels and CPU methods are built")


def _compiler() -> Finding:
    found = next((path for name in COMPILERS if (path := shutil.which(name))), None)
    if found:
        return Finding("C++ compiler", "ok", found)
    return Finding(
        "C++ compiler",
        "optional",
        "none found; it is needed only to build Warplens from its sources",
        {"darwin": "xcode-select --install"}.get(sys.platform, "apt-get install g++"),
    )


def _host_device() -> Finding:
    from gpucore.device import get_device

    return Finding("host device", "ok", _words(get_device("host").describe()))


def _gpu() -> Finding:
    from gpucore.device import get_device

    try:
        return Finding("GPU", "ok", _words(get_device("cuda").describe()))
    except WarplensError as error:
        return Finding("GPU", "optional", str(error), _gpu_fix())


def _gpu_fix() -> str:
    """Return the step that makes a GPU usable: a driver, or CuPy for the driver's CUDA version."""
    smi = shutil.which("nvidia-smi")
    if smi is None:
        return "needs an NVIDIA GPU with its driver; everything runs on the host device without"
    from gpucore.cli.nvidia import cuda_extra

    extra = cuda_extra(smi)
    return install_hint(extra) if extra else "update the NVIDIA driver"


def _cupy() -> Finding:
    for name in ("cupy-cuda13x", "cupy-cuda12x", "cupy"):
        try:
            return Finding("CuPy", "ok", f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    fix = _gpu_fix() if shutil.which("nvidia-smi") else ""
    return Finding("CuPy", "optional", "not installed; only a GPU needs it", fix)


def _nvrtc() -> Finding:
    names = ("nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu12", "nvidia-cuda-nvrtc-cu13")
    for name in names:
        try:
            return Finding("NVRTC", "ok", f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    from ctypes.util import find_library

    if library := find_library("nvrtc"):
        return Finding("NVRTC", "ok", library)
    return Finding(
        "NVRTC",
        "optional",
        "not installed; a GPU needs it, and the tests that compile kernels without one",
        install_hint("test"),
    )


def _app_packages() -> Finding:
    found, lacking = _versions(APP_PACKAGES)
    if not lacking:
        return Finding("web app", "ok", found)
    return Finding(
        "web app",
        "optional",
        f"without {', '.join(lacking)} there is no warplens serve",
        install_hint("app"),
    )


def _peers() -> Finding:
    found, lacking = _versions(("networkit", "igraph", "matching"))
    if not lacking:
        return Finding("peers", "ok", found)
    return Finding(
        "peers",
        "optional",
        f"without {', '.join(lacking)} there are fewer methods to compare with",
        install_hint("peers"),
    )


def _mpi() -> Finding:
    fix = install_hint("mpi")
    found, lacking = _versions(("mpi4py",))
    if lacking:
        return Finding("MPI", "optional", "without mpi4py all ranks are threads", fix)
    launcher = shutil.which("mpiexec", path=os.pathsep.join(_program_folders()))
    if launcher is None:
        return Finding("MPI", "optional", f"{found}, but there is no mpiexec", fix)
    return Finding("MPI", "ok", f"{found}, {launcher}")


def _program_folders() -> list[str]:
    """Return the folders of programs, first that of this Python."""
    return [str(Path(sys.executable).parent), os.environ.get("PATH", "")]


def _versions(names: tuple[str, ...]) -> tuple[str, list[str]]:
    """Return the installed versions as text, and the names that are not installed."""
    found, lacking = [], []
    for name in names:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            lacking.append(name)
    return ", ".join(found), lacking


def _browser() -> Finding:
    found = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if found is None:
        cached = sorted((Path.home() / ".cache" / "ms-playwright").glob("chromium*"))
        found = str(cached[-1]) if cached else None
    if found:
        return Finding("Chromium", "ok", found)
    return Finding(
        "Chromium",
        "optional",
        "not found; only the browser tests need it",
        "apt-get install chromium, or: playwright install chromium",
    )


def _chosen_device() -> Finding:
    from gpucore.device import get_device

    device = get_device("auto")
    return Finding("a run takes", "ok", f"--device {device.name}")


def _words(description: dict[str, Any]) -> str:
    shown = (f"{k} {v}" for k, v in description.items() if isinstance(v, str | int) and k != "name")
    return ", ".join(shown) or str(description.get("name"))
