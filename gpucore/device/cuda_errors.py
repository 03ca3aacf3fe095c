"""Translate CuPy's errors into the project's, each with its cause and its fix."""

from __future__ import annotations

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


class translated:  # noqa: N801  # reads like a function
    """Translate CuPy's errors in a ``with`` block into the project's.

    A run enters dozens of such blocks, and a small graph's takes less than a millisecond: without
    an error nothing is done here.

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

    def __init__(self, doing: str) -> None:
        self.doing = doing

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        """Translate the error that ended the block, if it is CuPy's."""
        if error is not None:
            _translate(error, self.doing)


def _translate(error: BaseException, doing: str) -> None:
    from cupy.cuda import driver, memory, runtime

    if isinstance(error, memory.OutOfMemoryError):
        raise DeviceError(
            f"the GPU ran out of memory while {doing}: {error}; take a smaller graph, a lower "
            "record level, or close other programs that use the GPU"
        ) from error
    if isinstance(error, (driver.CUDADriverError, runtime.CUDARuntimeError)):
        text = str(error)
        if any(name in text for name in _FATAL):
            raise KernelError(
                f"a kernel failed on the GPU, noticed while {doing}: {text}; the process has lost "
                "the GPU and must be restarted; run the same on the host device to find the line"
            ) from error
        raise KernelError(f"the GPU refused, while {doing}: {text}") from error
