"""What the playground has compiled beforehand: the puzzles' kernels, and those of our families."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path

import gpucore
from gpucore.device.source import files

from ..code.plain import plain_source
from . import parts
from .engine import headers
from .puzzles import PUZZLES

_KERNEL = re.compile(r"\bSIMT_KERNEL\((\w+)")
_PTX = re.compile(r"\basm\b")  # cannot be watched
_HERE = Path(__file__).parent
_WATCHING = Path(gpucore.__file__).parent / "watching"


def offered() -> Iterator[tuple[str, str]]:
    """Yield the code of each kernel, and its name; "" where the code has one only."""
    for puzzle in PUZZLES:
        yield puzzle.start, ""
        yield puzzle.solution, ""
    for name, path in sorted(files().items()):
        if path.suffix == ".cu":
            for kernel in _KERNEL.findall(path.read_text(encoding="utf-8")):
                code = plain_source(name, kernel)
                if not _PTX.search(code):
                    yield code, kernel


def compiler_digest() -> str:
    """Return the digest of what makes a module of a kernel, but for the kernel's own text."""
    paths = [*headers(), *(_WATCHING / "source").glob("*.py")]
    paths += [_WATCHING / "compiling" / "compiler.py"]
    paths += [_HERE / name for name in ("compiler.js", "places.js", "variables.js")]
    digest = hashlib.sha256(f"{parts.CLANG}{parts.BINARYEN}".encode())
    for path in sorted(paths):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()
