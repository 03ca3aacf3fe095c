"""Compile kernels for a GPU on a machine without one, and list their resources.

NVRTC is a library that needs neither a GPU nor a driver. So the tests compile every kernel for
several architectures on any machine, and store the registers, shared memory and spills of each.
This module needs the packages of the ``test`` extra (``cuda-bindings`` and ``nvidia-cuda-nvrtc``).

It is also a program::

    python -m gpucore.device.nvrtc --arch sm_90 --output resources.json
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from gpucore.device import source
from gpucore.device.cubin import KernelResources, read_resources
from gpucore.errors import KernelCompileError, MissingDependency, WarplensError
from gpucore.installing import install_hint
from gpucore.saving import replacing

#: A Turing, a Hopper and a Blackwell card: the oldest supported, the data centre's, the newest.
ARCHITECTURES = ("sm_75", "sm_90", "sm_120")


@dataclass(frozen=True)
class Compiled:
    """One source compiled for one architecture.

    Attributes
    ----------
    cubin : bytes
        Machine code, an ELF file.
    ptx : str
        The virtual machine code it was made from.
    log : str
        Messages of NVRTC and its assembler.
    """

    cubin: bytes
    ptx: str
    log: str

    def resources(self) -> dict[str, KernelResources]:
        """Return the resources of each kernel of the source by kernel name."""
        return read_resources(self.cubin, self.ptx, self.log)


def _binding() -> Any:
    try:
        from cuda.bindings import nvrtc
    except ImportError as error:
        raise MissingDependency(
            "compiling without a GPU needs the packages cuda-bindings and nvidia-cuda-nvrtc: "
            + install_hint("test")
        ) from error
    return nvrtc


def nvrtc_version() -> str:
    """Return the version of the NVRTC in use, as ``"13.0"``."""
    nvrtc = _binding()
    major, minor = _checked(nvrtc.nvrtcVersion())
    return f"{major}.{minor}"


def _checked(answer: tuple[Any, ...]) -> Any:
    """Remove the error code from a binding's return value; raise if it is an error."""
    code, *values = answer
    if int(code) != 0:
        raise KernelCompileError(f"NVRTC failed: {code.name}")
    return values[0] if len(values) == 1 else values


def _text(program: Any, size_of: Any, fill: Any) -> bytes:
    """Fetch one of NVRTC's outputs: its size first, then its content."""
    size = _checked(size_of(program))
    buffer = bytes(size)
    _checked(fill(program, buffer))
    return buffer


def compile_file(
    path: Path,
    *,
    arch: str,
    record: int = 0,
    constants: Mapping[str, int] | None = None,
    kernel: str | None = None,
    options: Sequence[str] = (),
) -> Compiled:
    """Compile a kernel file for an architecture.

    Parameters
    ----------
    path : Path
        CUDA C++ source; it may include ``simt.h`` and the headers beside the kernels.
    arch : str
        Real architecture, as ``"sm_90"``.
    record : {0, 1, 2}
        Record level.
    constants : mapping of str to int, optional
        Compile-time constants.
    kernel : str, optional
        Compile this kernel only; all without it.
    options : sequence of str, optional
        More options for NVRTC.

    Returns
    -------
    Compiled
        Machine code, PTX and log.

    Raises
    ------
    KernelCompileError
        The source does not compile; the text holds the compiler's log.
    MissingDependency
        The NVRTC packages are not installed.
    """
    nvrtc = _binding()
    kernels = () if kernel is None else (kernel,)
    own = source.compile_options(path, record, constants or {}, kernels)
    encoded = [o.encode() for o in (f"-arch={arch}", "--ptxas-options=-v", *own, *options)]
    program = _checked(nvrtc.nvrtcCreateProgram(path.read_bytes(), path.name.encode(), 0, [], []))
    try:
        (code,) = nvrtc.nvrtcCompileProgram(program, len(encoded), encoded)
        log = _text(program, nvrtc.nvrtcGetProgramLogSize, nvrtc.nvrtcGetProgramLog)
        report = log.rstrip(b"\0").decode(errors="replace")
        if int(code) != 0:
            raise KernelCompileError(f"{path.name} does not compile for {arch}:\n{report}")
        cubin = _text(program, nvrtc.nvrtcGetCUBINSize, nvrtc.nvrtcGetCUBIN)
        ptx = _text(program, nvrtc.nvrtcGetPTXSize, nvrtc.nvrtcGetPTX)
    finally:
        nvrtc.nvrtcDestroyProgram(program)
    return Compiled(cubin, ptx.rstrip(b"\0").decode(), report)


def survey(architectures: Sequence[str] = ARCHITECTURES) -> dict[str, Any]:
    """Compile every source at every record level and return the resources as JSON-able data."""
    rows = []
    for family in source.sources():
        for record in source.RECORD_LEVELS:
            for arch in architectures:
                compiled = compile_file(source.source_path(family), arch=arch, record=record)
                for name, needs in sorted(compiled.resources().items()):
                    key = {"family": family, "kernel": name, "record": record, "arch": arch}
                    rows.append(key | asdict(needs))
    # The digests show which data is out of date because kernels have changed.
    digests = {f: source.digest(source.source_path(f))[:16] for f in source.sources()}
    return {"compiler": f"NVRTC {nvrtc_version()}", "sources": digests, "kernels": rows}


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the resources of all kernels as JSON; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m gpucore.device.nvrtc", description=main.__doc__
    )
    parser.add_argument("--arch", action="append", help="architecture, may be repeated")
    parser.add_argument("--output", type=Path, help="file to write; standard output without it")
    given = parser.parse_args(arguments)
    try:
        text = json.dumps(survey(given.arch or ARCHITECTURES), indent=1) + "\n"
        if given.output is None:
            sys.stdout.write(text)
            return 0
        with replacing(given.output) as file:
            file.write(text.encode())
    except WarplensError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
