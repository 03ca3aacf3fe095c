"""Lines of watched kernels that never ran, and what an input would have to do to run them.

Whatever is wrong in such a line was not seen. The compiler calls the executor at the beginning of
every basic block; which of these calls there are stands in the library's relocations.
"""

from __future__ import annotations

import ctypes as c
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gpucore.device.lines import UNKNOWN, line_table
from gpucore.native import Library
from gpucore.watching.launches.untouched import sentences

#: Bytes of the call at the beginning of a block, at most.
_CALL = 5
_CALLED = "__sanitizer_cov_trace_pc"
_RELOCATION = np.dtype([("offset", "u8"), ("info", "u8"), ("addend", "i8")])


def forget(library: Library) -> None:
    """Begin to note what runs in the launches of this OS thread."""
    library.cdll.simt_forget_passed()


def unseen(library: Library, sources: Mapping[str, str]) -> list[str]:
    """Return sentences about the lines that no launch since `forget` has run.

    Only functions count that did run: a kernel that was not launched is no path of another one.

    Parameters
    ----------
    library : Library
    sources : mapping of str to str
        The texts of its files, as far as they are known.
    """
    return sentences(*_places(library), sources)


def _passed(library: Library) -> np.ndarray:
    function = library.cdll.simt_passed
    function.argtypes, function.restype = [c.c_void_p, c.c_uint64], c.c_uint64
    addresses = np.zeros(function(None, 0), np.uint64)
    function(addresses.ctypes.data, addresses.size)
    return addresses


def _places(library: Library) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
    """Return file and line of what ran, and of what did not in functions that did."""
    code, table, passed = _code(library.path), line_table(library.path), _passed(library)
    ran = np.isin(code.blocks, passed)
    functions = np.searchsorted(code.functions, code.blocks, side="right")
    entered = np.isin(functions, np.searchsorted(code.functions, passed, side="right"))
    # The last block of a function ends before the next one, which may be host code without blocks.
    after = np.searchsorted(code.functions, code.blocks[:-1], side="right")
    following = np.append(code.functions, code.blocks[-1:])[after]
    ends = np.append(np.minimum(code.blocks[1:] - np.uint64(_CALL), following), code.blocks[-1:])
    found: tuple[set[tuple[str, int]], set[tuple[str, int]]] = set(), set()
    for at in np.flatnonzero(entered):
        lines = table.between(int(code.blocks[at]) - 1, int(ends[at]))
        found[0 if ran[at] else 1].update(lines)
    return found[0], found[1] - found[0] - {UNKNOWN}


@dataclass(frozen=True)
class _Code:
    """Addresses in a library: where functions begin, and behind the call of each basic block."""

    functions: np.ndarray
    blocks: np.ndarray


@cache
def _code(path: Path) -> _Code:
    from elftools.elf.elffile import ELFFile

    with path.open("rb") as stream:
        elf = ELFFile(stream)
        symbols: Any = elf.get_section_by_name(".symtab")
        wanted, functions = -1, set()
        for index, symbol in enumerate(symbols.iter_symbols()):
            wanted = index if symbol.name == _CALLED else wanted
            if symbol["st_info"]["type"] == "STT_FUNC" and symbol["st_size"]:
                functions.add(symbol["st_value"])
        calls = [np.zeros(0, np.uint64)]
        for section in elf.iter_sections("SHT_RELA"):
            if elf.get_section(section["sh_link"]).name == ".symtab":
                rows = np.frombuffer(section.data(), _RELOCATION)
                calls.append(rows["offset"][rows["info"] >> 32 == wanted] + np.uint64(4))
    return _Code(np.array(sorted(functions), np.uint64), np.unique(np.concatenate(calls)))
