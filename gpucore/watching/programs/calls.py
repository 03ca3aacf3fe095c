"""What a watched program and Python call of each other; see simt/cuda/runtime/program.h."""

from __future__ import annotations

import ctypes as c
from collections.abc import Callable
from typing import Any


class LaunchCall(c.Structure):
    """A launch of a program; see ``simt::program::LaunchCall``."""

    _fields_ = [
        ("kernel", c.c_int),
        ("line", c.c_int),
        ("cooperative", c.c_int),
        ("parameters", c.c_int),
        ("name", c.c_char_p),
        ("grid", c.c_uint32 * 3),
        ("block", c.c_uint32 * 3),
        ("shared_bytes", c.c_uint64),
        ("arguments", c.c_void_p),
    ]


_FUNCTIONS = {
    "allocate": c.CFUNCTYPE(c.c_void_p, c.c_uint64, c.c_int, c.c_int),
    "release": c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_int),
    "copied": c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p, c.c_uint64, c.c_int),
    "launch": c.CFUNCTYPE(c.c_int, c.POINTER(LaunchCall)),
    "left": c.CFUNCTYPE(c.c_uint64),
}


class Calls(c.Structure):
    """What a program asks for; see ``simt::program::Calls``."""

    _fields_ = list(_FUNCTIONS.items())

    @classmethod
    def of(cls, **functions: Callable[..., Any]) -> Calls:
        """Return the calls to Python functions, by name."""
        return cls(*(kind(functions[name]) for name, kind in _FUNCTIONS.items()))
