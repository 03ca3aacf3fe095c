"""Compile kernels with the NVRTC that CuPy uses, and keep them on disk.

CuPy's own disk cache is not used, for two reasons.  Its key is the source's text without the
included headers, so an edited header would leave a stale kernel in use.
And ``RawModule(code=...)`` always flushes denormals to zero, which the host does not.

Every kernel is compiled by a process of its own, see :mod:`gpucore.device.nvrtc_process`.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path

from gpucore.device import ahead, nvrtc_process, source
from gpucore.errors import KernelCompileError
from gpucore.saving import make_directory, replacing


def cache_folder() -> Path:
    """Return the folder of compiled kernels; it is inside CuPy's configurable cache folder."""
    given = os.environ.get("CUPY_CACHE_DIR")
    base = Path(given) if given else Path.home() / ".cupy" / "kernel_cache"
    return base / "warplens"


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
    return _begin(path, (), record, constants)[0].result()


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
    return [_begin(path, (name,), record, constants)[0] for name in names]


def begin_together(path: Path, names: Sequence[str], record: int) -> list[Future[Path]]:
    """Begin to compile small kernels of a source in one go, which saves reading it for each.

    Their files are those of :func:`begin_kernels`, all with the same content.
    """
    return _begin(path, names, record, {})


def is_under_way(path: Path, name: str, record: int, constants: Mapping[str, int]) -> bool:
    """Return whether a kernel is being compiled, or waits for a thread to be compiled by."""
    return ahead.is_under_way(_file_of(path, name, record, constants))


def _file_of(path: Path, kernel: str | None, record: int, constants: Mapping[str, int]) -> Path:
    """Return the file of a kernel, or of a whole source, for the current GPU."""
    from cupy.cuda import Device, nvrtc

    options = source.compile_options(path, record, constants, () if kernel is None else (kernel,))
    versions = Device().compute_capability, nvrtc.getVersion()
    key = repr((source.digest(path), options, *versions))
    stem = path.stem if kernel is None else kernel
    return cache_folder() / f"{stem}-{hashlib.sha256(key.encode()).hexdigest()[:40]}.cubin"


def _begin(
    path: Path, names: Sequence[str], record: int, constants: Mapping[str, int]
) -> list[Future[Path]]:
    """Begin to compile kernels of a source in one go; all of them if none is named."""
    from cupy.cuda import Device

    files = {_file_of(path, name, record, constants): name for name in names or (None,)}
    device = Device()

    def work(missing: Sequence[Path]) -> None:
        kernels = [name for name in map(files.get, missing) if name is not None]
        with device:  # the current GPU of another thread may be another one
            code = _compile(path, source.compile_options(path, record, constants, kernels))
        for file in missing:
            write(file, code)

    return ahead.begin(list(files), work)


def _compile(path: Path, options: Sequence[str]) -> bytes:
    """Return machine code, or code for the driver's compiler where NVRTC is older than the GPU."""
    from cupy.cuda import Device, nvrtc

    try:
        from cuda.pathfinder import load_nvidia_dynamic_lib

        known = nvrtc.getSupportedArchs()
        library = Path(load_nvidia_dynamic_lib("nvrtc").abs_path)
    except (RuntimeError, OSError, ImportError) as error:
        raise _unusable(path, error) from error
    wanted = int(Device().compute_capability)
    best = max((arch for arch in known if arch <= wanted), default=wanted)
    kind = "sm" if best == wanted else "compute"
    return compile_in_process(library, path, (*options, f"-arch={kind}_{best}"))


def compile_in_process(library: Path, path: Path, options: Sequence[str]) -> bytes:
    """Compile a file by :mod:`gpucore.device.nvrtc_process`.

    Parameters
    ----------
    library : Path
        NVRTC's library.
    path : Path
        The kernel's source.
    options : sequence of str
        All options for the compiler.

    Returns
    -------
    bytes
        The compiler's output.

    Raises
    ------
    KernelCompileError
        The source does not compile; the text holds the compiler's messages. Or the process ended
        in another way, or could not be started.
    """
    program = (sys.executable, "-I", "-S", nvrtc_process.__file__)
    command = (*program, str(library), str(path), *options)
    try:
        # In a group of its own, since a Ctrl+C in a terminal is not meant for the compiler.
        ran = subprocess.run(
            command, input=path.read_bytes(), capture_output=True, check=False, process_group=0
        )
    except OSError as error:
        raise _unusable(path, error) from error
    messages = ran.stderr.decode(errors="replace").strip()
    if ran.returncode == nvrtc_process.REFUSED:
        raise KernelCompileError(f"{path.name} does not compile for this GPU:\n{messages}")
    if ran.returncode:
        last = messages.splitlines()[-1:] or [f"its process ended with {ran.returncode}"]
        raise _unusable(path, last[0])
    return ran.stdout


def _unusable(path: Path, reason: object) -> KernelCompileError:
    return KernelCompileError(
        f"{path.name} cannot be compiled, because NVRTC does not work: {reason}; "
        "install the package nvidia-cuda-nvrtc, or the CUDA toolkit that suits the driver"
    )


def write(file: Path, code: bytes) -> None:
    """Write a file of the cache in one step: several processes may write it at the same time."""
    fix = "set CUPY_CACHE_DIR to a folder in which compiled kernels can be kept"
    make_directory(file.parent, KernelCompileError, fix)
    with replacing(file, KernelCompileError, fix) as stream:
        stream.write(code)
