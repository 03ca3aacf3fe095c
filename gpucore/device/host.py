"""The host executor as a device: the kernels' own source, run lane by lane on the processor."""

from __future__ import annotations

import ctypes as c
import itertools
import math
import os
import platform
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from gpucore import native
from gpucore.device.arguments import Arguments
from gpucore.device.base import Device, Kernel
from gpucore.device.constants import check_defaults
from gpucore.device.listen import Listener, watch
from gpucore.device.options import probability, within
from gpucore.device.profile import Profile, Profiler, joined
from gpucore.errors import Cancelled, DeviceError, KernelError, ParameterError
from gpucore.memory import available_memory, physical_memory
from gpucore.processor import processor_name
from gpucore.progress import Cancel, Progress

Policy = Literal["sequential", "round_robin", "random"]
_POLICIES: tuple[str, ...] = get_args(Policy)
Observe = Literal["all", "races", "lines", "nothing"]
_OBSERVE: tuple[str, ...] = get_args(Observe)

_tokens = itertools.count(1)


@dataclass
class _Clock:
    seconds: float = 0.0


class HostDevice(Device):
    """Runs kernels with SIMT semantics on the processor.

    Parameters
    ----------
    policy : {"sequential", "round_robin", "random"}
        Which warp runs next: the same one as long as it can, the next one after every collective or
        barrier, or a random one, drawn from `seed`.
    seed : int
        Seed of the schedule; with one OS thread, the same seed gives the same run.
    resident : int
        Blocks that run on one OS thread at the same time.
    threads : int
        OS threads; with more than one the schedule is not reproducible.
    yield_atomic, yield_access : float
        Probability that a lane lets others go before an atomic, or before any access (which
        only the instrumented library notices).
    strict : bool
        Raise an error for behaviour that CUDA leaves undefined: a lane that is not in its own mask,
        a mask with a lane that has returned, a shuffle from outside the mask, and the like.
    poison : bool
        Fill the shared memory of every block with 0xcd before it begins.
    instrumented : bool
        Use the library that observes every access of a kernel; see :meth:`profile`.
    observe : {"all", "races", "lines", "nothing"}
        What the library observes: data races, counters by source line, both, or nothing (for
        `yield_access` alone, which is then cheaper).
    library : path, optional
        A library with the user's own kernels, built with ``gpucore/simt/executor.cmake``.

    Attributes
    ----------
    stats : dict of str to int
        Counters of the last launch: ``collectives``, ``lane_steps`` (collective calls of single
        lanes), ``switches``, ``atomics``, ``cas_failed``, ``barriers``, ``grid_barriers``,
        ``blocks``.

    Notes
    -----
    A device belongs to one Python thread at a time; two devices can run side by side.

    Raises
    ------
    ParameterError
        An option is out of its range.
    DeviceError
        The native library is not installed.
    """

    name = "host"
    clock = "steps"
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
        observe: Observe = "all",
        library: str | Path | None = None,
    ) -> None:
        if not isinstance(policy, str) or policy not in _POLICIES:
            raise ParameterError(f"policy {policy!r} is none of {', '.join(_POLICIES)}")
        if not isinstance(observe, str) or observe not in _OBSERVE:
            raise ParameterError(f"observe {observe!r} is none of {', '.join(_OBSERVE)}")
        if yield_access and not instrumented:
            raise ParameterError("yield_access needs instrumented=True")
        if instrumented and threads != 1:
            raise ParameterError(f"instrumented=True needs threads=1, not {threads}")
        self.policy = policy
        self.seed = within("seed", seed, 0, 2**64 - 1)
        self.resident = within("resident", resident, 1, 512)
        self.threads = within("threads", threads, 1, 256)
        self.yield_atomic = probability("yield_atomic", yield_atomic)
        self.yield_access = probability("yield_access", yield_access)
        self.strict = bool(strict)
        self.poison = bool(poison)
        self.instrumented = bool(instrumented)
        self.observe = observe
        self.multiprocessors = self.threads
        self.library = native.library(library, instrumented=instrumented)
        #: One a library: families in other folders have their own.
        self._profilers: dict[native.Library, Profiler] = {}
        self._stats = native.Stats()
        self._steps = 0
        self._own_library = library is not None
        self._kernels: dict[tuple[str, str, int], HostKernel] = {}
        self._listener = Listener()
        self._token = next(_tokens)

    @property
    def options(self) -> dict[str, Any]:
        """The options that make a device like this one."""
        names = ("policy", "seed", "resident", "threads", "yield_atomic", "yield_access", "strict")
        found = {
            name: getattr(self, name) for name in (*names, "poison", "instrumented", "observe")
        }
        return found | {"library": self.library.path if self._own_library else None}

    def sibling(self, number: int) -> HostDevice:
        """Return a device with the same options and another seed; see :meth:`Device.sibling`."""
        return HostDevice(**self.options | {"seed": (self.seed + number) % 2**64})

    @property
    def stats(self) -> dict[str, int]:
        """Counters of the last launch."""
        return self._stats.as_dict()

    def kernel(self, source: str, name: str, *, record: int = 0, **constants: int) -> Kernel:
        """Return a kernel; see :meth:`Device.kernel`."""
        if constants:
            if self._own_library:
                raise KernelError(f"{name}: the constants of another library are not known")
            check_defaults(source, constants)
        key = source, name, record
        if key not in self._kernels:
            library = self._library_of(source)
            self._kernels[key] = HostKernel(self, library, library.kernel(*key))
        return self._kernels[key]

    def _library_of(self, source: str) -> native.Library:
        if self._own_library:
            return self.library
        return native.library_of(source, instrumented=self.instrumented)

    def _profiler_of(self, library: native.Library) -> Profiler | None:
        if not self.instrumented:
            return None
        return self._profilers.setdefault(library, Profiler(library))

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

    def moment(self) -> float:
        """Return the wall-clock time; a launch has ended when it returns."""
        return time.perf_counter()

    def seconds_between(self, start: float, stop: float) -> float:
        """See :meth:`Device.seconds_between`."""
        return stop - start

    def free_memory(self) -> int:
        """Return the bytes that this process can still allocate."""
        return available_memory()

    def total_memory(self) -> int:
        """Return the bytes of memory that this process may use in total."""
        return physical_memory()

    def address(self, array: Any) -> int:
        """Return the address of an array's first element."""
        return int(array.ctypes.data)

    def describe(self) -> dict[str, object]:
        """Return the processor, the schedule and the versions."""
        return {
            "name": self.name,
            "model": processor_name(),
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

    def profile(self) -> Profile:
        """Return the counters of all launches so far by source line, and the data races found.

        Raises
        ------
        DeviceError
            The device is not instrumented.
        """
        if not self.instrumented:
            raise DeviceError("only an instrumented device has a profile: use instrumented=True")
        profilers = self._profilers or {self.library: Profiler(self.library)}
        return joined([profiler.profile() for profiler in profilers.values()])

    def reset_profile(self) -> None:
        """Reset all counters and races."""
        self._profilers.clear()

    @contextmanager
    def cancel_with(self, cancel: Cancel | None, progress: Progress | None) -> Iterator[None]:
        """Let launches be cancelled and report progress; see :meth:`Device.cancel_with`."""
        with super().cancel_with(cancel, progress):
            if cancel is None:
                yield
                return
            with watch(cancel, self._interrupt):
                yield

    def _interrupt(self) -> None:
        """Stop the running launch by a signal, whatever its library."""
        for library in {kernel._library for kernel in self._kernels.values()}:
            library.interrupt(self._token)

    def _request(self) -> native.Request:
        """Return a launch request with the device's settings, without a kernel's arguments."""
        return native.Request(
            shared_limit=self.shared_memory_per_block,
            policy=_POLICIES.index(self.policy),
            seed=self.seed,
            resident=self.resident,
            threads=self.threads,
            yield_atomic=round(self.yield_atomic * 65536),
            yield_access=round(self.yield_access * 65536),
            strict=self.strict,
            poison=self.poison,
            token=self._token,
            steps_before=self._steps,
            poll=self._listener.function,
        )


class HostKernel(Kernel):
    """A kernel of the native library."""

    device: HostDevice

    def __init__(
        self, device: HostDevice, library: native.Library, entry: native.KernelEntry
    ) -> None:
        super().__init__(device, entry.name, entry.signature)
        self._library = library
        self._entry = entry

    def _bind(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        values: list[Any],
        shared_mem: int,
        cooperative: bool,
    ) -> Callable[[], None]:
        words, sizes = [*values], [0] * len(values)
        for index, value in enumerate(values):
            if isinstance(value, np.ndarray):
                words[index], sizes[index] = value.ctypes.data, value.nbytes
        arguments = Arguments(self.signature, values, words)
        array_sizes = (c.c_uint64 * len(sizes))(*sizes)
        return partial(self._launch, grid, block, arguments, array_sizes, shared_mem, cooperative)

    def _launch(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        arguments: Arguments,
        sizes: c.Array[c.c_uint64],
        shared_mem: int,
        cooperative: bool,
    ) -> None:
        device = self.device
        request = device._request()
        request.grid[:] = grid
        request.block[:] = block
        request.shared_bytes = shared_mem
        request.cooperative = cooperative
        request.arguments = arguments.address
        request.sizes = c.addressof(sizes)
        listener = device._listener
        listener.prepare(self.name, math.prod(grid), device._cancel, device._progress)
        profiler = device._profiler_of(self._library)
        if profiler is not None:
            profiler.choose(device.observe)
        outcome, device._stats, error = self._library.launch(self._entry, request)
        device._steps += device._stats.steps
        if profiler is not None:
            profiler.collect()
        if listener.raised is not None:
            raise listener.raised
        if outcome == native.FAILED:
            raise KernelError(f"{self.name}: {error}")
        if outcome == native.CANCELLED:
            raise Cancelled()
