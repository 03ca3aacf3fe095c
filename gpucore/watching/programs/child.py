"""Runs a compiled program in a process of its own, and watches its launches.

``python -m gpucore.watching.programs.child OPTIONS ARGUMENT ...`` is started by
:mod:`gpucore.watching.programs.program`, and writes a line of JSON for everything that it sees.
"""

from __future__ import annotations

import ctypes as c
import json
import math
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import wraps
from pathlib import Path
from typing import Any, TextIO

from gpucore import native
from gpucore.device.arguments import Arguments
from gpucore.device.host import HostDevice, HostKernel
from gpucore.format import counted
from gpucore.watching.compiling.compiler import said_of
from gpucore.watching.launches import paths
from gpucore.watching.launches.seen import Seen, scheduled
from gpucore.watching.memory.allocations import Allocations
from gpucore.watching.memory.arena import MOST_BYTES, Memory
from gpucore.watching.memory.variables import fixed_variables
from gpucore.watching.programs.calls import Calls, LaunchCall
from gpucore.watching.reports.explain import remarks
from gpucore.watching.reports.findings import uninitialised
from gpucore.watching.reports.forms import as_json
from gpucore.watching.reports.watched import Watched
from gpucore.watching.source.hosted import sources_of
from gpucore.watching.source.messages import SOURCE_NAME
from gpucore.watching.watch import MOST_THREADS

#: CUDA's numbers of errors; see gpucore/simt/cuda/runtime/errors.h.
_OK, _INVALID_VALUE, _INVALID_SIZE = 0, 1, 9
_ILLEGAL_ADDRESS, _TIMEOUT, _FAILED, _TOO_LARGE = 700, 702, 719, 720
#: Limits of a launch, of CUDA and of the executor.
_MOST_BLOCK, _MOST_Z, _MOST_SHARED, _MOST_RESIDENT = 1024, 64, 48 << 10, 16384


@dataclass
class _Kernel:
    """What the launches of one kernel have shown."""

    name: str
    seen: Seen = field(default_factory=Seen)
    launches: int = 0
    watched: int = 0
    schedules: int = 0
    results: int = 0
    warnings: dict[str, None] = field(default_factory=dict)


