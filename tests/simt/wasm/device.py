"""The executor in WebAssembly as a device: families' drivers run on it as on the host executor.

Arrays are copied into the module's memory before a launch and back after it.
"""

from __future__ import annotations

import ctypes as c
import struct
import weakref
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import wasmtime

from gpucore import native
from gpucore.device.host import HostDevice
from gpucore.device.signature import Signature

_ERROR_BYTES = 4096
_CAUSE_BYTES = 64
_CAUSES = {
    wasmtime.TrapCode.INTEGER_DIVISION_BY_ZERO: "integer division by zero",
    wasmtime.TrapCode.MEMORY_OUT_OF_BOUNDS: "an address beyond all memory",
    wasmtime.TrapCode.STACK_OVERFLOW: "stack overflow",
}


def _on_wasm(structure: type[c.Structure]) -> type[c.Structure]:
    """Return a structure of the native library as WebAssembly lays it out: pointers of 4 bytes."""
    simple, pointers = (c.c_void_p, c.c_char_p), (c._Pointer, c._CFuncPtr)
    fields = [
        (name, c.c_uint32 if kind in simple or issubclass(kind, pointers) else kind)
        for name, kind in structure._fields_
    ]
    return type(structure.__name__, (c.Structure,), {"_fields_": fields})


_Request, _Kernel = _on_wasm(native.Request), _on_wasm(native._Kernel)


class _Span(NamedTuple):
    """Memory of the caller."""

    begin: int
    end: int
    written: bool


class _Copy(NamedTuple):
    """Memory of the caller and its place in the module."""

    span: _Span
    place: int


def _joined(spans: list[_Span]) -> list[_Span]:
    """Return the spans without overlaps: arrays of a launch may be parts of one another."""
    found: list[_Span] = []
    for span in sorted(spans):
        if found and span.begin < max(found[-1].end, found[-1].begin + 1):
            last = found.pop()
            span = _Span(last.begin, max(last.end, span.end), last.written or span.written)
        found.append(span)
    return found


def _inside(copies: list[_Copy], address: int) -> int | None:
    """Return where an address of the caller is in the module; None if no copy has it."""
    for span, place in copies:
        if span.begin <= address < max(span.end, span.begin + 1):
            return place + address - span.begin
    return None


class WasmDevice(HostDevice):
    """A host device whose kernels run in a module of WebAssembly."""

    library: WasmLibrary

    def __init__(self, library: WasmLibrary, **options: Any) -> None:
        super().__init__(**options)
        self.library = library

    def _library_of(self, source: str) -> native.Library:
        return self.library

    def address(self, array: Any) -> int:
        """Return the address of an array's twin in the module."""
        return self.library.twin(array)


