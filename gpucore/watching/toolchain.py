"""The compiler on this machine, its options, and the folder of what it made."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import shutil
import subprocess
from functools import cache
from pathlib import Path

from gpucore.errors import MissingDependency

SIMT = Path(__file__).parents[1] / "simt"

# As in gpucore/simt/executor.cmake and instrument.cmake.
_COMMON: tuple[str, ...] = (
    "-std=gnu++17",
    "-fPIC",
    "-fvisibility=hidden",
    "-fvisibility-inlines-hidden",
)
_COMMON += ("-DNDEBUG", "-DSIMT_INSTRUMENT", "-DSIMT_TLS=__thread")
EXECUTOR = ("-O2",)
KERNEL: tuple[str, ...] = ("-O1", "-fno-reorder-blocks", "-g1", "-fsanitize=thread")
KERNEL += (
    "--param",
    "tsan-distinguish-volatile=1",
    "--param",
    "tsan-instrument-func-entry-exit=0",
)
KERNEL += ("-fsanitize-coverage=trace-pc", "-ffp-contract=off", "-fno-math-errno")
# An access to a float4 is one, and not one of each part; and passes that move accesses or leave
# them out run before accesses are marked.
KERNEL += ("-fno-tree-sra", "-fno-tree-sink", "-fno-tree-dse", "-fno-tree-loop-im")
# Nor does it conclude from an array's length how often a loop runs.
KERNEL += ("-fno-aggressive-loop-optimizations",)
# Warnings of variables without a value are read; others are about the executor's form.
KERNEL += ("-fno-strict-aliasing", "-Wuninitialized", '-DSIMT_STEM="lab"', "-DRECORD=0")

#: What every library of kernels is linked with; paths.py reads the relocations.
LINK = ("-pthread", "-ldl", "-Wl,--no-undefined", "-Wl,--emit-relocs")

#: Headers that every kernel of a reader begins with.
HEADERS = ("simt.h", "cuda/cuda.h")

_NO_COMPILER = (
    "kernels of your own are compiled with GCC 11 or newer, and {problem}; "
    "install it (Debian, Ubuntu: apt install g++; conda: conda install gxx) "
    "or name one: set the environment variable CXX before Python starts"
)


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


def command(options: tuple[str, ...]) -> list[str]:
    """Return the compiler's command with the options of all parts and these."""
    shadow = ("-fcf-protection=none",) if platform.machine() in ("x86_64", "AMD64") else ()
    return [*compiler(), *_COMMON, *shadow, *options]


@cache
def build_digest() -> str:
    """Return what changes with the compiler, its options, and the executor's files."""
    digest = hashlib.sha256(repr((command(EXECUTOR + KERNEL), LINK, HEADERS)).encode())
    asked = [*compiler(), "--version"]
    digest.update(subprocess.run(asked, capture_output=True, check=False).stdout)
    digest.update(executor_digest().encode())
    for path in sorted(SIMT.rglob("*.h")):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def executor_sources() -> list[Path]:
    """Return the executor's C++ files."""
    return sorted([*SIMT.glob("core/*.cpp"), *SIMT.glob("instrument/*.cpp")])


@cache
def executor_digest() -> str:
    """Return the digest of the files that the executor is compiled from, as watched.cmake's."""
    parts = [path for name in ("core", "host", "instrument") for path in SIMT.glob(f"{name}/*")]
    parts = sorted(path for path in parts if path.suffix in (".cpp", ".h"))
    digests = "".join(hashlib.sha256(path.read_bytes()).hexdigest() for path in parts)
    return hashlib.sha256(digests.encode()).hexdigest()[:16]
