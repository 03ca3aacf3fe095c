"""Plain CUDA C++ in the form that the host executor compiles, line by line the same.

The executor runs every lane as a function of its own, so three things are written in another way:
how a kernel begins, and static and dynamic shared memory. Everything else of the subset is CUDA's
own: the names of ``gpucore/simt/cuda``, ``__device__`` functions, templates of them, structures.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from gpucore.errors import KernelCompileError
from gpucore.watching.compiler import SIMT

_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_KERNEL = re.compile(
    r'(?:extern\s+"C"\s+)?(?:static\s+)?__global__\s+(?:__launch_bounds__\s*\([^)]*\)\s*)?void\s+'
    r"(?:__launch_bounds__\s*\([^)]*\)\s*)?(\w+)\s*(?=\()"
)
_SHARED = re.compile(
    r"__shared__\s+(?:__align__\s*\(\d+\)\s*)?((?:const\s+|volatile\s+|unsigned\s+|signed\s+|long\s+)*[\w:]+)"
    r"\s+(\w+)\s*((?:\[[^\]]*\]\s*)*);"
)
_DYNAMIC = re.compile(
    r"extern\s+__shared__\s+(?:__align__\s*\(\d+\)\s*)?"
    r"((?:unsigned\s+|signed\s+|long\s+)*[\w:]+)\s+(\w+)\s*\[\s*\]\s*;"
)
#: CUDA's headers that are there, and those of C and C++ that a source has in any case.
_NAMES = SIMT / "cuda" / "cuda.h"
_INCLUDE = SIMT / "cuda" / "include"
_HEADERS = re.findall(r"^#include <(.+)>", _NAMES.read_text(), re.MULTILINE) + [
    path.relative_to(_INCLUDE).as_posix() for path in _INCLUDE.rglob("*") if path.is_file()
]
_KNOWN = "|".join(map(re.escape, _HEADERS))


@dataclass(frozen=True)
class _Outside:
    """Something of CUDA C++ that the host executor does not run."""

    pattern: str
    what: str
    instead: str


_OUTSIDE = (
    _Outside(r"\bextern\s+\"C\"\s*\{", 'a block extern "C" { }', "write it before each kernel"),
    _Outside(r"template\s*<[^>]*>\s*(?:static\s+)?__global__", "a template of a kernel",
             "write the kernel for one type; templates of __device__ functions work"),
    _Outside(r"<<<", "a launch inside of the source", "launch with grid= and block="),
    _Outside(r"\basm\b", "inline PTX", "use CUDA's functions"),
    _Outside(r"\b__constant__\b", "constant memory", "pass the values as an argument"),
    _Outside(r"\bcoalesced_threads\b", "coalesced_threads",
             "which lanes run together is up to the GPU; use tiled_partition, or a mask"),
    _Outside(r"\b(?:tex[123]D\w*|surf[123]D\w*|cudaTextureObject_t)\b", "textures and surfaces",
             "pass an array"),
    _Outside(r"\b(?:wmma|nvcuda)\b", "tensor cores", "multiply by lanes"),
    _Outside(r"\b(?:malloc|free|new|delete)\b\s*[(\w]", "the heap",
             "pass an array for what is allocated, with a counter of its used part"),
    _Outside(rf"^[ \t]*#[ \t]*include\b(?!\s*[<\"](?:{_KNOWN})[>\"])", "an include",
             "put what it declares into the source; CUDA's own headers are there already"),
)  # fmt: skip


def translate(source: str) -> str:
    r"""Return the source for the host executor; every line keeps its number.

    Parameters
    ----------
    source : str
        CUDA C++ with kernels ``__global__ void name(parameters) { ... }``.

    Raises
    ------
    KernelCompileError
        The source has something outside of the subset, or has no kernel. The message names the
        line.

    Examples
    --------
    >>> print(translate("__global__ void add(int* x)\n{ __shared__ int s[4]; }"))
    SIMT_KERNEL(add)(int* x)
    { SIMT_SHARED(int[4], s); }
    """
    _refuse(source)
    text = _DYNAMIC.sub(lambda found: _padded(found, "SIMT_DYN_SHARED({0}, {1});"), source)
    text = _SHARED.sub(lambda found: _padded(found, "SIMT_SHARED({0}{2}, {1});"), text)
    return _KERNEL.sub(lambda found: _padded(found, "SIMT_KERNEL({0})"), text)


def _padded(found: re.Match[str], form: str) -> str:
    """Return the new text with as many line ends as the old one."""
    groups = (re.sub(r"\s+", " ", group or "").strip() for group in found.groups())
    return form.format(*groups) + "\n" * found[0].count("\n")


def _refuse(text: str) -> None:
    """Raise an error at the first thing that the executor does not run."""
    # Comments keep their lines, so that the numbers stay.
    code = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    for outside in _OUTSIDE:
        if found := re.search(outside.pattern, code, re.MULTILINE):
            line = code.count("\n", 0, found.start()) + 1
            raise KernelCompileError(
                f"line {line}: {outside.what} cannot be watched; {outside.instead}"
            )
    for found in re.finditer(r"\b__shared__\b[^;]*;?", _DYNAMIC.sub("", code)):
        if not _SHARED.fullmatch(found[0]):
            line = _DYNAMIC.sub("", code).count("\n", 0, found.start()) + 1
            raise KernelCompileError(
                f"near line {line}: this form of __shared__ cannot be watched; declare one name a "
                "line, as in __shared__ float tile[32][33];"
            )
    if not _KERNEL.search(code):
        raise KernelCompileError(
            "there is no kernel; begin it with __global__ void name(parameters) { ... }"
        )
