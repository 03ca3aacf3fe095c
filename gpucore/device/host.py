"""The host executor as a device: the kernels' own source, run lane by lane on the processor."""

from __future__ import annotations

import itertools
import os
import platform
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from gpucore import native
from gpucore.device.base import Device, Kernel
from gpucore.device.constants import check_defaults
from gpucore.device.memory import available_memory, physical_memory
from gpucore.errors import Cancelled, KernelError, ParameterError
from gpucore.progress import Cancel, Progress

Policy = Literal["sequential", "round_robin", "random"]
_POLICIES: tuple[str, ...] = get_args(Policy)

# The caller is asked every 50 ms. A kernel that does not answer this long after that, because a
# lane spins without ever meeting others, is torn off.
_PATIENCE = 0.5
_WATCH_INTERVAL = 0.1

_tokens = itertools.count(1)


@dataclass
class _Clock:
    seconds: float = 0.0


class HostDevice(Device):
    """Runs kernels with SIMT semantics on the processor.

    Parameters
    ----------
    policy : {"sequential", "round_robin", "random"}
        Who goes next: the same warp as long as it can, the next warp after every meeting of
        lanes, or anyone, drawn from `seed`.
    seed : int
        With one OS thread, the same seed gives the same run.
    resident : int
        Blocks that are at work on an OS thread at the same time.
    threads : int
        OS threads; with more than one the schedule is not reproducible.
    yield_atomic, yield_access : float
        Probability that a lane lets others go before an atomic, or before any access (which
        only the instrumented library notices).
    strict : bool
        Refuse what CUDA leaves undefined: a lane missing from its own mask, a mask that names a
        lane that has returned, a shuffle from outside the mask, and the like.
    poison : bool
        Fill the shared memory of every block with 0xcd before it begins.
    instrumented : bool
        Use the library that observes every access.
    library : path, optional
        A library with kernels of one's own, built with ``gpucore/simt/executor.cmake``.

    Attributes
    ----------
    stats : dict of str to int
        Figures of the last launch: ``collectives``, ``lane_steps`` (calls in which a lane met
        others), ``switches``, ``atomics``, ``cas_failed``, ``barriers``, ``grid_barriers``,
        ``blocks``.

    Raises
    ------
    ParameterError
        An option is out of its range.
    DeviceError
        The native library is not installed.
    """

    name = "host"
    xp = np
    max_threads_per_block = 1024
    shared_memory_per_block = 48 << 10

    def __init__(
        self,
        policy: Policy = "sequential",
        seed: int = 0,
        resident: int = 1,
        threads: int = 1,
        yield_atomic: float = 0.0,
        yield_access: float = 0.0,
        strict: bool = False,
        poison: bool = False,
        instrumented: bool = False,
        library: str | Path | None = None,
    ) -> None:
        if policy not in _POLICIES:
            raise ParameterError(f"policy {policy!r} is none of {', '.join(_POLICIES)}")
        if yield_access and not instrumented and library is None:
            raise ParameterError("yield_access needs instrumented=True")
        self.policy = policy
        self.seed = _within("seed", seed, 0, 2**64 - 1)
        self.resident = _within("resident", resident, 1, 512)
        self.threads = _within("threads", threads, 1, 256)
        self.yield_atomic = _probability("yield_atomic", yield_atomic)
        self.yield_access = _probability("yield_access", yield_access)
        self.strict = bool(strict)
        self.poison = bool(poison)
        self.instrumented = bool(instrumented)
        self.multiprocessors = self.threads
        self.library = native.library(library, instrumented=instrumented)
        self.stats: dict[str, int] = native.Stats().as_dict()
        self._own_library = library is not None
        self._kernels: dict[tuple[str, str, int], HostKernel] = {}
        self._token = 0

    def kernel(self, family: str, name: str, *, record: int = 0, **constants: int) -> Kernel:
        """Return a kernel; see :meth:`Device.kernel`."""
        if constants:
            if self._own_library:
                raise KernelError(f"{name}: the constants of another library are not known")
            check_defaults(family, constants)
        key = family, name, record
        if key not in self._kernels:
            self._kernels[key] = HostKernel(self, self.library.kernel(*key))
        return self._kernels[key]

    def asarray(self, a: Any) -> np.ndarray:
        """Return `a` as a C-contiguous NumPy array."""
        return np.ascontiguousarray(a)

    def to_host(self, a: Any) -> np.ndarray:
        """Return `a` as a NumPy array."""
        return np.asarray(a)

    def synchronize(self) -> None:
        """Do nothing: a launch returns when it has ended."""

    @contextmanager
    def timer(self) -> Iterator[_Clock]:
        """Measure wall-clock time."""
        clock = _Clock()
        start = time.perf_counter()
        try:
            yield clock
        finally:
            clock.seconds = time.perf_counter() - start

    def free_memory(self) -> int:
        """Return the bytes this process can still get."""
        return available_memory()

    def total_memory(self) -> int:
        """Return the bytes this process may have in all."""
        return physical_memory()

    def address(self, array: Any) -> int:
        """Return the address of an array's first element."""
        return int(array.ctypes.data)

    def describe(self) -> dict[str, object]:
        """Return the processor, the schedule and the versions."""
        return {
            "name": self.name,
            "model": _processor(),
            "cores": os.cpu_count(),
            "driver": None,
            "versions": {"python": platform.python_version(), "numpy": np.__version__},
            "policy": self.policy,
            "seed": self.seed,
            "resident": self.resident,
            "threads": self.threads,
            "yield_atomic": self.yield_atomic,
            "yield_access": self.yield_access,
            "strict": self.strict,
            "poison": self.poison,
            "instrumented": self.instrumented,
        }

    @contextmanager
    def cancel_with(self, cancel: Cancel | None, progress: Progress | None) -> Iterator[None]:
        """Let launches be cancelled and report progress; see :meth:`Device.cancel_with`."""
        with super().cancel_with(cancel, progress):
            if cancel is None:
                yield
                return
            ended = threading.Event()
            watcher = threading.Thread(
                target=self._watch, args=(cancel, ended), name="warpscope-cancel", daemon=True
            )
            watcher.start()
            try:
                yield
            finally:
                ended.set()
                watcher.join()

    def _watch(self, cancel: Cancel, ended: threading.Event) -> None:
        """Tear off a launch whose lanes do not hear that it was cancelled."""
        while not cancel.is_set():
            if ended.wait(_WATCH_INTERVAL):
                return
        while not ended.wait(_PATIENCE):
            self.library.cdll.simt_interrupt(self._token)


