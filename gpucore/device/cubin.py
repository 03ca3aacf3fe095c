"""Read a compiled kernel's resources from its machine code, its PTX and the assembler's log.

Registers, stack, spills and shared memory are what ``ptxas -v`` reports; the size of the code
is that of the kernel's ``.text`` section in the ELF file; the parameters are declared in the
PTX.
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class KernelResources:
    """Resources of one kernel on one architecture.

    Attributes
    ----------
    registers : int
        Registers of a thread.
    static_shared_bytes : int
        Shared memory of a block that the source declares with a fixed size.
    stack_bytes : int
        Local memory of a thread for its stack, called functions included.
    spill_store_bytes, spill_load_bytes : int
        Local memory traffic that the compiler added because registers ran out.
    barriers : int
        Block barriers in use.
    code_bytes : int
        Size of the machine code.
    parameters : int
        Number of parameters.
    """

    registers: int
    static_shared_bytes: int
    stack_bytes: int
    spill_store_bytes: int
    spill_load_bytes: int
    barriers: int
    code_bytes: int
    parameters: int


_ENTRY = re.compile(r"Compiling entry function '(?P<name>\w+)'")
_FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
_PTX_ENTRY = re.compile(r"\.entry\s+(?P<name>\w+)\s*\((?P<parameters>[^)]*)\)")


def section_sizes(elf: bytes) -> dict[str, int]:
    """Return the size in bytes of every section of a 64-bit little-endian ELF file."""
    if elf[:6] != b"\x7fELF\x02\x01":
        raise ValueError("not a 64-bit little-endian ELF file")
    table, stride, count, names_at = struct.unpack_from("<40xQ10xHHH", elf)
    headers = [struct.unpack_from("<I20xQQ", elf, table + i * stride) for i in range(count)]
    names = headers[names_at][1]

    def name(start: int) -> str:
        return elf[names + start : elf.index(b"\0", names + start)].decode()

    return {name(start): size for start, _, size in headers}


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else 0


def read_resources(cubin: bytes, ptx: str, log: str) -> dict[str, KernelResources]:
    """Return the resources of every kernel in a compiled source.

    Parameters
    ----------
    cubin : bytes
        The compiled source.
    ptx : str
        The PTX it was made from.
    log : str
        Output of the assembler's ``-v`` option.

    Returns
    -------
    dict of str to KernelResources
        By the kernel's name.
    """
    code = section_sizes(cubin)
    declared = {m["name"]: m["parameters"].count(".param") for m in _PTX_ENTRY.finditer(ptx)}
    starts = list(_ENTRY.finditer(log))
    # The log of an entry function reaches up to the next one, its callees' lines included.
    ends = [following.start() for following in starts[1:]] + [len(log)]
    found = {}
    for start, end in zip(starts, ends, strict=True):
        lines = log[start.end() : end]
        frames = [tuple(map(int, frame.groups())) for frame in _FRAME.finditer(lines)]
        found[start["name"]] = KernelResources(
            registers=_number(r"Used (\d+) registers", lines),
            static_shared_bytes=_number(r"(\d+) bytes smem", lines),
            stack_bytes=sum(frame[0] for frame in frames),
            spill_store_bytes=sum(frame[1] for frame in frames),
            spill_load_bytes=sum(frame[2] for frame in frames),
            barriers=_number(r"used (\d+) barriers", lines),
            code_bytes=code[f".text.{start['name']}"],
            parameters=declared[start["name"]],
        )
    return found
