"""The tests' own kernels on a GPU, called like those of a host device: NumPy arrays in and out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

KERNELS = Path(__file__).parent / "kernels"


class Card:
    """Compiles ``kernels/*.cu`` for the GPU; every launch copies its arrays there and back."""

    def kernel(self, source: str, name: str) -> Callable[..., None]:
        """Return a kernel that takes a grid, a block and arguments."""
        import cupy

        from gpucore.device.cuda_compile import compiled_file

        code = compiled_file(KERNELS / f"{source}.cu", 0, {})
        function = cupy.RawModule(path=str(code)).get_function(name)

        def launch(grid: int, block: int, args: Sequence[Any], *, shared_mem: int = 0) -> None:
            there = [cupy.asarray(a) if isinstance(a, np.ndarray) else np.int32(a) for a in args]
            function((grid,), (block,), tuple(there), shared_mem=shared_mem)
            for here, array in zip(args, there, strict=True):
                if isinstance(here, np.ndarray):
                    here[...] = array.get()

        return launch

    def asarray(self, a: np.ndarray) -> np.ndarray:
        """Return `a`; launches copy."""
        return a

    def to_host(self, a: np.ndarray) -> np.ndarray:
        """Return `a`."""
        return a
