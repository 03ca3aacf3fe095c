"""Where the kernels' sources are, and with which options they are compiled for a GPU.

Both compilers of CUDA code read this: CuPy's on a machine with a GPU
(:mod:`gpucore.device.cuda`), and the one that needs no GPU (:mod:`gpucore.device.nvrtc`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from gpucore.errors import KernelError

_PACKAGE = Path(__file__).resolve().parents[1]

#: Folder of the kernels' sources, one ``FAMILY.cu`` a family.
KERNELS = _PACKAGE / "kernels"

#: Folders that ``#include`` searches, in this order.
INCLUDE = (_PACKAGE / "simt", KERNELS)

#: 0 recording compiled out, 1 counters, 2 counters and events.
RECORD_LEVELS = (0, 1, 2)

# Contraction to fused multiply-adds and flushing of denormals are off: the host executor has
# neither, and the same kernel has to compute the same bits on both devices.
_LANGUAGE = ("-std=c++17", "--fmad=false", "--ftz=false", "-lineinfo")


def families(folder: Path = KERNELS) -> list[str]:
    """Return the names of the kernel families of a folder, sorted."""
    return sorted(path.stem for path in folder.glob("*.cu"))


def source_path(family: str, folder: Path = KERNELS) -> Path:
    """Return the source file of a family, or raise KernelError with the known families."""
    path = folder / f"{family}.cu"
    if path.name not in {f"{name}.cu" for name in families(folder)}:
        known = ", ".join(families(folder)) or "none"
        raise KernelError(f"there is no kernel family {family!r}; the known ones are {known}")
    return path


def definitions(record: int, constants: Mapping[str, int]) -> tuple[str, ...]:
    """Return the ``-D`` options of a record level and of compile-time constants."""
    if record not in RECORD_LEVELS:
        raise KernelError(f"record level {record!r} is not one of {RECORD_LEVELS}")
    named = (f"-D{name}={int(value)}" for name, value in sorted(constants.items()))
    return (f"-DRECORD={record}", *named)


def compile_options(record: int, constants: Mapping[str, int]) -> tuple[str, ...]:
    """Return all options of a compilation but the architecture."""
    search = tuple(f"-I{folder}" for folder in INCLUDE)
    return (*_LANGUAGE, *definitions(record, constants), *search)


def digest(source: Path) -> str:
    """Return a SHA-256 of a kernel file and of every header that it may include.

    A cache of compiled kernels has to be keyed by this and not by the kernel's own text, or an
    edit of a header would leave a stale kernel in use.
    """
    headers = (path for folder in INCLUDE for path in sorted(folder.iterdir()))
    files = [source, *(path for path in headers if path.suffix in {".h", ".cuh"})]
    state = hashlib.sha256()
    for path in files:
        text = path.read_bytes()
        state.update(f"{path.name} {len(text)}\n".encode())
        state.update(text)
    return state.hexdigest()
