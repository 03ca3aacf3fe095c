"""Which devices a page can offer."""

from __future__ import annotations

import ctypes
from importlib.util import find_spec


def gpu_present() -> bool:
    """Return whether a GPU can be offered, without waking it up.

    A page's kernel waits in the pool; it must hold no CUDA context and no CuPy.
    """
    if find_spec("cupy") is None:
        return False
    for library in ("libcuda.so.1", "nvcuda.dll"):
        try:
            ctypes.CDLL(library)
        except OSError:
            continue
        return True
    return False
