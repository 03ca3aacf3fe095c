"""Interface of devices, and the launch checks that they share."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from gpucore.compiles import Compiles
from gpucore.device.grid import HOST_THREADS
from gpucore.device.signature import Signature, check_dimensions
from gpucore.errors import DeviceError, KernelError
from gpucore.format import human_bytes
from gpucore.progress import Cancel, Progress, check

#: CUDA's limits of a grid and of a block; the host has the same, so that a GPU accepts every launch
#: that the host accepts.
GRID_LIMITS = (2**31 - 1, 65535, 65535)
BLOCK_LIMITS = (1024, 1024, 64)


class Timer(Protocol):
    """Elapsed time of a block of code; valid after the ``with`` block."""

    seconds: float


class Device(ABC):
    """A machine that runs kernels: a GPU, or the host executor.

    Attributes
    ----------
    name : str
        "cuda" or "host".
    xp : module
        The array library of the device's memory: ``cupy`` or ``numpy``.
    clock : str
        Unit of ``simt_time()`` in a kernel: "ns" (nanoseconds), or "steps" of the executor.
    max_threads_per_block, shared_memory_per_block, multiprocessors : int
        Limits of a launch; shared memory in bytes.
    """

    name: str
    clock: str
    xp: ModuleType
    max_threads_per_block: int
    shared_memory_per_block: int
    multiprocessors: int

    _cancel: Cancel | None = None
    _progress: Progress | None = None

    @abstractmethod
    def kernel(self, source: str, name: str, *, record: int = 0, **constants: int) -> Kernel:
        """Return a kernel; it is compiled if necessary, and cached.

        Parameters
        ----------
        source : str
            Name of a kernel file without its suffix.
        name : str
            Name of a kernel in this file.
        record : {0, 1, 2}
            Record level of the kernel: nothing, counters, events.
        **constants : int
            Compile-time constants of the source; the host has only their defaults.

        Raises
        ------
        KernelError
            There is no such kernel, or no such constant.
        KernelCompileError
            Its source does not compile.
        """

    def is_current(self) -> bool:
        """Return whether this is still the device that the thread would get."""
        return True

    def is_compiled(self, source: str, name: str) -> bool:
        """Return whether a kernel without a record is compiled; if not, that begins now.

        The caller has another way until then.
        """
        return True

    def finish_compiling(self) -> None:  # noqa: B027
        """Wait for all kernels that are being compiled, so that later runs are alike.

        Raises
        ------
        Cancelled
            See :meth:`cancel_with`.
        """

    def compile_ahead(self, needs: Compiles, record: int) -> None:  # noqa: B027
        """Compile what a run needs side by side, unless it is compiled; a GPU does.

        Parameters
        ----------
        needs : Compiles
            What the run declares.
        record : {0, 1, 2}
            Record level of the run.

        Raises
        ------
        Cancelled
            See :meth:`cancel_with`.
        """

    @property
    def kernels_loaded(self) -> int:
        """Number of kernels that were compiled or loaded so far.

        A run in which it grows was not warm. The host's kernels are loaded with the library: 0.
        """
        return 0

    @abstractmethod
    def asarray(self, a: Any) -> Any:
        """Return `a` as an array in the device's memory (no copy if it is there already)."""

    def asarray_at_rest(self, a: np.ndarray) -> Any:
        """Return a small array as the device's, soon; it waits for all that was launched before."""
        return self.asarray(a)

    def piece(self, memory: Any, begin: int, kind: type, count: int) -> Any:
        """Return part of an array of bytes, from `begin` on, as an array of so many elements."""
        return memory[begin : begin + np.dtype(kind).itemsize * count].view(kind)

    def clear(self, memory: Any, count: int) -> None:
        """Set the first bytes of an array of bytes to zero."""
        memory[:count] = 0

    @abstractmethod
    def to_host(self, a: Any) -> np.ndarray:
        """Return `a` as a NumPy array (no copy if it is one already)."""

    def to_host_later(self, a: Any) -> Callable[[], np.ndarray]:
        """Return what waits for a copy of `a` as it is now, and not for what is launched after."""
        copy = self.to_host(a).copy()
        return lambda: copy

    @abstractmethod
    def synchronize(self) -> None:
        """Wait until all launches have ended."""

    @abstractmethod
    def timer(self) -> AbstractContextManager[Timer]:
        """Return a context manager whose ``seconds`` is the time the device took inside it."""

    @abstractmethod
    def moment(self) -> Any:
        """Note a point in the device's work; unlike :meth:`timer` it does not wait."""

    @abstractmethod
    def seconds_between(self, start: Any, stop: Any) -> float:
        """Return the time between two moments; waits until the device has passed both."""

    @abstractmethod
    def free_memory(self) -> int:
        """Return the bytes that can still be allocated."""

    @abstractmethod
    def total_memory(self) -> int:
        """Return the bytes of memory of the device."""

    @abstractmethod
    def address(self, array: Any) -> int:
        """Return the device address of an array's first element (for tables of pointers)."""

    @abstractmethod
    def describe(self) -> dict[str, object]:
        """Return what identifies the device and its settings, JSON-able."""

    @abstractmethod
    def sibling(self, number: int) -> Device:
        """Return a device with the same settings for another rank.

        Of several cards, rank `number` takes the card of this number (modulo their count), which
        becomes the current one of the calling thread. On the host, `number` is added to the
        schedule's seed.
        """

    def sequence(self, launches: Sequence[Callable[[], None]]) -> Callable[[], None]:
        """Return one call that makes several prepared launches, one after the other.

        On a GPU this is one CUDA graph, which costs a fraction of single launches; it pays off for
        repeated sequences. The launches must not allocate memory or wait for the device.
        """

        def launch_all() -> None:
            for launch in launches:
                launch()

        return launch_all

    def release_unused(self) -> None:  # noqa: B027  # the host keeps none
        """Give back memory that is free but kept for later arrays, before large ones are made."""

    def require_memory(self, nbytes: int, what: str) -> None:
        """Raise DeviceError unless `nbytes` can be allocated for `what`."""
        free = self.free_memory()
        if nbytes > free:
            raise DeviceError(
                f"{what} needs {human_bytes(nbytes)}, but device {self.name!r} has only "
                f"{human_bytes(free)} free; choose a smaller graph or a lower record level"
            )

    def report(self, phase: str, done: int = 0, total: int = 0) -> None:
        """Report an algorithm's progress to the callback given to :meth:`cancel_with`."""
        if self._progress is not None:
            self._progress(phase, done, total)

    @contextmanager
    def cancel_with(self, cancel: Cancel | None, progress: Progress | None) -> Iterator[None]:
        """Let launches inside the ``with`` block be cancelled and report their progress.

        Parameters
        ----------
        cancel : Cancel or None
            When its ``is_set()`` returns true, the current or the next launch raises Cancelled.
        progress : callable or None
            Called as ``progress(kernel, blocks done, blocks)`` from the launching thread.
        """
        before = self._cancel, self._progress
        self._cancel, self._progress = cancel, progress
        try:
            yield
        finally:
            self._cancel, self._progress = before


