"""Files of the kernels' sources, and the options for compiling them for a GPU.

Families and kinds of problems have their own sources in their folders ``kernels/``.

Both compilers of CUDA code use this module: CuPy's on a machine with a GPU
(:mod:`gpucore.device.cuda`), and the one that needs no GPU (:mod:`gpucore.device.nvrtc`).
"""

from __future__ import annotations

import hashlib
import importlib
import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from gpucore.errors import KernelError

_PACKAGE = Path(__file__).resolve().parents[1]

#: Packages whose folders may have kernels.
_OWNERS = ("gpucore.families", "gpucore.problems")

#: Device code that families share.
SHARED = _PACKAGE / "kernels"

#: Search path of ``#include`` besides the source's own folder.
INCLUDE = (_PACKAGE / "simt", SHARED)

#: Record levels: 0 no recording, 1 counters, 2 counters and events.
RECORD_LEVELS = (0, 1, 2)

# No contraction to fused multiply-adds, no flushing of denormals: the host executor does neither,
# and a kernel must compute the same bits on both devices.
_LANGUAGE = ("-std=c++17", "--fmad=false", "--ftz=false", "-lineinfo")


def folders() -> Iterator[Path]:
    """Yield the folders of device code: the shared one, then each family's and each problem's."""
    yield SHARED
    for package in _OWNERS:
        for place in importlib.import_module(package).__path__:
            yield from sorted(Path(place).glob("*/kernels"))


@cache
def files() -> dict[str, Path]:
    """Return all files of device code by name."""
    found = (path for folder in folders() for path in sorted(folder.iterdir()))
    return {path.name: path for path in found if path.suffix in (".cu", ".cuh")}


def sources() -> list[str]:
    """Return the stems of all kernel sources, sorted."""
    return sorted(path.stem for path in files().values() if path.suffix == ".cu")


def source_path(source: str) -> Path:
    """Return the file of a kernel source, or raise KernelError with the known ones."""
    try:
        return files()[f"{source}.cu"]
    except KeyError:
        raise KernelError(
            f"there is no kernel source {source!r}; the known ones: {', '.join(sources())}"
        ) from None


def definitions(record: int, constants: Mapping[str, int]) -> tuple[str, ...]:
    """Return the ``-D`` options of a record level and of compile-time constants."""
    if record not in RECORD_LEVELS:
        raise KernelError(f"record level {record!r} is not one of {RECORD_LEVELS}")
    named = (f"-D{name}={int(value)}" for name, value in sorted(constants.items()))
    return (f"-DRECORD={record}", *named)


def compile_options(
    path: Path, record: int, constants: Mapping[str, int], kernels: Sequence[str] = ()
) -> tuple[str, ...]:
    """Return all options for compiling the file at `path`, except the architecture.

    With names of kernels, they compile no others; see ``SIMT_ONLY`` in ``simt.h``.
    """
    search = tuple(f"-I{folder}" for folder in (*INCLUDE, path.parent))
    only = ("-DSIMT_ONLY", *(f"-DSIMT_ONLY_{name}=~, KERNEL" for name in kernels))
    only = only if kernels else ()
    return (*_LANGUAGE, *definitions(record, constants), *only, *search)


def digest(source: Path) -> str:
    """Return a SHA-256 of a kernel file and of every header that it may include.

    This is the key of caches of compiled kernels. With the kernel's own text as the key, an edited
    header would leave a stale kernel in use. Files are read again only if one of them has changed.
    """
    folders = dict.fromkeys((*INCLUDE, source.parent))
    headers = (entry for folder in folders for entry in sorted(os.scandir(folder), key=_path_of))
    files = [entry for entry in headers if entry.name.endswith((".h", ".cuh"))]
    known = (str(source), *map(_path_of, files))
    return _digest(known, tuple(_state_of(Path(path).stat()) for path in known))


def _path_of(entry: os.DirEntry[str]) -> str:
    return entry.path


def _state_of(found: os.stat_result) -> tuple[int, int]:
    return found.st_mtime_ns, found.st_size


@cache
def _digest(paths: tuple[str, ...], _states: tuple[tuple[int, int], ...]) -> str:
    """Return a SHA-256 of files in the state that they have now."""
    state = hashlib.sha256()
    for path in map(Path, paths):
        text = path.read_bytes()
        state.update(f"{path.name} {len(text)}\n".encode())
        state.update(text)
    return state.hexdigest()
