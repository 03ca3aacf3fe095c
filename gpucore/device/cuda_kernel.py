"""Kernels on NVIDIA GPUs: compiled modules, loaded and launched through CuPy."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gpucore.device.arguments import Arguments
from gpucore.device.base import Kernel
from gpucore.device.cuda_errors import translated
from gpucore.device.signature import Signature
from gpucore.errors import KernelError

if TYPE_CHECKING:
    from gpucore.device.cuda import CudaDevice


#: Of each thread: the GPU whose context it has.
_CONTEXT = threading.local()


@cache
def _loaded(xp: ModuleType, code: str, number: int) -> Any:
    """Return a file of machine code, loaded on the GPU of this number; once a process."""
    return xp.RawModule(path=code)


def have_context(runtime: Any) -> None:
    """Give the thread the GPU's context: its first call of the runtime does, a launch does not."""
    number = runtime.getDevice()
    if getattr(_CONTEXT, "number", None) != number:
        runtime.memGetInfo()
        _CONTEXT.number = number


class CudaKernel(Kernel):
    """A kernel of one compiled module."""

    device: CudaDevice

    def __init__(self, device: CudaDevice, name: str, signature: Signature, code: str) -> None:
        super().__init__(device, name, signature)
        self._code = code
        self._loaded: Any = None
        self._shared_limit = 0
        #: By threads of a block, and bytes of its dynamic shared memory.
        self._resident: dict[tuple[int, int], int] = {}

    def load(self) -> None:
        """Load the module now; see :meth:`Kernel.load`."""
        self._raw()

    def _raw(self) -> Any:
        """Return the CuPy kernel; the name of its file has the digest of its source."""
        if self._loaded is None:
            xp = self.device.xp
            with translated(f"loading {self.name}"):
                module = _loaded(xp, self._code, int(xp.cuda.runtime.getDevice()))
                raw = module.get_function(self.name)
                self._shared_limit = raw.max_dynamic_shared_size_bytes
            self._loaded = raw
        return self._loaded

    def max_resident_blocks(self, block: int, shared_mem: int = 0) -> int:
        """Return the blocks that fit on the GPU at once, see :class:`Kernel`."""
        raw = self._prepared(shared_mem)
        if (block, shared_mem) not in self._resident:
            with translated(f"asking for the occupancy of {self.name}"):
                each = self.device.xp.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
                    raw.kernel.ptr, block, shared_mem
                )
            self._resident[block, shared_mem] = int(each) * self.device.multiprocessors
        return self._resident[block, shared_mem]

    def _prepared(self, shared_mem: int) -> Any:
        """Return the CuPy kernel, allowed to use this much dynamic shared memory."""
        raw = self._raw()
        if shared_mem > self._shared_limit:
            with translated(f"giving {self.name} {shared_mem} bytes of dynamic shared memory"):
                raw.max_dynamic_shared_size_bytes = shared_mem
            self._shared_limit = shared_mem
        return raw

    def _bind(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        values: list[Any],
        shared_mem: int,
        cooperative: bool,
    ) -> Callable[[], None]:
        """See :meth:`Kernel._bind`; CuPy's own launch would pack the arguments every time."""
        raw = self._prepared(shared_mem)
        if cooperative:
            blocks = grid[0] * grid[1] * grid[2]
            most = self.max_resident_blocks(block[0] * block[1] * block[2], shared_mem)
            if blocks > most:
                raise KernelError(
                    f"{self.name}: a cooperative grid of {blocks} blocks; this GPU holds {most} "
                    "such blocks at once"
                )
        cuda, words = self.device.xp.cuda, list(values)
        for index in self.signature.arrays:
            words[index] = values[index].data.ptr
        arguments = Arguments(self.signature, values, words)
        have_context(cuda.runtime)
        size, last = (raw.kernel.ptr, *grid, *block, shared_mem), () if cooperative else (0,)
        start = cuda.driver.launchCooperativeKernel if cooperative else cuda.driver.launchKernel

        def launch() -> None:
            try:
                stream = cuda.get_current_stream().ptr
                start(*size, stream, arguments.address, *last)
            except Exception:
                with translated(f"launching {self.name}"):
                    raise

        return launch