class Program:
    """The calls of a running program.

    Parameters
    ----------
    library : path
        The compiled program.
    sources : dict of str to str
        Its files' texts, for remarks; see `gpucore.watching.source.hosted.sources_of`.
    report : stream
        Takes a line of JSON for each event.
    schedules, seed, launches, steps : int
        Orders of the threads for each watched launch, seed of the first, how many launches of each
        kernel are watched, and the bound of a launch.
    parameters : dict of str to sequence of str
        The names of the kernels' parameters, as far as they are known.
    """

    def __init__(
        self,
        library: Path,
        sources: dict[str, str],
        report: TextIO,
        schedules: int,
        seed: int,
        launches: int,
        steps: int,
        parameters: dict[str, list[str]],
    ) -> None:
        self.library = native.library(library)
        self.path, self.sources, self._report = library, sources, report
        self.source = sources.get(SOURCE_NAME, "")
        self.schedules, self.seed, self.launches, self.steps = schedules, seed, launches, steps
        self.memory, self.parameters = Allocations(), parameters
        self.kernels: dict[int, _Kernel] = {}
        self._known: set[tuple[str, str, int]] = set()
        self.fixed = fixed_variables(self.library, {})
        paths.forget(self.library)

    def run(self, arguments: list[str]) -> int:
        """Run the main function, and return its exit code."""
        for one in uninitialised(said_of(self.path)):
            self._finding(one.kind, one.line, one.text, one.file)
        calls = Calls.of(
            allocate=_guarded(self._allocate),
            release=_guarded(self._release),
            copied=_guarded(self._copied),
            launch=_guarded(self._launch),
            left=_guarded(lambda: self.memory.free),
        )
        main = self.library.cdll.simt_program
        main.argtypes = [c.c_int, c.POINTER(c.c_char_p), c.POINTER(Calls)]
        words = [os.fsencode(word) for word in arguments]
        return int(main(len(words), (c.c_char_p * (len(words) + 1))(*words), c.byref(calls)))

    def say(self, **event: Any) -> None:
        """Write an event."""
        print(json.dumps(event), file=self._report, flush=True)

    def end(self, code: int) -> None:
        """Write what is known at the end."""
        for number in self.kernels:
            self._tell(number)
        if any(kernel.results for kernel in self.kernels.values()):
            self.say(warnings=paths.unseen(self.library, self.sources))
        self.say(exit_code=code)

    def _finding(self, kind: str, line: int, text: str, file: str = "") -> None:
        if (kind, file, line) not in self._known:
            self._known.add((kind, file, line))
            self.say(finding={"kind": kind, "file": file, "line": line, "text": text})

    def _allocate(self, nbytes: int, written: bool, line: int) -> int:
        address = self.memory.allocate(nbytes, written, line)
        if not address:
            text = (
                f"there is no room for {nbytes:,} bytes: a program that is watched has "
                f"{MOST_BYTES:,} bytes together; make the input smaller."
            )
            self._finding("memory", line, text)
        return address

    def _release(self, address: int, line: int) -> int:
        if self.memory.release(address):
            return _OK
        self._finding("free", line, "what is freed was not allocated, or is freed already.")
        return _INVALID_VALUE

    def _copied(self, to: int | None, source: int | None, nbytes: int, line: int) -> int:
        wrong = self.memory.copied(to or 0, source or 0, nbytes)
        if not wrong:
            return _OK
        self._finding("copy", line, f"the call {wrong}.")
        return _INVALID_VALUE

    def _launch(self, pointer: Any) -> int:
        call = pointer.contents
        kernel = self.kernels.setdefault(call.kernel, _Kernel(call.name.decode()))
        threads = math.prod(call.grid) * math.prod(call.block)
        if code := self._refuse(call, kernel, threads):
            return code
        is_watched = kernel.launches < self.launches
        kernel.launches += 1
        kernel.watched += is_watched
        schedules = self.schedules if is_watched else 1
        if is_watched and threads > MOST_THREADS:
            schedules = 1
            text = f"a launch of {threads:,} threads ran under one schedule: make the input smaller"
            kernel.warnings[text] = None
        launch = _Launch(self, call)
        if is_watched:
            self.say(begun=f"{kernel.name}, launched at line {call.line}")
        elif kernel.launches & (kernel.launches - 1) == 0:  # few lines, whatever the loop does
            self.say(launched=f"{counted(kernel.launches, 'launch')} of {kernel.name}")
        for number in (*range(1, schedules), 0):  # what the usual order writes stays
            host = scheduled(self.path, number, self.seed)
            if not is_watched:
                host.observe = "nothing"
            if not kernel.seen.launch(host, launch):
                break
        kernel.results = max(kernel.results, kernel.seen.forget_results())
        kernel.schedules = max(kernel.schedules, schedules)
        if is_watched or kernel.seen.error:
            self._tell(call.kernel)
        return self._code(kernel)

    def _refuse(self, call: LaunchCall, kernel: _Kernel, threads: int) -> int:
        """Return CUDA's error for a launch that a GPU does not begin, or 0."""
        if not 1 <= math.prod(call.block) <= _MOST_BLOCK or call.block[2] > _MOST_Z:
            wrong = f"a block of {'x'.join(map(str, call.block))} threads"
        elif threads == 0:
            wrong = f"a grid of {'x'.join(map(str, call.grid))} blocks"
        elif call.shared_bytes > _MOST_SHARED:
            wrong = f"{call.shared_bytes:,} bytes of shared memory"
        elif call.cooperative and threads > _MOST_RESIDENT:
            text = f"a cooperative launch of {threads:,} threads is too large to be watched"
            kernel.warnings[text] = None
            return _TOO_LARGE
        else:
            return _OK
        self._finding("launch", call.line, f"{kernel.name} is not launched, for {wrong}.")
        return _INVALID_SIZE

    def _tell(self, number: int) -> None:
        kernel = self.kernels[number]
        seen = kernel.seen
        if seen.profile is None:
            return
        watched = Watched(
            self.source,
            kernel.name,
            (),
            kernel.schedules,
            kernel.results,
            tuple(race for race in seen.races if not race.same_value),
            tuple(race for race in seen.races if race.same_value),
            tuple(seen.findings),
            tuple(remarks(seen.profile, self.source)),
            tuple(kernel.warnings),
            seen.profile,
        )
        counts = {"launches": kernel.launches, "watched": kernel.watched}
        self.say(number=number, kernel=as_json(watched) | counts, text=str(watched))

    @staticmethod
    def _code(kernel: _Kernel) -> int:
        """Return CUDA's error of the last launch."""
        if not kernel.seen.error:
            return _OK
        kinds = {finding.kind for finding in kernel.seen.findings}
        if "endless" in kinds:
            return _TIMEOUT
        return _ILLEGAL_ADDRESS if "elsewhere" in kinds else _FAILED


