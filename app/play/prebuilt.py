"""Our kernels and the puzzles', compiled beforehand: they run without the browser's compiler.

``tools/playground.py`` makes the archive with the compiler that the page has. A kernel is found by
its text: one letter of it changed, and the compiler has to come.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

#: The archive: of each kernel what is known of it, as JSON, and its module.
ARCHIVE = Path(__file__).with_name("prebuilt.zip")


@dataclass(frozen=True)
class Prebuilt:
    """A kernel's source that is compiled.

    Attributes
    ----------
    key : str
        Its name in the archive.
    parameters : dict of str to list of str
        The kernels, and the names of their parameters.
    about : str
        What the compiler says of it, as JSON.
    wasm : bytes
        Its module.
    """

    key: str
    parameters: dict[str, list[str]]
    about: str
    wasm: bytes


def key_of(code: str, kernel: str) -> str:
    """Return the key of a source of which a kernel is asked for; "" if it has one only."""
    return hashlib.sha256(f"{kernel}\0{code}".encode()).hexdigest()[:24]


def find(code: str, kernel: str) -> Prebuilt | None:
    """Return what is compiled of a source; None if that is nothing."""
    key = key_of(code, kernel)
    if key not in (kernels := _kernels()):
        return None
    about, wasm = kernels[key]
    found = json.loads(about)
    return Prebuilt(key, found["parameters"], json.dumps(found["about"]), wasm)


def read() -> dict[str, tuple[bytes, bytes]]:
    """Return all kernels by key, each as JSON and as module; none if there is no archive."""
    if not ARCHIVE.is_file():
        return {}
    with zipfile.ZipFile(ARCHIVE) as file:
        keys = {name.partition(".")[0] for name in file.namelist()}
        return {key: (file.read(f"{key}.json"), file.read(f"{key}.wasm")) for key in keys}


def write(kernels: Mapping[str, tuple[bytes, bytes]]) -> None:
    """Write the archive, the same bytes for the same kernels."""
    with zipfile.ZipFile(ARCHIVE, "w") as file:
        for key, parts in sorted(kernels.items()):
            for ending, data in zip(("json", "wasm"), parts, strict=True):
                entry = zipfile.ZipInfo(f"{key}.{ending}")  # without a date
                file.writestr(entry, data, zipfile.ZIP_DEFLATED, compresslevel=9)


_kernels = cache(read)
