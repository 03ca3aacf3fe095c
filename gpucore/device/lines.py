"""Map addresses of machine code to lines of the kernels' sources.

pyelftools reads the line table from the library's DWARF data when a profile is requested. This
needs no ``addr2line``, which only machines with a compiler have.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from gpucore.counts import UNKNOWN
from gpucore.errors import DeviceError


class LineTable:
    """Source lines of a library, by address.

    Parameters
    ----------
    path : Path
        An ELF file with DWARF line information.

    Raises
    ------
    DeviceError
        The file has no line information.
    """

    def __init__(self, path: Path) -> None:
        # If one piece of code begins where another one ends, the beginning counts.
        rows = sorted(_read_rows(path), key=lambda row: (row[0], row[1] != ""))
        if not rows:
            raise DeviceError(
                f"{path.name} has no line information (was it stripped?); install the package again"
            )
        self._starts = np.array([row[0] for row in rows], np.uint64)
        self._places = [(name, line) if name else UNKNOWN for _, name, line in rows]

    def lookup(self, address: int) -> tuple[str, int]:
        """Return file name and line of an address; ``("", 0)`` outside of kernels' sources.

        A watched source and its headers have no folder, whatever their names are.
        """
        index = int(np.searchsorted(self._starts, np.uint64(address), side="right")) - 1
        if index < 0:
            return UNKNOWN
        return self._places[index]

    def between(self, begin: int, end: int) -> set[tuple[str, int]]:
        """Return the places of the code from an address to another one."""
        bounds = np.array([begin, end], np.uint64)
        first, last = np.searchsorted(self._starts, bounds)
        return {self.lookup(begin), *self._places[first:last]}


@cache
def line_table(path: Path) -> LineTable:
    """Return the line table of a library, read once."""
    return LineTable(path)


def _read_rows(path: Path) -> list[tuple[int, str, int]]:
    """Return (first address, file name, line) of every row of every unit's line program.

    The name is empty outside of kernels' sources.
    """
    from elftools.elf.elffile import ELFFile

    rows: list[tuple[int, str, int]] = []
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        if not elf.has_dwarf_info():
            return rows
        dwarf = elf.get_dwarf_info(relocate_dwarf_sections=False)  # the linker did
        for unit in dwarf.iter_CUs():
            program = dwarf.line_program_for_CU(unit)
            if program is not None:
                rows += _rows_of(program)
    return rows


def _rows_of(program: Any) -> list[tuple[int, str, int]]:
    files = [_kernels_name(entry) for entry in program["file_entry"]]
    first = 0 if program["version"] >= 5 else 1  # DWARF 5 counts files from 0
    rows = []
    for entry in program.get_entries():
        state = entry.state
        if state is None:
            continue
        name = "" if state.end_sequence else files[state.file - first]
        rows.append((state.address, name, state.line))
    return rows


def _kernels_name(entry: Any) -> str:
    """Return the name of a kernel's source; empty for other files, such as the executor's."""
    path = PurePosixPath(entry.name.decode())
    is_watched = entry.dir_index == 0 and path.name == str(path) and path.suffix
    return path.name if is_watched or path.suffix in (".cu", ".cuh") else ""
