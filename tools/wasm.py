"""Build the host executor and kernels for WebAssembly, one module.

    python tools/wasm.py                                     all families' kernels
    python tools/wasm.py --output FILE --levels 0 KERNEL...  these kernel sources

Needs the extra "wasm", which has the compiler, CMake, and Node for Binaryen.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

from gpucore.errors import WarplensError
from warplens.app.play.npm import Package
from warplens.app.play.parts import BINARYEN

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build" / "wasm"
SOURCES = ("gpucore/kernels/*.cu", "gpucore/*/*/kernels/*.cu")


def main(arguments: list[str]) -> int:
    """Build a module and print its file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("kernels", nargs="*", type=Path, metavar="KERNEL", help="a kernel source")
    parser.add_argument("--levels", nargs="+", default=["0", "1", "2"], help="record levels")
    parser.add_argument("--output", type=Path, default=BUILD / "kernels.wasm", help="the module")
    chosen = parser.parse_args(arguments)
    try:
        build(chosen.kernels, chosen.levels, chosen.output.resolve())
    except (OSError, subprocess.CalledProcessError, WarplensError) as error:
        print(f"wasm.py: {error}", file=sys.stderr)
        return 1
    print(f"{chosen.output}: {chosen.output.stat().st_size} bytes")
    return 0


def build(kernels: list[Path], levels: list[str], output: Path) -> None:
    """Build a module; what has not changed since the last time is kept."""
    found = kernels or sorted(path for pattern in SOURCES for path in ROOT.glob(pattern))
    folder = BUILD / output.stem
    variables = {
        "CMAKE_BUILD_TYPE": "Release",
        "CMAKE_MAKE_PROGRAM": tool("ninja"),
        "CMAKE_TOOLCHAIN_FILE": str(ROOT / "gpucore" / "simt" / "wasm" / "toolchain.cmake"),
        "ZIG": str(zig()),
        "WASM_OPT": ";".join(optimiser()),
        "KERNELS": ";".join(str(path.resolve()) for path in found),
        "LEVELS": ";".join(levels),
    }
    configure = [tool("cmake"), "-G", "Ninja", "-Wno-dev", "-B", str(folder)]
    configure += ["-S", str(ROOT / "gpucore" / "simt" / "wasm")]
    _run(*configure, *(f"-D{name}={value}" for name, value in variables.items()))
    _run(tool("ninja"), "-C", str(folder))
    output.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(folder / "warplens.wasm", output)


def zig() -> Path:
    """Return the compiler of the wheel ``ziglang``."""
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("the compiler is missing: pip install -e '.[wasm]'")
    return Path(spec.origin).parent / "zig"


def optimiser() -> list[str]:
    """Return the command of Binaryen's optimiser."""
    return [tool("node"), str(unpacked(BINARYEN) / "bin" / "wasm-opt")]


def unpacked(package: Package) -> Path:
    """Return the folder of an npm package, fetched and unpacked the first time."""
    folder = BUILD / package.file.removesuffix(".tgz")
    if not folder.exists():
        with tarfile.open(package.fetch()) as archive:
            archive.extractall(folder, filter="data")
    return folder / "package"


def tool(name: str) -> str:
    """Return a program, from this Python's own environment if it is there."""
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which(name, path=places)
    if found is None:
        raise FileNotFoundError(f"{name} is missing")
    return found


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=sys.stderr)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
