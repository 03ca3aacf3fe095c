"""Memory of a page process that has been freed, and that the C library would keep."""

from __future__ import annotations

import ctypes
import sys

#: Options of the GNU C library's ``mallopt``: largest number of arenas; size from which a block is
#: a mapping of its own, which the system gets back as soon as it is freed.
_OPTIONS = {-8: 2, -3: 1 << 20}


def return_freed_memory() -> None:
    """Let threads share two arenas, and large blocks return to the system.

    The GNU C library gives new threads arenas of their own, up to eight for each core, and keeps
    what is freed in each of them. A page starts threads for its jobs, so it would hold the memory
    of many jobs that have ended. To be called before the first other thread starts.
    """
    if sys.platform == "linux":
        mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
        if mallopt is None:  # another C library
            return
        for option, value in _OPTIONS.items():
            mallopt(option, value)
