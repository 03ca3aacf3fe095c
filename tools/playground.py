"""Build app/play/executor.wasm and app/play/prebuilt.zip of the playground, which are committed.

    python tools/playground.py

Needs the extra "wasm", which has the compiler and CMake, and Node; users need none of them. Tests
compare the digests of the sources that stand beside both. The executor takes minutes and is built
only if its digest is another; kernels are compiled that the archive does not have.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from prebuilding import prebuild
from wasm import optimiser, tool, zig

from warplens.app.play.engine import EXECUTOR, executor_digest

ROOT = Path(__file__).resolve().parents[1]
WASM = ROOT / "gpucore" / "simt" / "wasm"


def main() -> int:
    """Build both."""
    digest = EXECUTOR.with_suffix(".txt")
    if digest.read_text().strip() != executor_digest():
        build()
        digest.write_text(f"{executor_digest()}\n")
    prebuild()
    return 0


def build() -> None:
    """Build the instrumented executor."""
    with tempfile.TemporaryDirectory() as scratch:
        chosen = [f"-DCMAKE_TOOLCHAIN_FILE={WASM / 'toolchain.cmake'}", f"-DZIG={zig()}"]
        chosen += [f"-DWASM_OPT={';'.join(optimiser())}", "-DCMAKE_BUILD_TYPE=Release"]
        chosen += ["-B", scratch, "-S", str(WASM / "watched")]
        subprocess.run([tool("cmake"), "-Wno-dev", *chosen], check=True)
        subprocess.run([tool("cmake"), "--build", scratch], check=True)
        shutil.copyfile(Path(scratch, "executor.wasm"), EXECUTOR)


if __name__ == "__main__":
    sys.exit(main())