class WasmLibrary(native.Library):
    """A module of ``tools/wasm.py`` under wasmtime; after a trap a new instance takes over."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._engine = wasmtime.Engine()
        self._module = wasmtime.Module.from_file(self._engine, str(path))
        self._twins: dict[int, tuple[weakref.ref[np.ndarray], int]] = {}
        self._poll: Any = None
        self._start()

    def _start(self) -> None:
        """Make a new instance: its memory is empty, and no lane is in the middle of anything."""
        linker = wasmtime.Linker(self._engine)
        linker.define_wasi()
        self._store = wasmtime.Store(self._engine)
        self._store.set_wasi(wasmtime.WasiConfig())
        kind = wasmtime.FuncType([wasmtime.ValType.f64()], [wasmtime.ValType.i32()])
        linker.define_func("warplens", "poll", kind, lambda done: self._poll(int(done)))
        self._exports = linker.instantiate(self._store, self._module).exports(self._store)
        self._call("_initialize")
        self._twins.clear()
        self._cause, self._error = self._allocate(_CAUSE_BYTES), self._allocate(_ERROR_BYTES)

    def _call(self, name: str, *arguments: int) -> Any:
        return self._exports[name](self._store, *arguments)

    # --- its memory

    @property
    def _memory(self) -> int:
        """Where the instance's memory begins; a call may move it."""
        return c.addressof(self._exports["memory"].data_ptr(self._store).contents)

    def _bytes(self, address: int, size: int) -> bytes:
        return c.string_at(self._memory + address, size)

    def _text(self, address: int) -> str:
        return self._bytes(address, _ERROR_BYTES).split(b"\0")[0].decode(errors="replace")

    def _read(self, structure: type[Any], address: int) -> Any:
        return structure.from_buffer_copy(self._bytes(address, c.sizeof(structure)))

    def _allocate(self, size: int) -> int:
        address = int(self._call("simt_allocate", size)) % 2**32
        assert address, f"the module has no memory for {size} bytes"
        return address

    def _write(self, address: int, content: bytes) -> None:
        c.memmove(self._memory + address, content, len(content))

    def twin(self, array: np.ndarray) -> int:
        """Return the address of an array's copy, which every launch brings up to date."""
        list(self._living_twins())  # forgets the dead, of whom one may have had the same id
        if id(array) not in self._twins:
            self._twins[id(array)] = weakref.ref(array), self._allocate(array.nbytes)
        return self._twins[id(array)][1]

    # --- its kernels

    @cached_property
    def max_lanes(self) -> int:
        """Largest number of lanes that one launch can have at a time."""
        return int(self._call("simt_max_lanes"))

    def interrupt(self, token: int) -> None:
        """Do nothing: no signal comes here; a launch is cancelled when it polls."""

    def _read_kernels(self) -> Iterator[native.KernelEntry]:
        size = c.sizeof(native._Parameter)
        for index in range(self._call("simt_kernel_count")):
            raw = self._read(_Kernel, self._call("simt_kernel", index))
            places = range(raw.parameters, raw.parameters + size * raw.parameter_count, size)
            parameters = [native._parameter(self._read(native._Parameter, at)) for at in places]
            source, name = self._text(raw.source), self._text(raw.name)
            yield native.KernelEntry(index, source, raw.record, name, Signature((*parameters,)))

    def launch(
        self, kernel: native.KernelEntry, request: native.Request
    ) -> tuple[int, native.Stats, str]:
        """Run a launch to its end; return its outcome, its counters and the error text."""
        parameters = kernel.signature.parameters
        cells = (c.c_void_p * len(parameters)).from_address(request.arguments)
        sizes = (c.c_uint64 * len(parameters)).from_address(request.sizes)
        spans = [
            _Span(begin, begin + size, not parameter.read_only)
            for parameter, cell, size in zip(parameters, cells, sizes, strict=True)
            if parameter.array
            for begin in [c.c_uint64.from_address(cell).value]
        ]
        copies = list(self._living_twins())
        twins = len(copies)
        for span in _joined(spans):
            if _inside(copies, span.begin) is None:
                copies.append(_Copy(span, self._allocate(span.end - span.begin)))
        values = [
            struct.pack("<Q", _inside(copies, c.c_uint64.from_address(cell).value))
            if parameter.array
            else c.string_at(cell, max(8, parameter.granule))
            for parameter, cell in zip(parameters, cells, strict=True)
        ]
        for span, place in copies:
            c.memmove(self._memory + place, span.begin, span.end - span.begin)
        try:
            answer = self._run(kernel.index, request, values, bytes(sizes))
        except wasmtime.Trap as trap:
            cause = _CAUSES.get(trap.trap_code, "the kernel was stopped")
            error = self._crash(cause)
            self._start()
            return native.FAILED, native.Stats(), error
        for span, place in copies:
            if span.written:
                c.memmove(span.begin, self._memory + place, span.end - span.begin)
        for _, place in copies[twins:]:
            self._call("simt_release", place)
        return answer

    def _living_twins(self) -> Iterator[_Copy]:
        for key, (reference, place) in list(self._twins.items()):
            array = reference()
            if array is None:
                self._call("simt_release", self._twins.pop(key)[1])
            else:
                begin = array.ctypes.data
                yield _Copy(_Span(begin, begin + array.nbytes, True), place)

    def _run(
        self, kernel: int, request: native.Request, values: list[bytes], sizes: bytes
    ) -> tuple[int, native.Stats, str]:
        """Call the executor with a request in its own memory, and read its answer there."""
        blocks: list[int] = []

        def put(content: bytes) -> int:
            blocks.append(self._allocate(len(content)))
            self._write(blocks[-1], content)
            return blocks[-1]

        inside = _Request()
        for name, _ in native.Request._fields_:
            if name not in ("arguments", "sizes", "poll"):
                setattr(inside, name, getattr(request, name))
        cells = [put(value) for value in values]
        inside.arguments = put(struct.pack(f"<{len(cells)}I", *cells))
        inside.sizes = put(sizes)
        inside.poll = self._call("simt_poll_function")
        self._poll = request.poll
        stats, place = put(bytes(c.sizeof(native.Stats))), put(bytes(inside))
        outcome = self._call("simt_launch", kernel, place, stats, self._error, _ERROR_BYTES)
        answer = outcome, self._read(native.Stats, stats), self._text(self._error)
        for block in blocks:
            self._call("simt_release", block)
        return answer

    def _crash(self, cause: str) -> str:
        """Return the executor's report of a trap, or the cause alone if that has damaged it."""
        self._write(self._cause, cause.encode().ljust(_CAUSE_BYTES, b"\0"))
        try:
            self._call("simt_crash", self._cause, self._error, _ERROR_BYTES)
        except wasmtime.Trap:
            return cause
        return self._text(self._error)
