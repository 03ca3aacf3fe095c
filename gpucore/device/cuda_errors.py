"""Translate CuPy's errors into the project's, each with its cause and its fix."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gpucore.errors import DeviceError, KernelError

# After these the CUDA context of the process is lost: every later call fails as well.
_FATAL = (
    "ILLEGAL_ADDRESS",
    "IllegalAddress",
    "LAUNCH_FAILED",
    "LaunchFailure",
    "MISALIGNED_ADDRESS",
    "MisalignedAddress",
    "ASSERT",
    "cudaErrorAssert",
    "ILLEGAL_INSTRUCTION",
    "IllegalInstruction",
)


@contextmanager
def translated(doing: str) -> Iterator[None]:
    """Translate CuPy's errors in the block into the project's.

    Parameters
    ----------
    doing : str
        The operation, for the text: ``"launching suitor_nosync"``.

    Raises
    ------
    DeviceError
        The device is out of memory or does not work.
    KernelError
        A kernel was refused or failed while it ran.
    """
    from cupy.cuda import driver, memory, runtime

    try:
        yield
    except memory.OutOfMemoryError as error:
        raise DeviceError(
            f"the GPU ran out of memory while {doing}: {error}; take a smaller graph, a lower "
            "record level, or close other programs that use the GPU"
        ) from error
    except (driver.CUDADriverError, runtime.CUDARuntimeError) as error:
        text = str(error)
        if any(name in text for name in _FATAL):
            raise KernelError(
                f"a kernel failed on the GPU, noticed while {doing}: {text}; the process has lost "
                "the GPU and must be restarted; run the same on the host device to find the line"
            ) from error
        raise KernelError(f"the GPU refused, while {doing}: {text}") from error
