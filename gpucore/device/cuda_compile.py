"""Compile kernels through CuPy and keep them on disk.

CuPy's own disk cache is not used, for two reasons.  Its key is the source's text without the
included headers, so an edited header would leave a stale kernel in use.
And ``RawModule(code=...)`` always flushes denormals to zero, which the host does not.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

from gpucore.device import ahead, source
from gpucore.errors import KernelCompileError
from gpucore.saving import make_directory, replacing


def cache_folder() -> Path:
    """Return the folder of compiled kernels; it is inside CuPy's configurable cache folder."""
    given = os.environ.get("CUPY_CACHE_DIR")
    base = Path(given) if given else Path.home() / ".cupy" / "kernel_cache"
    return base / "warpscope"


def compiled_file(path: Path, record: int, constants: Mapping[str, int]) -> Path:
    """Return a file with the machine code of a whole source for the current GPU.

    Parameters
    ----------
    path : Path
        The kernel's source.
    record : {0, 1, 2}
        Record level.
    constants : mapping of str to int
        Compile-time constants.

    Raises
    ------
    KernelCompileError
        The source does not compile, or the result cannot be stored.
    """
    return ahead.begin(_job(path, record, constants, None, source.digest(path))).result()


def begin_kernels(
    path: Path, names: Sequence[str], record: int, constants: Mapping[str, int]
) -> list[Future[Path]]:
    """Begin to compile kernels of a source, each alone and all side by side.

    Parameters
    ----------
    path, record, constants
        As of :func:`compiled_file`.
    names : sequence of str
        The kernels; the first ones begin first.

    Returns
    -------
    files : list of Future
        File of each kernel, or the error that :func:`compiled_file` raises.
    """
    digest = source.digest(path)
    return [ahead.begin(_job(path, record, constants, name, digest)) for name in names]


def _job(
    path: Path, record: int, constants: Mapping[str, int], kernel: str | None, digest: str
) -> ahead.Job:
    """Return the work of one file for the current GPU."""
    from cupy.cuda import Device, nvrtc

    options = source.compile_options(path, record, constants, kernel)
    device = Device()
    key = repr((digest, options, device.compute_capability, nvrtc.getVersion()))
    stem = path.stem if kernel is None else kernel
    name = f"{stem}-{hashlib.sha256(key.encode()).hexdigest()[:40]}.cubin"
    file = cache_folder() / name

    def work() -> None:
        with device:  # the current GPU of another thread may be another one
            write(file, _compile(path, options))

    return ahead.Job(file, work)


def _compile(path: Path, options: tuple[str, ...]) -> bytes:
    from cupy.cuda import compiler

    # NVRTC gets a copy of the text; with this line its messages and the line table of the
    # machine code name the real file. It also keeps NVRTC from writing a precompiled header, which
    # the next kernel could not use, since that is compiled with another `-D`.
    text = f'#line 1 "{path.as_posix()}"\n{path.read_text()}'
    try:
        code, _ = compiler.compile_using_nvrtc(text, options, filename=path.name)
    except compiler.CompileException as error:
        raise KernelCompileError(
            f"{path.name} does not compile for this GPU:\n{error.get_message()}"
        ) from error
    except (RuntimeError, OSError, ImportError) as error:
        raise KernelCompileError(
            f"{path.name} cannot be compiled, because NVRTC does not work: {error}; "
            "install the package nvidia-cuda-nvrtc, or the CUDA toolkit that suits the driver"
        ) from error
    return bytes(code)


def write(file: Path, code: bytes) -> None:
    """Write a file of the cache in one step: several processes may write it at the same time."""
    fix = "set CUPY_CACHE_DIR to a folder in which compiled kernels can be kept"
    make_directory(file.parent, KernelCompileError, fix)
    with replacing(file, KernelCompileError, fix) as stream:
        stream.write(code)