class _Launch:
    """One launch, with the memory as it is now."""

    def __init__(self, program: Program, call: LaunchCall) -> None:
        self.library, self.call = program.library, call
        threads = math.prod(call.grid) * math.prod(call.block)
        self.steps = program.steps * max(1, threads // MOST_THREADS)
        names = self._names(program.parameters)
        for allocation in program.memory:
            allocation.keep()
            allocation.name = names.get(allocation.mapping.begin, "")
        self.arrays = [allocation.content for allocation in program.memory]
        fixed = [replace(one, original=one.memory.copy()) for one in program.fixed]
        self.memory: list[Memory] = [*program.memory, *fixed]

    def _names(self, known: dict[str, list[str]]) -> dict[int, str]:
        """Return the names of the parameters that are pointers, by where they point to."""
        given = (c.c_uint64 * self.call.parameters).from_address(self.call.arguments)
        parameters = self.library.cdll.simt_kernel(self.call.kernel).contents.parameters
        names = known.get(self.call.name.decode().partition("<")[0], [])[: self.call.parameters]
        pointers = [at for at, _ in enumerate(names) if parameters[at].array]
        return {c.c_uint64.from_address(given[at]).value: names[at] for at in pointers}

    def run(self, host: HostDevice) -> None:
        """Launch once on a device."""
        call = self.call
        name = call.name.decode()
        entry = native.KernelEntry(call.kernel, "program", 0, name, native.Signature(()))
        kernel = HostKernel(host, self.library, entry)
        host._kernels["program", name, 0] = kernel
        given = _Given(call.arguments)
        x, y, z = call.grid
        sizes = (c.c_uint64 * (call.parameters + 1))()
        kernel._launch(
            (x, y, z), tuple(call.block), given, sizes, call.shared_bytes, bool(call.cooperative)
        )


class _Given(Arguments):
    """Arguments that lie in the program's memory; behind them is what is called."""

    def __init__(self, address: int) -> None:
        self.address = address


def _guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    """End the process at an exception: ctypes would go on with zero."""

    @wraps(function)
    def call(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except BaseException:
            sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
            os._exit(70)

    return call


def main(arguments: list[str]) -> int:
    """Run the program that the first argument describes, with the others."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # host code does not come back to Python
    options = json.loads(arguments[0])
    files = [Path(file) for file in options["files"]]
    with open(options["report"], "w", encoding="utf-8") as report:  # noqa: PTH123
        names = ("schedules", "seed", "launches", "steps", "parameters")
        chosen = {name: options[name] for name in names}
        program = Program(Path(options["library"]), sources_of(files), report, **chosen)
        code = program.run([options["files"][0].removesuffix(".cu"), *arguments[1:]])
        program.end(code)
    return code & 0xFF


if __name__ == "__main__":
    sys.stdout.flush()
    os._exit(main(sys.argv[1:]))
