"""The ``__device__`` and ``__constant__`` variables of a library, from its symbol table."""

from __future__ import annotations

import ctypes as c
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from gpucore.errors import KernelError
from gpucore.native import Library
from gpucore.watching.memory.arena import Fixed
from gpucore.watching.memory.mangled import plain_name

#: The executor's own, and what the compiler makes beside the variables of a source.
_OURS = re.compile(r"_Z(?:N4simt|N\w*4simt6Export|GV|T[ISV])|.*simt_(?:export_|\w+_key)|(?!_Z).*\.")


@dataclass(frozen=True)
class Variable:
    """A variable that lives as long as the library.

    Attributes
    ----------
    name : str
        As in the source, with namespaces: ``physics::table``.
    offset : int
        From the place where the library is loaded.
    size : int
        Bytes.
    writable : bool
        False for constants with a value in the source; the compiler has used it already.
    """

    name: str
    offset: int
    size: int
    writable: bool


def device_variables(library: Path) -> list[Variable]:
    """Return all variables of the reader's own source, not those of the executor."""
    return list(_variables(library))


def addresses(library: Library) -> dict[str, tuple[int, int]]:
    """Return the address and the size of each variable of a loaded library, by its name."""
    base = _base(library)
    return {one.name: (base + one.offset, one.size) for one in device_variables(library.path)}


def variable(library: Library, name: str) -> tuple[int, int]:
    """Return the address and the size of one variable of a loaded library.

    Raises
    ------
    KernelError
        There is no such variable, or it is const with a value in the source.
    """
    found = {one.name: one for one in device_variables(library.path)}
    short = {key.rpartition("::")[2]: one for key, one in found.items()}
    one = found.get(name) or short.get(name)
    if one is None:
        names = ", ".join(found) or "none"
        raise KernelError(
            f"there is no __constant__ or __device__ variable {name!r}; the source has {names}"
        )
    if not one.writable:
        raise KernelError(f"{name} is const and has its value in the source; remove const")
    return _base(library) + one.offset, one.size


def fixed_variables(library: Library, values: Mapping[str, Any]) -> list[Fixed]:
    """Return the variables that a kernel may write, each with the bytes that a launch begins with.

    Parameters
    ----------
    library : Library
    values : mapping
        Arrays or numbers for some of them, by name.

    Raises
    ------
    KernelError
        There is no such variable, or the value has another size.
    """
    given = {}
    for name, value in values.items():
        address, size = variable(library, name)
        content = np.ascontiguousarray(value).reshape(-1).view(np.uint8)
        if content.size != size:
            raise KernelError(f"{name} has {size} bytes in the source, its value {content.size}")
        given[address] = content
    return [
        Fixed(name, memory, given.get(int(memory.ctypes.data), original))
        for name, memory, original in _beginnings(library)
    ]


@cache
def _beginnings(library: Library) -> tuple[tuple[str, np.ndarray, np.ndarray], ...]:
    """Return the writable variables before the first launch: name, memory, content."""
    base = _base(library)
    found = []
    for one in device_variables(library.path):
        if one.writable:
            kind = c.c_uint8 * one.size
            memory = np.ctypeslib.as_array(kind.from_address(base + one.offset))
            found.append((one.name, memory, memory.copy()))
    return tuple(found)


def _base(library: Library) -> int:
    """Return where a library is loaded."""
    offset = next(s["st_value"] for s, _ in _symbols(library.path) if s.name == "simt_launch")
    address = c.cast(library.cdll.simt_launch, c.c_void_p).value
    assert address is not None
    return address - offset


def _variables(path: Path) -> Iterator[Variable]:
    """Return the objects of the unit that the reader's source was compiled in."""
    unit = ""
    for symbol, writable in _symbols(path):
        kind, bound = symbol["st_info"]["type"], symbol["st_info"]["bind"]
        if kind == "STT_FILE":
            unit = symbol.name
        elif (
            kind == "STT_OBJECT"
            and bound == "STB_LOCAL"
            and unit == "unit.cpp"
            and symbol["st_size"]
            and not _OURS.match(symbol.name)
        ):
            yield Variable(plain_name(symbol.name), symbol["st_value"], symbol["st_size"], writable)


def _symbols(path: Path) -> Iterator[tuple[Any, bool]]:
    """Return the symbols of a library, and whether each one's section may be written."""
    from elftools.elf.elffile import ELFFile

    with path.open("rb") as stream:
        elf = ELFFile(stream)
        sections = list(elf.iter_sections())
        table: Any = elf.get_section_by_name(".symtab")
        for symbol in table.iter_symbols():
            index = symbol["st_shndx"]
            inside = sections[index] if isinstance(index, int) else None
            # Relocated constants are in a section that is writable only while it is loaded.
            writable = inside is not None and bool(inside["sh_flags"] & 1)
            yield symbol, writable and ".data.rel.ro" not in str(inside and inside.name)
