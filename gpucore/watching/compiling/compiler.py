"""Compiles a reader's kernel for the instrumented host executor.

A kernel takes about half a second. `warplens serve` never compiles what a visitor types: its pages
do not import this package.
"""

from __future__ import annotations

import hashlib
import re
import tempfile
from collections.abc import Sequence
from pathlib import Path

from gpucore.errors import KernelCompileError
from gpucore.watching.compiling.executor import PREFIX, prepared, run
from gpucore.watching.source.hosted import MAIN
from gpucore.watching.source.messages import EXPORTS, SOURCE_NAME
from gpucore.watching.source.translate import Translated
from gpucore.watching.toolchain import KERNEL, LINK, SIMT, command, compiler

_UNIT = """#include "{prefix}"
{headers}
namespace {{
#line 1 "{name}"
{source}
#line 1 "{below}"
{exports}
}}
"""


def compile_kernel(source: str | Translated) -> Path:
    """Compile kernels and return the library, which the cache keeps.

    Parameters
    ----------
    source : str or Translated
        C++ with kernels written ``SIMT_KERNEL(name)(parameters) { ... }``, or CUDA C++ that
        :func:`gpucore.watching.source.translate.translate` has read.

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
    if isinstance(source, str):
        source = Translated(source, (), (), source, dict.fromkeys(names, ()))
    return _compile(source, kernel_unit(source))


def kernel_unit(source: Translated) -> str:
    """Return the unit of translated kernels for the compiler."""
    names = enumerate(source.kernels)
    exports = (f'SIMT_EXPORT_AS({number}, "{name}", {name})' for number, name in names)
    return _unit(source, "\n".join(exports), source.headers)


def compile_program(source: Translated) -> Path:
    """Compile a whole program and return the library, which the cache keeps.

    Raises
    ------
    KernelCompileError
        The source has a mistake; the message is the compiler's, with the source's own lines.
    MissingDependency
        There is no compiler.
    """
    export = f"static const ::simt::program::Main simt_export_main({MAIN});"
    headers = ("cuda/runtime/runtime.h", *source.headers)
    return _compile(source, _unit(source, export, headers))


def _unit(source: Translated, exports: str, headers: Sequence[str]) -> str:
    return _UNIT.format(
        prefix=PREFIX,
        headers="\n".join(f"#include <{name}>" for name in headers),
        name=SOURCE_NAME,
        below=EXPORTS,
        source=source.text,
        exports=exports,
    )


def _compile(source: Translated, unit: str) -> Path:
    folder = prepared()
    library = folder / f"kernel-{hashlib.sha256(unit.encode()).hexdigest()[:16]}.so"
    if not library.exists():
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            text = Path(scratch, "unit.cpp")
            text.write_text(unit, encoding="utf-8")
            ready = Path(scratch, library.name)
            folders = [f"-I{part}" for part in (folder, SIMT, SIMT / "cuda" / "include")]
            made = str(text.with_suffix(".o"))
            asked = [*command(KERNEL), *folders, "-c", str(text), "-o", made]
            said = run(asked, source.source, source.dropped)
            _said(library).write_text(said, "utf-8")
            parts = [made, str(folder / "executor.o"), "-o", str(ready)]
            run([*compiler(), "-shared", *parts, *LINK], source.source, source.dropped)
            ready.replace(library)
    return library


def said_of(library: Path) -> str:
    """Return the compiler's warnings of a library that it made."""
    return _said(library).read_text("utf-8") if _said(library).exists() else ""


def _said(library: Path) -> Path:
    return library.with_suffix(".txt")


def kernel_names(source: str | Translated) -> list[str]:
    """Return the names of the kernels in a source.

    Examples
    --------
    >>> kernel_names("SIMT_KERNEL(copy)(int* out) { out[threadIdx.x] = 1; }")
    ['copy']
    """
    if isinstance(source, Translated):
        return list(source.kernels)
    return re.findall(r"^\s*SIMT_KERNEL\(\s*(\w+)", source, re.MULTILINE)
