"""Create the project's virtual environment, or leave it alone if nothing has changed.

Run by the Makefile with any Python from 3.11 on; it needs the standard library only.

    python3 tools/environment.py .venv app
    python3 tools/environment.py .venv app test -- COMMAND
    python3 tools/environment.py --lowest build/lowest app test

A command behind two dashes is run as soon as the packages are there, while the project is compiled.
With ``--lowest``, packages have the oldest versions that pyproject.toml allows.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("gpucore", "app", "labs")
COMPILED = (".cpp", ".h", ".in", ".cmake", ".cu", ".cuh", ".S")


def main(arguments: list[str]) -> int:
    """Install the project with the given extras into the given environment."""
    lowest = arguments[:1] == ["--lowest"]
    arguments = arguments[lowest:]
    if len(arguments) < 1:
        print("usage: environment.py [--lowest] DIRECTORY [EXTRA...] [-- COMMAND]", file=sys.stderr)
        return 2
    end = arguments.index("--") if "--" in arguments else len(arguments)
    command = arguments[end + 1 :]
    directory, extras = Path(arguments[0]).absolute(), arguments[1:end]
    problem = find_problem()
    if problem:
        print(f"warplens: {problem}", file=sys.stderr)
        return 1
    stamp = directory / ".warplens.json"
    installed = read_stamp(stamp)
    state = state_digest()
    wanted = sorted({*extras, *gpu_extras()})
    if installed["state"] == state and set(wanted) <= set(installed["extras"]):
        return run(command)
    if not python_of(directory).exists() and not create(directory):
        return 1
    # Extras of earlier calls stay installed, so that "app" and "test" do not undo each other.
    wanted = sorted({*wanted, *installed["extras"]})
    print(f"installing warplens[{','.join(wanted)}] into {directory}", flush=True)
    installed_all, code = install(directory, wanted, command, lowest)
    if not installed_all:
        print("warplens: the installation failed; pip says why above", file=sys.stderr)
        return 1
    stamp.write_text(json.dumps({"state": state, "extras": wanted}))
    return code


def install(
    directory: Path, extras: list[str], command: list[str], lowest: bool = False
) -> tuple[bool, int]:
    """Install the project, editable, and what it needs; run the command between.

    The project is compiled while packages are unpacked and the command runs. Modules of packages
    are compiled when they are first imported: most are never.

    Returns
    -------
    tuple of bool and int
        Whether everything was installed; the command's exit code.
    """
    pip = [str(python_of(directory)), "-m", "pip", "install", "--disable-pip-version-check"]
    pip += ["--quiet", "--no-compile"]
    with subprocess.Popen([*pip, "--no-deps", "--editable", "."], cwd=ROOT) as project:
        if lowest:  # pip has no such choice
            subprocess.run([*pip, "uv"], cwd=ROOT)
            pip = [pip[0], "-m", "uv", "pip", "install", "--quiet", "--python", pip[0]]
            pip += ["--resolution", "lowest-direct"]
        packages = subprocess.run([*pip, *requirements(extras)], cwd=ROOT)
        code = packages.returncode or run(command)
    return packages.returncode == project.returncode == 0, code


def read_stamp(stamp: Path) -> dict[str, Any]:
    """Return the installed extras and the digest of their sources; nothing if unknown."""
    try:
        found = json.loads(stamp.read_text())
        return {"state": str(found["state"]), "extras": list(found["extras"])}
    except (OSError, ValueError, KeyError, TypeError):
        return {"state": "", "extras": []}


def find_problem() -> str | None:
    """Return one sentence about what must be installed first, or None."""
    if sys.version_info < (3, 11):  # noqa: UP036  (the point is to be run by an older one)
        return f"Python 3.11 or newer is needed, this is {sys.version.split()[0]}"
    chosen = os.environ.get("CXX", "").split()
    names = chosen[:1] or ["c++", "g++", "clang++"]
    if not any(shutil.which(name) for name in names):
        return (
            f"no C++ compiler was found ({', '.join(names)}); install one: apt-get install g++ "
            "(Debian, Ubuntu), dnf install gcc-c++ (Fedora), xcode-select --install (macOS)"
        )
    return None


def create(directory: Path) -> bool:
    """Create the environment; Debian's Python may lack the module `venv`."""
    command = [sys.executable, "-m", "venv", str(directory)]
    if importlib.util.find_spec("ensurepip") is None:
        if importlib.util.find_spec("virtualenv") is None:
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            print(
                "warplens: this Python cannot create virtual environments; install the package "
                f"for it: apt-get install python{version}-venv (Debian, Ubuntu)",
                file=sys.stderr,
            )
            return False
        command = [sys.executable, "-m", "virtualenv", "--quiet", str(directory)]
    return subprocess.run(command).returncode == 0


def run(command: list[str]) -> int:
    """Run a command in the project's folder and return its exit code; 0 if there is none."""
    return subprocess.run(command, cwd=ROOT).returncode if command else 0


def requirements(extras: list[str]) -> list[str]:
    """Return what pyproject.toml requires with these extras."""
    import tomllib  # not in Python 3.10, which gets a sentence above

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    return [*project["dependencies"], *(text for extra in extras for text in optional[extra])]


def python_of(directory: Path) -> Path:
    """Return the environment's Python."""
    return directory / "bin" / "python"


def gpu_extras() -> list[str]:
    """Return the extra with CuPy for this machine's NVIDIA driver; none without a driver."""
    smi = shutil.which("nvidia-smi")
    if smi is None:
        return []
    # The package itself needs NumPy, which is not installed yet; this module of it needs nothing.
    path = ROOT / "gpucore" / "cli" / "nvidia.py"
    spec = importlib.util.spec_from_file_location("warplens_nvidia", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    extra = module.cuda_extra(smi)
    return [extra] if extra else []


def state_digest() -> str:
    """Return a digest of what an installation depends on, apart from its extras.

    The installation is editable: changes of Python sources take effect by themselves. Their names
    count, because the installation keeps a table of modules.
    """
    digest = hashlib.sha256(repr((sys.version, str(ROOT))).encode())
    names = [p for top in PACKAGES for p in sorted((ROOT / top).rglob("*.py"))]
    sources = [ROOT / "pyproject.toml", ROOT / "CMakeLists.txt"]
    sources += [p for p in sorted((ROOT / "gpucore").rglob("*")) if p.suffix in COMPILED]
    for path in (*names, *sources):
        digest.update(path.relative_to(ROOT).as_posix().encode())
    for path in sources:
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