class Kernel(ABC):
    """A kernel of a device; a call checks the launch completely, then launches.

    Parameters
    ----------
    device : Device
        Where it runs.
    name : str
        Its name, for messages.
    signature : Signature
        Its parameters.
    """

    def __init__(self, device: Device, name: str, signature: Signature) -> None:
        self.device = device
        self.name = name
        self.signature = signature

    def __repr__(self) -> str:
        parameters = ", ".join(str(p) for p in self.signature.parameters)
        return f"<kernel {self.name}({parameters}) on {self.device.name}>"

    def load(self) -> None:  # noqa: B027  # on the host there is nothing to load
        """Load the kernel now; otherwise its first launch does."""

    def __call__(
        self,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[Any],
        *,
        shared_mem: int = 0,
        cooperative: bool = False,
    ) -> None:
        """Launch the kernel.

        Parameters
        ----------
        grid, block : int or sequence of one to three ints
            Number of blocks, and threads in each.
        args : sequence
            Arrays of the device, contiguous and of the parameter's dtype; scalars as NumPy
            scalars of the exact type, or Python numbers that fit.
        shared_mem : int
            Bytes of dynamic shared memory.
        cooperative : bool
            All blocks run concurrently and may synchronise by ``simt_grid_sync``.

        Raises
        ------
        KernelError
            The launch is not possible, or the kernel failed.
        Cancelled
            See :meth:`Device.cancel_with`.
        """
        self.prepare(grid, block, args, shared_mem=shared_mem, cooperative=cooperative)()

    def prepare(
        self,
        grid: int | Sequence[int],
        block: int | Sequence[int],
        args: Sequence[Any],
        *,
        shared_mem: int = 0,
        cooperative: bool = False,
    ) -> Callable[[], None]:
        """Check a launch and return it as a function that can be called repeatedly.

        The checks take longer than many kernels, so timed launches should be prepared first.
        Parameters and errors are those of a call.
        """
        device = self.device
        values = self.signature.check(self.name, args, device.xp)
        grid3 = check_dimensions(self.name, "grid", grid, GRID_LIMITS)
        block3 = check_dimensions(self.name, "block", block, BLOCK_LIMITS)
        if math.prod(block3) > device.max_threads_per_block:
            raise KernelError(
                f"{self.name}: a block of {math.prod(block3)} threads; "
                f"the most is {device.max_threads_per_block}"
            )
        if not 0 <= shared_mem <= device.shared_memory_per_block:
            raise KernelError(
                f"{self.name}: {shared_mem} bytes of dynamic shared memory; a block can have "
                f"0 to {device.shared_memory_per_block}"
            )
        launch = self._bind(grid3, block3, values, int(shared_mem), cooperative)

        def checked() -> None:
            check(device._cancel)
            launch()

        return checked

    def max_resident_blocks(self, block: int, shared_mem: int = 0) -> int:
        """Return the number of blocks that run at once: the largest cooperative grid.

        On the host each thread of such a launch has a stack, so there are few.

        Parameters
        ----------
        block : int
            Threads of a block.
        shared_mem : int
            Bytes of its dynamic shared memory.
        """
        return max(1, HOST_THREADS // block)

    @abstractmethod
    def _bind(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        values: list[Any],
        shared_mem: int,
        cooperative: bool,
    ) -> Callable[[], None]:
        """Return the launch with checked values: arrays of the device and NumPy scalars."""
