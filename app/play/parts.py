"""What the engine has of npm packages, prepared once and kept in the cache, by part.

What is large is compressed (xz); the browser decompresses it, whatever the server does.
"""

from __future__ import annotations

import hashlib
import io
import lzma
import re
import tarfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from gpucore.errors import GraphError
from gpucore.saving import cache_folder, replacing

from .npm import Package

CLANG = Package(
    "@yowasp/clang",
    "22.0.0-git20542-10",
    "V31/z9GrJECKeACTDUyvg2llbEUiFi3bxtL5HSg7H/6sydSxdI/AoVAD9F5ozrfLjotWl0B9rghR87m+DUM/zg==",
)
BINARYEN = Package(
    "binaryen",
    "132.0.0",
    "4Usg7yEvwO3FMso3Oov6qkOOHSod1IEv+boKkh77kTljM+eNBouqCTbqWswGzbG+vDNO/b/v2C4gfEh1WgB9Lg==",
)
_PYODIDE = Package(
    "pyodide",
    "314.0.7",
    "0YvXxEhfEdpLfb/XkM2BFAeMROq0iMUX2bzzH9pOttyMcWkwq+HbE5uyuGD82LN7y2q+SNvi/6V5JEsOlD2R1A==",
)
_XZ = Package(
    "xz-decompress",
    "0.2.3",
    "O8v6HG8T0PrKBcpyWA13GkSYWFvncwzuzcLx5A7++l3HsE3atmoetXjIxrZ/JV/nbvSZ7WS4+3XvREZuVn+rEA==",
)
#: Headers of C++ that the executor's need, without those of other machines.
_HEADERS = re.compile(
    r"include(/c\+\+(/v1(/(?!__cxx03).*)?)?|/wasm32-wasip1(/.*)?|/(__)?(std|float|limits|stdarg)[\w.]*)?"
)


def prepared(part: str) -> list[Path]:
    """Return the files of a part, "Python" or "compiler", made once.

    Raises
    ------
    MissingDependency
        A package is not in the cache and cannot be fetched.
    """
    key = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:16]  # it says how they are made
    folder = cache_folder() / f"play-{key}"
    for name, content in PARTS[part].items():
        path = folder / name
        if not path.exists():
            folder.mkdir(parents=True, exist_ok=True)
            data = content()
            with replacing(path, GraphError, "name another folder by WARPLENS_CACHE") as file:
                file.write(lzma.compress(data, preset=9) if name.endswith(".xz") else data)
    return [folder / name for name in PARTS[part]]


def _read(package: Package, member: str) -> bytes:
    with tarfile.open(package.fetch()) as archive:
        file = archive.extractfile(f"package/{member}")
        assert file is not None, f"{package.name} has no {member}"
        return file.read()


def _module(script: bytes) -> bytes:
    """Return a CommonJS script as a module."""
    head = (
        b"const module = { exports: {} }, exports = module.exports, require = () => globalThis;\n"
    )
    return head + script + b"\nexport default module.exports;\n"


def _headers(resources: bytes) -> bytes:
    """Return the archive with the headers alone, whose entries stay as they are."""
    parts = []
    with tarfile.open(fileobj=io.BytesIO(resources)) as archive:
        for member in archive:
            if _HEADERS.fullmatch(member.name):
                blocks = -(-member.size // tarfile.BLOCKSIZE) * tarfile.BLOCKSIZE
                parts.append(resources[member.offset : member.offset_data + blocks])
    return b"".join([*parts, bytes(2 * tarfile.BLOCKSIZE)])


#: Files by part, each with what reads it.
PARTS: dict[str, dict[str, Callable[[], bytes]]] = {
    "Python": {
        **{
            name: partial(_read, _PYODIDE, name)
            for name in (
                "pyodide.mjs", "pyodide.asm.mjs", "pyodide-lock.json", "python_stdlib.zip"
            )
        },
        "pyodide.asm.wasm.xz": partial(_read, _PYODIDE, "pyodide.asm.wasm"),
        "xz.js": lambda: _module(_read(_XZ, "dist/package/xz-decompress.min.js")),
    },
    "compiler": {
        "clang.js": partial(_read, CLANG, "gen/bundle.js"),
        **{
            f"{name}.xz": partial(_read, CLANG, f"gen/{name}")
            for name in (
                "llvm.core.wasm", "llvm.core2.wasm", "llvm.core3.wasm", "llvm.core4.wasm"
            )
        },
        "llvm-resources.tar.xz": lambda: _headers(_read(CLANG, "gen/llvm-resources.tar")),
        "binaryen.js.xz": partial(_read, BINARYEN, "index.js"),
    },
}  # fmt: skip
