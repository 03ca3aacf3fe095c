"""The instrumented executor as a file to link with: the wheel's, or compiled once on a machine."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gpucore.errors import KernelCompileError
from gpucore.watching.messages import explain
from gpucore.watching.toolchain import (
    EXECUTOR,
    build_digest,
    cache_folder,
    command,
    compiler,
    executor_digest,
    executor_sources,
)

#: What every library of kernels is linked with.
LINK = ("-pthread", "-ldl", "-Wl,--no-undefined")


def executor() -> Path:
    """Return one object file with the whole executor; the first call on a machine makes it.

    Raises
    ------
    KernelCompileError
        The compiler failed.
    MissingDependency
        There is no compiler.
    """
    made = cache_folder() / build_digest() / "executor.o"
    if not made.exists():
        made.parent.mkdir(parents=True, exist_ok=True)
        # Under a temporary name first: two notebooks may make it at the same time.
        with tempfile.TemporaryDirectory(dir=made.parent) as scratch:
            ready = Path(scratch, made.name)
            if not _take_shipped(ready):
                _compile(ready)
            ready.replace(made)
    return made


def run(asked: list[str], source: str = "", dropped: tuple[str, ...] = ()) -> None:
    """Run the compiler; raise KernelCompileError with the reader's lines if it fails."""
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise KernelCompileError(explain(done.stderr, source, dropped))


def _take_shipped(ready: Path) -> bool:
    """Use the wheel's executor, if it is of the same files and this compiler can link it."""
    shipped = _shipped()
    if shipped is None:
        return False
    ready.write_bytes(shipped.read_bytes())
    probe = ready.with_suffix(".so")
    try:
        run([*compiler(), "-shared", str(ready), "-o", str(probe), *LINK])
    except KernelCompileError:
        return False
    return True


def _shipped() -> Path | None:
    # An editable install keeps compiled files outside of the source folder.
    for folder in sys.modules["gpucore"].__path__:
        path = Path(folder, "_lib", f"watched-{executor_digest()}.o")
        if path.is_file():
            return path
    return None


def _compile(ready: Path) -> None:
    print("Compiling the executor, once on this machine: the next kernels take a second.")
    sources = executor_sources()
    objects = [ready.with_name(f"{path.parent.name}-{path.stem}.o") for path in sources]
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        list(pool.map(_compile_part, sources, objects))
    run([*compiler(), "-r", "-nostdlib", *map(str, objects), "-o", str(ready)])


def _compile_part(source: Path, target: Path) -> None:
    run([*command(EXECUTOR), "-c", str(source), "-o", str(target)])
