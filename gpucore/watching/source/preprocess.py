"""Runs the compiler's preprocessor over a reader's source alone.

Its macros are expanded and its conditions decided, as for a GPU of compute capability 8.0. Headers
of CUDA and the small ones of C++ are left for the compiler; a header that is in none of the given
folders is left out.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from gpucore.errors import KernelCompileError
from gpucore.watching.source.lexer import words
from gpucore.watching.source.messages import SOURCE_NAME, explain
from gpucore.watching.toolchain import SIMT, compiler

#: Headers of C++ that cost little; device code has no use for the others.
_SMALL = words(
    "assert.h cassert cfloat climits cmath cstddef cstdint cstdio cstdlib cstring float.h limits "
    "limits.h math.h stddef.h stdint.h stdio.h stdlib.h string.h type_traits utility cinttypes "
    "inttypes.h"
)
#: Headers that read a macro of the source, NDEBUG.
_SWITCHED = ("assert.h", "cassert")
_DEFINED = (
    "-D__CUDACC__",
    "-D__NVCC__",
    "-D__CUDA_ARCH__=800",
    "-DCUDA_VERSION=12000",
    "-DCUDART_VERSION=12000",
    "-D__CUDACC_VER_MAJOR__=12",
    "-D__CUDACC_VER_MINOR__=0",
)
#: CUDA's headers and the larger ones of C++, C and POSIX.
_KNOWN = re.compile(
    r"\w+|(?:cuda|cu|sys|thrust|cub|nv)\w*(?:[/.].*)?|(?:time|unistd|getopt|omp|mpi|pthread|signal|"
    r"errno|ctype|malloc|memory|device_\w+|vector_\w+|cooperative_groups|math_\w+|mma|\w+intrin)\.h"
)
#: As GCC and Clang say it.
_MISSING = re.compile(r"fatal error: (?:(.+): No such file or directory|'(.+)' file not found)")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)
_MARK = re.compile(r'# (\d+) "([^"]*)".*')
_KEPT = "#pragma simt_include "
#: Folders below the scratch folder: "../../name" of a missing header stays inside.
_DEPTH = "a/b/c/d/e/f"


@dataclass(frozen=True)
class Preprocessed:
    """A source without macros.

    Attributes
    ----------
    text : str
        Every line of the reader's file has its number, or ``#line`` before it.
    headers : tuple of str
        What the compiler has to include.
    dropped : tuple of str
        Headers that were not found.
    """

    text: str
    headers: tuple[str, ...]
    dropped: tuple[str, ...]


def preprocess(
    source: str, include: Sequence[str | Path] = (), *, hosted: bool = False
) -> Preprocessed:
    """Expand the macros of a source, and the headers that the folders have.

    Parameters
    ----------
    source : str
    include : sequence of path
        Folders of its headers.
    hosted : bool
        It has host code, too: every header that the compiler has is kept.

    Raises
    ------
    KernelCompileError
        The preprocessor's message, with the reader's line.
    MissingDependency
        There is no compiler.
    """
    # Headers in folders may change between two calls; without any the result stays.
    expand = _expand if include else _expand_once
    return expand(source, tuple(include), hosted)


def _expand(source: str, include: tuple[str | Path, ...], hosted: bool) -> Preprocessed:
    dropped: list[str] = []
    files = {SOURCE_NAME: source}
    found = [Path(folder) for folder in include]
    for name in dict.fromkeys(_INCLUDE.findall(source)):
        if not any((folder / name).is_file() for folder in found):
            _stub(files, name, dropped, hosted)
    asked = ["-E", "-std=gnu++17", "-x", "c++", "-w", "-nostdinc", *_DEFINED]
    asked += [f"-I{folder.absolute()}" for folder in found]
    while True:
        done = tool([*asked, "-idirafter", _DEPTH, SOURCE_NAME], files)
        missing = _MISSING.search(done.stderr)
        if missing is None or not _stub(files, missing[1] or missing[2], dropped, hosted):
            break
    if done.returncode:
        raise KernelCompileError(explain(done.stderr, source))
    text, headers = _numbered(done.stdout.splitlines())
    # A condition of the source may leave an include out.
    absent = tuple(name for name in dropped if f'"{_DEPTH}/{name}" 1' in done.stdout)
    return Preprocessed(text, tuple(dict.fromkeys(headers)), absent)


class Done(Protocol):
    """What a run of the preprocessor left."""

    returncode: int
    stdout: str
    stderr: str


def _run(asked: Sequence[str], files: Mapping[str, str]) -> Done:
    with tempfile.TemporaryDirectory() as scratch:
        Path(scratch, _DEPTH).mkdir(parents=True)
        for name, text in files.items():
            path = Path(scratch, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return subprocess.run(
            [*compiler(), *asked], capture_output=True, encoding="utf-8", errors="replace",
            cwd=scratch,
        )  # fmt: skip


#: Runs the preprocessor over files by name; the playground, which has no processes, has its own.
tool: Callable[[Sequence[str], Mapping[str, str]], Done] = _run

_expand_once = lru_cache(64)(_expand)


def _stub(files: dict[str, str], name: str, dropped: list[str], hosted: bool) -> bool:
    """Make a header that stands for one that is not there; return whether it is new."""
    path = f"{_DEPTH}/{name}"
    if Path(name).is_absolute() or path in files or name.count("..") > _DEPTH.count("/"):
        return False
    if name in _SWITCHED:
        files[path] = (SIMT / "cuda" / "include" / "assert.h").read_text("utf-8")
        return True
    kept = name in _SMALL or (SIMT / "cuda" / "include" / name).is_file()
    kept = kept or (hosted and _is_installed(name))
    files[path] = f"{_KEPT}{name}\n" if kept else ""
    if not kept and not _known(name):
        dropped.append(name)
    return True


@lru_cache(1024)
def _is_installed(name: str) -> bool:
    """Return whether the compiler finds a header."""
    asked = [*compiler(), "-E", "-P", "-x", "c++", "-"]
    text = f"#if __has_include(<{name}>)\nyes\n#endif\n"
    done = subprocess.run(asked, input=text, capture_output=True, encoding="utf-8", check=False)
    return done.stdout.strip() == "yes"


def _known(name: str) -> bool:
    """Return whether a header is CUDA's or C++'s: its absence explains no error."""
    return _KNOWN.fullmatch(name) is not None


def _numbered(lines: Iterable[str]) -> tuple[str, list[str]]:
    """Return the text with every line of the reader's file in its place, and the headers."""
    made: list[str] = []
    headers: list[str] = []
    name, plain = SOURCE_NAME, True
    for line in lines:
        if found := _MARK.fullmatch(line):
            name, number = found[2], int(found[1])
            if _is_outside(name) or number == 0:
                continue
            if plain and name == SOURCE_NAME and number > len(made):
                made += [""] * (number - 1 - len(made))
            else:
                made.append(f'#line {number} "{Path(name).name}"')
                plain = False
        elif line.startswith(_KEPT):
            headers.append(line.removeprefix(_KEPT))
        elif not _is_outside(name):
            made.append(line)
    return "\n".join(made) + "\n", headers


def _is_outside(name: str) -> bool:
    """Return whether a file is the preprocessor's own, or stands for one that is not there."""
    return name.startswith("<") or name.startswith(_DEPTH)
