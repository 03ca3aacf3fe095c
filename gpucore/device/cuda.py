"""NVIDIA GPUs through CuPy.

CuPy is imported when a device is created, not with this module: it costs start-up time, and a CUDA
context in every process.
"""

from __future__ import annotations

import gc
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from gpucore import native
from gpucore.compiles import Compiles
from gpucore.device import cuda_ahead
from gpucore.device.ahead import under_way, wait_all, wait_for
from gpucore.device.base import Device
from gpucore.device.constants import check_known
from gpucore.device.cuda_compile import begin_kernels, is_under_way
from gpucore.device.cuda_errors import translated
from gpucore.device.cuda_kernel import CudaKernel
from gpucore.device.source import source_path
from gpucore.errors import DeviceError
from gpucore.installing import install_hint
from gpucore.progress import Cancel, Progress, check

# First driver generation of CUDA 13; an older one needs the packages of CUDA 12.
_CUDA_13 = 13000


class CudaTimer:
    """Elapsed time between two CUDA events; `seconds` is valid after the ``with`` block."""

    seconds: float = 0.0


class CudaDevice(Device):
    """The current CUDA device (chosen by ``CUDA_VISIBLE_DEVICES``).

    Raises
    ------
    DeviceError
        There is no usable GPU; the text has the reason.
    """

    name = "cuda"
    clock = "ns"

    def __init__(self) -> None:
        reason = self.unavailable()
        if reason is not None:
            raise DeviceError(f"no usable GPU: {reason}")
        import cupy

        # CuPy compiles CUB's templates for every reduction of its own: 1.2 s each, against 0.06 s
        # without them. Sums of whole arrays still use CUB where it is compiled in CuPy.
        cupy._core.set_reduction_accelerators([])
        self.xp: ModuleType = cupy
        self._number = int(cupy.cuda.runtime.getDevice())
        self._kernels: dict[tuple[Any, ...], CudaKernel] = {}
        self._ahead: dict[tuple[Compiles, int], list[Future[None]]] = {}
        self._attributes: dict[str, int] = {}
        self.max_threads_per_block = self._attribute("MaxThreadsPerBlock")
        self.shared_memory_per_block = self._attribute("MaxSharedMemoryPerBlockOptin")
        self.multiprocessors = self._attribute("MultiProcessorCount")

    @staticmethod
    def unavailable() -> str | None:
        """Return why no GPU can be used, or None if one can."""
        # More than half of the time for one of CuPy's own kernels goes into its headers, and NVRTC
        # reads headers for one thread at a time. CuPy reads this variable when it is imported.
        os.environ.setdefault("CUPY_NVRTC_USE_PCH", "1")
        try:
            import cupy
        except ImportError as error:
            return (
                f"CuPy cannot be imported ({error}); get it with: {install_hint('cuda13')}, "
                "with an older driver cuda12 in place of cuda13"
            )
        runtime = cupy.cuda.runtime
        try:
            count = runtime.getDeviceCount()
        except runtime.CUDARuntimeError as error:
            driver, wanted = runtime.driverGetVersion(), runtime.runtimeGetVersion()
            if driver == 0:
                return "there is no NVIDIA driver"
            if driver < wanted:
                return (
                    f"the driver knows CUDA {_version(driver)}, CuPy was built for "
                    f"{_version(wanted)}; update the driver, or "
                    + install_hint("cuda13" if driver >= _CUDA_13 else "cuda12")
                )
            return f"the driver finds no GPU ({error})"
        return None if count > 0 else "the driver finds no GPU"

    def sibling(self, number: int) -> CudaDevice:
        """Return the device of another rank; see :meth:`Device.sibling`."""
        cuda = self.xp.cuda
        with translated("choosing a GPU"):
            cuda.Device(number % cuda.runtime.getDeviceCount()).use()
        return CudaDevice()

    def _attribute(self, name: str) -> int:
        """Return a device attribute by CUDA's name for it."""
        if name not in self._attributes:
            runtime = self.xp.cuda.runtime
            number = getattr(runtime, f"cudaDevAttr{name}")
            with translated("asking for a property of the GPU"):
                value = runtime.deviceGetAttribute(number, runtime.getDevice())
            self._attributes[name] = int(value)
        return self._attributes[name]

    def kernel(self, source: str, name: str, *, record: int = 0, **constants: int) -> CudaKernel:
        """Return a kernel, compiled for this GPU if necessary; see :meth:`Device.kernel`."""
        key = (source, name, record, *sorted(constants.items()))
        if key not in self._kernels:
            entry = native.library_of(source).kernel(source, name, record)
            check_known(source, constants)
            code = self._compiled(source, name, record, constants)
            self._kernels[key] = CudaKernel(self, name, entry.signature, str(code))
        return self._kernels[key]

    def _compiled(self, source: str, name: str, record: int, constants: Mapping[str, int]) -> Path:
        """Return the machine code of a kernel.

        If it has to be compiled and was not declared to be, the others of its source are as well: a
        run mostly needs them.
        """
        path = source_path(source)
        declared = is_under_way(path, name, record, constants)
        files = begin_kernels(path, [name], record, constants)
        if files[0].done():
            return files[0].result()
        if not declared:
            others = [other for other in cuda_ahead.names_of(source, record) if other != name]
            files += begin_kernels(path, others, record, constants)

        def look() -> None:
            done = sum(file.done() for file in files)
            self.report(f"compiling kernels of {source}", done, len(files))

        return wait_for(files[0], self._cancel, look)

    def is_current(self) -> bool:
        """See :meth:`Device.is_current`."""
        with translated("asking for the current GPU"):
            return int(self.xp.cuda.runtime.getDevice()) == self._number

    def is_compiled(self, source: str, name: str) -> bool:
        """See :meth:`Device.is_compiled`."""
        if (source, name, 0) in self._kernels:
            return True
        return begin_kernels(source_path(source), [name], 0, {})[0].done()

    def finish_compiling(self) -> None:
        """See :meth:`Device.finish_compiling`."""
        wait_all(under_way(), self._cancel)

    def compile_ahead(self, needs: Compiles, record: int) -> None:
        """See :meth:`Device.compile_ahead`."""
        key = needs, record
        if key not in self._ahead:
            with translated("compiling kernels"):
                self._ahead[key] = cuda_ahead.begin(self.xp, needs, record)
        futures = self._ahead[key]
        if not futures:
            return

        def look() -> None:
            done = sum(future.done() for future in futures)
            self.report("compiling array operations", done, len(futures))

        wait_all(futures, self._cancel, look)
        # An error is the run's: it raises it where it evaluates the expression.
        if all(future.exception() is None for future in futures):
            cuda_ahead.note(self.xp, needs.expressions)
        self._ahead[key] = []

    @property
    def kernels_loaded(self) -> int:
        """See :attr:`Device.kernels_loaded`."""
        return len(self._kernels)

    def asarray(self, a: Any) -> Any:
        """Return `a` as a CuPy array."""
        with translated("copying an array to the GPU"):
            return self.xp.asarray(a)

    def asarray_at_rest(self, a: np.ndarray) -> Any:
        """See :meth:`Device.asarray_at_rest`; CuPy's `asarray` takes pinned memory first."""
        with translated("copying an array to the GPU"):
            array = self.xp.empty(a.shape, a.dtype)
            array.set(a)
            return array

    def piece(self, memory: Any, begin: int, kind: type, count: int) -> Any:
        """See :meth:`Device.piece`; CuPy takes longer to cut an array than to make one."""
        return self.xp.ndarray((count,), kind, memory.data + begin)

    def clear(self, memory: Any, count: int) -> None:
        """See :meth:`Device.clear`; without an array for the part."""
        memory.data.memset_async(0, count)

    def to_host(self, a: Any) -> np.ndarray:
        """Return `a` as a NumPy array."""
        with translated("copying an array from the GPU"):
            return np.asarray(self.xp.asnumpy(a))

    def to_host_later(self, a: Any) -> Callable[[], np.ndarray]:
        """See :meth:`Device.to_host_later`; a copy to pinned memory does not wait."""
        cuda = self.xp.cuda
        with translated("copying an array from the GPU"):
            memory, done = cuda.alloc_pinned_memory(a.nbytes), cuda.Event(disable_timing=True)
            a.data.copy_to_host_async(memory.ptr, a.nbytes)
            done.record()

        def wait() -> np.ndarray:
            with translated("copying an array from the GPU"):
                done.synchronize()
                return np.frombuffer(memory, a.dtype, a.size)

        return wait

    def synchronize(self) -> None:
        """Wait until everything that was launched has ended."""
        with translated("waiting for the GPU"):
            self.xp.cuda.get_current_stream().synchronize()

    @contextmanager
    def timer(self) -> Iterator[CudaTimer]:
        """Measure the time between two CUDA events around the block.

        Python's collection of cycles waits: it may take milliseconds, between two launches.
        """
        cuda = self.xp.cuda
        timer, collects = CudaTimer(), gc.isenabled()
        gc.disable()
        with translated("timing"):
            start, stop = cuda.Event(), cuda.Event()
            start.record()
        try:
            yield timer
        finally:
            if collects:
                gc.enable()
        with translated("timing"):
            stop.record()
            stop.synchronize()
            timer.seconds = cuda.get_elapsed_time(start, stop) / 1e3

    def moment(self) -> Any:
        """Record a CUDA event; see :meth:`Device.moment`."""
        with translated("timing"):
            event = self.xp.cuda.Event()
            event.record()
        return event

    def seconds_between(self, start: Any, stop: Any) -> float:
        """See :meth:`Device.seconds_between`."""
        with translated("timing"):
            stop.synchronize()
            return float(self.xp.cuda.get_elapsed_time(start, stop)) / 1e3

    def sequence(self, launches: Sequence[Callable[[], None]]) -> Callable[[], None]:
        """Return the launches as one CUDA graph; see :meth:`Device.sequence`."""
        cuda = self.xp.cuda
        with translated("capturing a CUDA graph"), cuda.Stream(non_blocking=True) as stream:
            stream.begin_capture()
            for launch in launches:
                launch()
            graph = stream.end_capture()

        def replay() -> None:
            check(self._cancel)
            with translated("launching a CUDA graph"):
                graph.launch(cuda.get_current_stream())

        return replay

    def free_memory(self) -> int:
        """Return the bytes that can still be allocated, free memory of CuPy's pool included."""
        with translated("asking for free memory"):
            free, _ = self.xp.cuda.runtime.memGetInfo()
            pool = self.xp.get_default_memory_pool()
            free += pool.free_bytes()
            limit = pool.get_limit()
            return int(min(free, limit - pool.used_bytes()) if limit else free)

    def total_memory(self) -> int:
        """Return the bytes of memory of the GPU."""
        with translated("asking for the memory's size"):
            return int(self.xp.cuda.runtime.memGetInfo()[1])

    def release_unused(self) -> None:
        """Free the blocks of CuPy's pool in which there is no array.

        A small array in a large free block keeps the rest of it from other large arrays.
        """
        with translated("freeing memory"):
            self.xp.get_default_memory_pool().free_all_blocks()

    def require_memory(self, nbytes: int, what: str) -> None:
        """Raise DeviceError unless `nbytes` can be allocated for `what`.

        The pool's free memory is fragmented; if it is needed, the pool releases it first, so that
        one large allocation can use it.
        """
        with translated("asking for free memory"):
            if nbytes > self.xp.cuda.runtime.memGetInfo()[0]:
                self.release_unused()
        super().require_memory(nbytes, what)

    def address(self, array: Any) -> int:
        """Return the address of an array's first element."""
        return int(array.data.ptr)

    @contextmanager
    def cancel_with(self, cancel: Cancel | None, progress: Progress | None) -> Iterator[None]:
        """See :meth:`Device.cancel_with`; translates CuPy's errors to the project's."""
        with translated("running an algorithm"), super().cancel_with(cancel, progress):
            yield

    def describe(self) -> dict[str, object]:
        """Return model, compute capability, versions and sizes."""
        cuda = self.xp.cuda
        with translated("asking for the properties of the GPU"):
            properties = _properties(self.xp, int(cuda.runtime.getDevice()))
        return {
            "name": self.name,
            "model": properties["name"].decode(),
            "driver": f"CUDA {_version(cuda.runtime.driverGetVersion())}",
            "versions": {
                "python": platform.python_version(),
                "numpy": np.__version__,
                "cupy": self.xp.__version__,
                "cuda_runtime": _version(cuda.runtime.runtimeGetVersion()),
                "nvrtc": ".".join(map(str, cuda.nvrtc.getVersion())),
            },
            "compute_capability": f"{properties['major']}.{properties['minor']}",
            "multiprocessors": self.multiprocessors,
            "memory_bytes": self.total_memory(),
            "l2_bytes": self._attribute("L2CacheSize"),
        }


@cache
def _properties(xp: ModuleType, number: int) -> dict[str, Any]:
    """Return the properties of the GPU of this number; CUDA takes a millisecond to find them."""
    return dict(xp.cuda.runtime.getDeviceProperties(number))


def _version(number: int) -> str:
    """Return a CUDA version number as text: 13020 is 13.2."""
    return f"{number // 1000}.{number % 1000 // 10}"
