"""Compiles a reader's kernel for the instrumented host executor.

The executor itself is compiled once and kept in a cache folder; a kernel then takes about half a
second. `warplens serve` never compiles what a visitor types: its pages do not import this package.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import gpucore
from gpucore.errors import KernelCompileError, MissingDependency

#: File name of a reader's source, for the compiler and the profile.
SOURCE_NAME = "your_kernel.cu"

SIMT = Path(gpucore.__file__).parent / "simt"

# As in gpucore/simt/executor.cmake and instrument.cmake.
_COMMON: tuple[str, ...] = (
    "-std=gnu++17",
    "-fPIC",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
)
_COMMON += ("-DNDEBUG", "-DSIMT_INSTRUMENT", "-DSIMT_TLS=__thread")
_EXECUTOR = ("-O2",)
_KERNEL: tuple[str, ...] = ("-O1", "-fno-reorder-blocks", "-g1", "-fsanitize=thread")
_KERNEL += (
    "--param",
    "tsan-distinguish-volatile=1",
    "--param",
    "tsan-instrument-func-entry-exit=0",
)
_KERNEL += ("-fsanitize-coverage=trace-pc", "-ffp-contract=off", "-fno-math-errno")
_KERNEL += ("-fno-tree-sra",)  # an access to a float4 is one, and not one of each part
_KERNEL += ("-fno-strict-aliasing", "-Wall", "-Wno-unused-function", "-Wno-unknown-pragmas")

_UNIT = """#define SIMT_STEM "lab"
#define RECORD 0
#include "simt.h"
{cuda}namespace {{
#line 1 "{name}"
{source}
#line 1 "exports"
{exports}
}}
"""

#: CUDA's own names, also those of its headers.
_CUDA = '#include "cuda/cuda.h"\n'

_NO_COMPILER = (
    "kernels of your own are compiled with GCC 11 or newer, and {problem}; "
    "install it (Debian, Ubuntu: apt install g++; conda: conda install gxx) "
    "or name one: set the environment variable CXX before Python starts"
)


def cache_folder() -> Path:
    """Return the folder of compiled kernels; WARPLENS_CACHE names another one."""
    named = os.environ.get("WARPLENS_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named) if named else Path(base) / "warplens" / "labs"


@cache
def compiler() -> tuple[str, ...]:
    """Return the compiler's command.

    Raises
    ------
    MissingDependency
        There is none, or it cannot make instrumented kernels.
    """
    named = shlex.split(os.environ.get("CXX", ""))
    candidates = [named] if named else [["g++"], ["c++"]]
    problem = f"{named[0] if named else 'g++'} was not found"
    for command in candidates:
        if shutil.which(command[0]) is None:
            continue
        reason = _unfit(command)
        if reason is None:
            return tuple(command)
        problem = reason
    raise MissingDependency(_NO_COMPILER.format(problem=problem))


def _unfit(command: list[str]) -> str | None:
    """Return why a compiler cannot build instrumented kernels; None if it can."""
    asked = [*command, "-dM", "-E", "-x", "c++", os.devnull]
    text = subprocess.run(asked, capture_output=True, text=True, check=False).stdout
    macros = dict(re.findall(r"^#define (\w+) (.*)$", text, re.MULTILINE))
    if "__clang__" in macros or int(macros.get("__GNUC__", 0)) < 11:
        return f"{command[0]} is another compiler or an older one"
    return None


def compile_kernel(source: str, *, cuda: bool = False) -> Path:
    """Compile kernels and return the library, which the cache keeps.

    Parameters
    ----------
    source : str
        CUDA C++ with kernels written ``SIMT_KERNEL(name)(parameters) { ... }``.
    cuda : bool
        Whether the source may use all of CUDA's names; without them it compiles more quickly.

    Raises
    ------
    KernelCompileError
        The source has a mistake; the message is the compiler's, with the source's own lines.
    MissingDependency
        There is no compiler.
    """
    names = kernel_names(source)
    if not names:
        raise KernelCompileError(
            "there is no kernel: begin it with SIMT_KERNEL(name)(parameters) { ... }"
        )
    objects = _executor()
    folder = objects[0].parent
    exports = "\n".join(f"SIMT_EXPORT({name})" for name in names)
    head = _CUDA if cuda else ""
    unit = _UNIT.format(cuda=head, name=SOURCE_NAME, source=source, exports=exports)
    library = folder / f"kernel-{hashlib.sha256(unit.encode()).hexdigest()[:16]}.so"
    if not library.exists():
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            text = Path(scratch) / "unit.cpp"
            text.write_text(unit)
            made = Path(scratch) / "unit.o"
            folders = ("-I", str(SIMT), "-I", str(SIMT / "cuda" / "include"))
            _run([*_command(_KERNEL), *folders, "-c", str(text), "-o", str(made)], source)
            ready = Path(scratch) / library.name
            parts = [str(made), *map(str, objects)]
            _run([*compiler(), "-shared", *parts, "-o", str(ready), "-pthread", "-ldl"], source)
            ready.replace(library)
    return library


def kernel_names(source: str) -> list[str]:
    """Return the names of the kernels in a source.

    Examples
    --------
    >>> kernel_names("SIMT_KERNEL(copy)(int* out) { out[threadIdx.x] = 1; }")
    ['copy']
    """
    return re.findall(r"^\s*SIMT_KERNEL\(\s*(\w+)", source, re.MULTILINE)


def _command(options: tuple[str, ...]) -> list[str]:
    shadow = ("-fcf-protection=none",) if platform.machine() in ("x86_64", "AMD64") else ()
    return [*compiler(), *_COMMON, *shadow, *options]


def _executor() -> list[Path]:
    """Return the executor's object files; the first call on a machine compiles them."""
    sources = sorted([*SIMT.glob("core/*.cpp"), *SIMT.glob("instrument/*.cpp")])
    digest = hashlib.sha256(repr(_command(_EXECUTOR + _KERNEL)).encode())
    version = subprocess.run([*compiler(), "--version"], capture_output=True, check=False)
    digest.update(version.stdout)
    for path in sorted([*sources, *SIMT.rglob("*.h")]):
        digest.update(path.name.encode() + path.read_bytes())
    folder = cache_folder() / digest.hexdigest()[:16]
    objects = [folder / f"{path.parent.name}-{path.stem}.o" for path in sources]
    if not all(path.exists() for path in objects):
        folder.mkdir(parents=True, exist_ok=True)
        print("Compiling the executor, once on this machine: the next kernels take a second.")
        with ThreadPoolExecutor(min(4, os.cpu_count() or 1)) as pool:
            list(pool.map(_compile_part, sources, objects))
    return objects


