"""The instrumented executor as a file to link with, and its headers, ready for the compiler.

The executor is the wheel's, or compiled once on a machine. The headers are compiled once in any
case, for a compiler reads such a file only if it wrote it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from gpucore.errors import KernelCompileError
from gpucore.saving import cache_folder
from gpucore.watching.source.messages import explain
from gpucore.watching.toolchain import (
    EXECUTOR,
    HEADERS,
    KERNEL,
    LINK,
    SIMT,
    build_digest,
    command,
    compiler,
    executor_digest,
    executor_sources,
)

#: The file with what every kernel includes; the compiler takes PREFIX.gch in place of it.
PREFIX = "prefix.h"


def prepared() -> Path:
    """Return the folder with ``executor.o`` and the headers; the first call on a machine fills it.

    Raises
    ------
    KernelCompileError
        The compiler failed.
    MissingDependency
        There is no compiler.
    """
    folder = cache_folder() / build_digest()
    makers = {"executor.o": _make_executor, PREFIX: _make_prefix, f"{PREFIX}.gch": _make_headers}
    missing = [name for name in makers if not (folder / name).exists()]
    if missing:
        folder.mkdir(parents=True, exist_ok=True)
        # Under temporary names first: two notebooks may make them at the same time.
        with tempfile.TemporaryDirectory(dir=folder) as scratch, ThreadPoolExecutor() as pool:
            made = [Path(scratch, name) for name in missing]
            list(pool.map(lambda path: makers[path.name](path), made))
            for path in made:
                path.replace(folder / path.name)
    return folder


def run(asked: list[str], source: str = "", dropped: tuple[str, ...] = ()) -> str:
    """Run the compiler and return its warnings; raise KernelCompileError if it fails."""
    done = subprocess.run(asked, capture_output=True, encoding="utf-8", errors="replace")
    if done.returncode != 0:
        raise KernelCompileError(explain(done.stderr, source, dropped))
    return done.stderr


def _make_prefix(path: Path) -> None:
    path.write_text("".join(f'#include "{name}"\n' for name in HEADERS), "utf-8")


def _make_headers(path: Path) -> None:
    text = path.with_name("headers.h")
    _make_prefix(text)
    folders = ["-I", str(SIMT), "-I", str(SIMT / "cuda" / "include")]
    run([*command(KERNEL), *folders, "-x", "c++-header", str(text), "-o", str(path)])


def _make_executor(path: Path) -> None:
    if not _take_shipped(path):
        _compile(path)


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
    text = "Compiling the executor, once on this machine: the next kernels take a second."
    print(text, file=sys.stderr)  # stdout may be a program's, as JSON
    sources = executor_sources()
    objects = [ready.with_name(f"{path.parent.name}-{path.stem}.o") for path in sources]
    with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
        list(pool.map(_compile_part, sources, objects))
    run([*compiler(), "-r", "-nostdlib", *map(str, objects), "-o", str(ready)])


def _compile_part(source: Path, target: Path) -> None:
    run([*command(EXECUTOR), "-c", str(source), "-o", str(target)])