class HostKernel(Kernel):
    """A kernel of the native library."""

    device: HostDevice

    def __init__(self, device: HostDevice, entry: native.KernelEntry) -> None:
        super().__init__(device, entry.name, entry.signature)
        self._entry = entry

    def _launch(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        values: list[Any],
        shared_mem: int,
        cooperative: bool,
    ) -> None:
        device = self.device
        # One 8-byte cell an argument: an address, or a scalar in its first bytes.
        cells = np.zeros(max(1, len(values)), np.uint64)
        sizes = np.zeros(max(1, len(values)), np.uint64)
        for i, value in enumerate(values):
            if isinstance(value, np.ndarray):
                cells[i], sizes[i] = value.ctypes.data, value.nbytes
            else:
                cells[i : i + 1].view(np.uint8)[: value.itemsize] = np.frombuffer(value, np.uint8)
        addresses = cells.ctypes.data + np.arange(cells.size, dtype=np.uint64) * np.uint64(8)
        poll = _Poll(self.name, device._cancel, device._progress)
        request = native.Request(
            grid,
            block,
            shared_mem,
            device.shared_memory_per_block,
            cooperative,
            _POLICIES.index(device.policy),
            device.seed,
            device.resident,
            device.threads,
            round(device.yield_atomic * 65536),
            round(device.yield_access * 65536),
            device.strict,
            device.poison,
            next(_tokens),
            addresses.ctypes.data,
            sizes.ctypes.data,
            poll.pointer,
        )
        device._token = request.token
        outcome, stats, error = device.library.launch(self._entry, request)
        device.stats = stats.as_dict()
        if poll.raised is not None:
            raise poll.raised
        if outcome == native.FAILED:
            raise KernelError(f"{self.name}: {error}")
        if outcome == native.CANCELLED:
            raise Cancelled("the run was cancelled")


class _Poll:
    """Tells the executor, which asks on the launching thread, whether to go on or to stop."""

    def __init__(self, name: str, cancel: Cancel | None, progress: Progress | None) -> None:
        self._name, self._cancel, self._progress = name, cancel, progress
        self.raised: BaseException | None = None
        self.pointer = native.make_poll(self._ask)

    def _ask(self, done: int, total: int) -> int:
        try:
            if self._progress is not None:
                self._progress(self._name, done, total)
            return int(self._cancel is not None and self._cancel.is_set())
        except BaseException as error:  # Ctrl-C too; raised again once the launch has stopped
            self.raised = error
            return 1


def _within(name: str, value: int, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ParameterError(f"{name} must be an integer, not {value!r}")
    if not low <= value <= high:
        raise ParameterError(f"{name} is {value}; it must be {low} to {high}")
    return int(value)


def _probability(name: str, value: float) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise ParameterError(f"{name} is {value!r}; it must be a probability, 0.0 to 1.0")
    return number


def _processor() -> str:
    """Return the processor's name as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
