"""Compile one kernel with NVRTC in a process of its own.

NVRTC reads sources for one thread of a process at a time, so threads wait for each other; processes
do not. :mod:`gpucore.device.cuda_compile` starts this file as a program, with nothing imported but
the standard library, since the start counts: it takes about 0.03 s, most of it NVRTC's own.

    python -I -S nvrtc_process.py LIBRARY NAME OPTION... < SOURCE > MACHINE_CODE

The exit code is 0, or ``REFUSED`` with the compiler's messages on standard error.
"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

#: Exit code where the source does not compile. Python itself ends with 1 or 2 after an error.
REFUSED = 3


def load(library: Path) -> ctypes.CDLL:
    """Load NVRTC; its file of built-in functions first, which it may not find alone."""
    for builtins in sorted(library.parent.glob("libnvrtc-builtins.so*")):
        ctypes.CDLL(str(builtins))
    return ctypes.CDLL(str(library))


def output(nvrtc: ctypes.CDLL, program: ctypes.c_void_p, what: str) -> bytes:
    """Return one of NVRTC's outputs: ``CUBIN``, ``PTX`` or ``ProgramLog``."""
    size = ctypes.c_size_t()
    getattr(nvrtc, f"nvrtcGet{what}Size")(program, ctypes.byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    getattr(nvrtc, f"nvrtcGet{what}")(program, buffer)
    return buffer.raw[: size.value]


def main(library: str, name: str, *options: str) -> int:
    """Compile standard input to standard output; return the exit code."""
    nvrtc = load(Path(library))
    program = ctypes.c_void_p()
    source = sys.stdin.buffer.read()
    nvrtc.nvrtcCreateProgram(ctypes.byref(program), source, name.encode(), 0, None, None)
    encoded = (ctypes.c_char_p * len(options))(*(option.encode() for option in options))
    if nvrtc.nvrtcCompileProgram(program, len(options), encoded) != 0:
        log = output(nvrtc, program, "ProgramLog").rstrip(b"\0")
        sys.stderr.buffer.write(log or b"NVRTC failed without a message")
        return REFUSED
    real = any(option.startswith("-arch=sm_") for option in options)
    sys.stdout.buffer.write(output(nvrtc, program, "CUBIN" if real else "PTX"))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
