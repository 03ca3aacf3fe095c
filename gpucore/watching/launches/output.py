"""What a kernel printed."""

from __future__ import annotations

import ctypes as c

from gpucore.native import Library


def read_output(library: Library) -> str:
    """Return what this OS thread's last launch printed; the executor keeps the first 64 KiB."""
    function = library.cdll.simt_output
    function.argtypes = [c.c_char_p, c.c_uint64, c.POINTER(c.c_uint64)]
    function.restype = c.c_uint64
    dropped = c.c_uint64()
    text = c.create_string_buffer(function(None, 0, c.byref(dropped)))
    function(text, len(text), c.byref(dropped))
    more = f"\n... and {dropped.value:,} more characters\n" if dropped.value else ""
    return text.raw.decode(errors="replace") + more
