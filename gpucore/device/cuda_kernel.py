"""Kernels on NVIDIA GPUs: compiled modules, loaded and launched through CuPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType
from typing import TYPE_CHECKING, Any

from gpucore.device.base import Kernel
from gpucore.device.cuda_errors import translated
from gpucore.device.signature import Signature
from gpucore.errors import KernelError

if TYPE_CHECKING:
    from gpucore.device.cuda import CudaDevice


@cache
def _loaded(xp: ModuleType, code: str, cooperative: bool, number: int) -> Any:
    """Return a file of machine code, loaded on the GPU of this number; once a process."""
    return xp.RawModule(path=code, enable_cooperative_groups=cooperative)


def _module(xp: ModuleType, code: str, cooperative: bool) -> Any:
    """Return a loaded file of machine code; its name has the digest of its source."""
    return _loaded(xp, code, cooperative, int(xp.cuda.runtime.getDevice()))


class CudaKernel(Kernel):
    """A kernel of one compiled module."""

    device: CudaDevice

    def __init__(self, device: CudaDevice, name: str, signature: Signature, code: str) -> None:
        super().__init__(device, name, signature)
        self._code = code
        self._raw: dict[bool, Any] = {}
        self._shared_limit: dict[bool, int] = {}
        #: By threads of a block, and bytes of its dynamic shared memory.
        self._resident: dict[tuple[int, int], int] = {}

    def load(self) -> None:
        """Load the module now; see :meth:`Kernel.load`."""
        self._function(cooperative=False)

    def _function(self, cooperative: bool) -> Any:
        """Return the CuPy kernel; CuPy needs a separate one for cooperative launches."""
        if cooperative not in self._raw:
            with translated(f"loading {self.name}"):
                raw = _module(self.device.xp, self._code, cooperative).get_function(self.name)
                self._shared_limit[cooperative] = raw.max_dynamic_shared_size_bytes
            self._raw[cooperative] = raw
        return self._raw[cooperative]

    def max_resident_blocks(self, block: int, shared_mem: int = 0) -> int:
        """Return the blocks that fit on the GPU at once, see :class:`Kernel`."""
        raw = self._prepared(True, shared_mem)
        if (block, shared_mem) not in self._resident:
            with translated(f"asking for the occupancy of {self.name}"):
                each = self.device.xp.cuda.driver.occupancyMaxActiveBlocksPerMultiprocessor(
                    raw.kernel.ptr, block, shared_mem
                )
            self._resident[block, shared_mem] = int(each) * self.device.multiprocessors
        return self._resident[block, shared_mem]

    def _prepared(self, cooperative: bool, shared_mem: int) -> Any:
        """Return the CuPy kernel, allowed to use this much dynamic shared memory."""
        raw = self._function(cooperative)
        if shared_mem > self._shared_limit[cooperative]:
            with translated(f"giving {self.name} {shared_mem} bytes of dynamic shared memory"):
                raw.max_dynamic_shared_size_bytes = shared_mem
            self._shared_limit[cooperative] = shared_mem
        return raw

    def _bind(
        self,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        values: list[Any],
        shared_mem: int,
        cooperative: bool,
    ) -> Callable[[], None]:
        raw = self._prepared(cooperative, shared_mem)
        if cooperative:
            blocks = grid[0] * grid[1] * grid[2]
            most = self.max_resident_blocks(block[0] * block[1] * block[2], shared_mem)
            if blocks > most:
                raise KernelError(
                    f"{self.name}: a cooperative grid of {blocks} blocks; this GPU holds {most} "
                    "such blocks at once"
                )
        arguments = tuple(values)

        def launch() -> None:
            try:
                raw(grid, block, arguments, shared_mem=shared_mem)
            except Exception:
                with translated(f"launching {self.name}"):
                    raise

        return launch