def _compile_part(source: Path, target: Path) -> None:
    # Under a temporary name first: two notebooks may compile it at the same time.
    with tempfile.TemporaryDirectory(dir=target.parent) as scratch:
        made = Path(scratch) / target.name
        _run([*_command(_EXECUTOR), "-c", str(source), "-o", str(made)], "")
        made.replace(target)


def _run(command: list[str], source: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise KernelCompileError(explain(done.stderr, source))


def explain(message: str, source: str) -> str:
    r"""Return the compiler's errors with the lines they are about, without its inner notes.

    Examples
    --------
    >>> print(explain("your_kernel.cu:2:5: error: 'x' was not declared", "int y;\n    x = 1;"))
    the kernel does not compile:
    line 2: 'x' was not declared
        2 |     x = 1;
    """
    lines = source.splitlines()
    # A template of a header may refuse what the source wants of it.
    place = rf"^{re.escape(SOURCE_NAME)}:(\d+):\d+:(?: +required from here\n[^\n]*?:\d+:\d+:)?"
    pattern = place + r" (?:fatal )?error: (?:static assertion failed: )?(.*)$"
    report = []
    for number, text in re.findall(pattern, message, re.MULTILINE)[:5]:
        report.append(f"line {number}: {text}")
        if int(number) <= len(lines):
            report.append(f"    {number} | {lines[int(number) - 1]}")
    if not report:
        report = message.strip().splitlines()[-12:]
    return "\n".join(["the kernel does not compile:", *report])
