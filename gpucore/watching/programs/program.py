"""Build a whole CUDA program, run it in a process of its own, and watch every launch."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpucore.errors import ParameterError
from gpucore.interrupts import before_end
from gpucore.params import check_whole, is_number
from gpucore.progress import Cancel, check
from gpucore.watching.compiling.compiler import compile_program
from gpucore.watching.reports.gather import handed_out
from gpucore.watching.source.hosted import translate_program
from gpucore.watching.source.messages import where
from gpucore.watching.watch import STEPS, check_orders

#: Seconds between two looks at a cancel.
_LOOK = 0.1


@dataclass(frozen=True)
class WatchedProgram:
    """What a program did.

    Attributes
    ----------
    file : str
    exit_code : int or None
        None if it did not end by itself.
    ended : str
        What ended it otherwise: a signal, or the time; else empty.
    timed_out : bool
        Whether it was the time: one of its loops of launches may have no end.
    kernels : tuple of dict
        The report on each kernel, as :func:`gpucore.watching.reports.forms.as_json` has it, with
        its number of launches, those that were watched under all schedules, and the report's text.
    findings : tuple of dict
        Wrong calls of CUDA's runtime: kind, file (of a header), line, text.
    warnings : tuple of str
        What to know of its input: lines of kernels that never ran.
    """

    file: str
    exit_code: int | None
    ended: str
    timed_out: bool
    kernels: tuple[dict[str, Any], ...]
    findings: tuple[dict[str, Any], ...]
    warnings: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong, and the program ended with 0."""
        return (
            self.exit_code == 0
            and not self.findings
            and all(kernel["ok"] for kernel in self.kernels)
        )

    def as_json(self) -> dict[str, Any]:
        """Return the report as plain dictionaries, lists, numbers and texts."""
        kernels = [{k: v for k, v in one.items() if k != "text"} for one in self.kernels]
        return {
            "file": self.file,
            "ok": self.ok,
            "exit_code": self.exit_code,
            "ended": self.ended,
            "timed_out": self.timed_out,
            "findings": list(self.findings),
            "warnings": list(self.warnings),
            "kernels": kernels,
        }

    def __str__(self) -> str:
        lines = [one["text"] for one in self.kernels]
        if not lines and not self.timed_out:
            lines = ["the program launched no kernel"]
        lines += [f"{where(one['file'], one['line'])}: {one['text']}" for one in self.findings]
        lines += self.warnings
        if self.ended:
            lines.append(self.ended)
        elif self.exit_code:
            lines.append(f"the program ended with exit code {self.exit_code}")
        return "\n".join(lines)


def watch_program(
    file: str | Path | Sequence[str | Path],
    arguments: Sequence[str] = (),
    *,
    schedules: int = 20,
    seed: int = 0,
    launches: int = 8,
    include: Sequence[str | Path] = (),
    steps: int = STEPS,
    seconds: float = 300,
    stdout: Any = None,
    stderr: Any = None,
    cancel: Cancel | None = None,
) -> WatchedProgram:
    """Build a program of CUDA C++, run it, and watch its launches.

    Parameters
    ----------
    file : path, or sequence of path
        CUDA C++, one file with a main function; several are compiled as one unit. Headers are found
        beside them.
    arguments : sequence of str
        The program's.
    schedules, seed : int
        Orders of the threads for each watched launch, and the seed of the first.
    launches : int
        The first launches of each kernel are watched under all schedules; later ones run once, and
        only their memory is checked.
    include : sequence of path
        Folders of headers.
    steps : int
        Bound of one launch; see :func:`gpucore.watch`.
    seconds : float
        Bound of the whole program.
    stdout, stderr : file, optional
        Where its output goes; by default to that of this process.
    cancel : optional
        As everywhere; the program is ended.

    Raises
    ------
    Cancelled
        It was cancelled.
    GraphError
        A file cannot be read.
    KernelCompileError
        The source has a mistake, or something outside of the subset.
    MissingDependency
        There is no compiler.
    ParameterError
        An option is out of its range.
    """
    check_orders(schedules, seed, steps)
    check_whole("launches", launches, 0)
    if not is_number(seconds) or seconds <= 0:
        raise ParameterError(f"seconds is {seconds!r}; take a number over 0")
    files = [Path(one) for one in ([file] if isinstance(file, str | Path) else file)]
    translated = translate_program(files, include)
    library = compile_program(translated)
    options = {
        "library": str(library),
        "files": [str(path) for path in files],
        "parameters": translated.parameters,
        "schedules": schedules,
        "seed": seed,
        "launches": launches,
        "steps": steps,
    }
    return _run(str(files[0]), options, arguments, seconds, (stdout, stderr), cancel)


def _run(
    file: str,
    options: dict[str, Any],
    arguments: Sequence[str],
    seconds: float,
    streams: Any,
    cancel: Cancel | None,
) -> WatchedProgram:
    sys.stdout.flush()
    out, into = os.pipe()
    command = [sys.executable, "-m", "gpucore.watching.programs.child"]
    command += [json.dumps(options | {"report": into}), *arguments]
    child = subprocess.Popen(command, pass_fds=[into], stdout=streams[0], stderr=streams[1])
    os.close(into)
    before_end.append(child.kill)
    timed_out = False
    try:
        # The pipe is read while the child runs: it is small, and a full one would stop the child.
        lines = _Lines(out)
        end = time.monotonic() + seconds
        try:
            while not _has_ended(child, min(_LOOK, end - time.monotonic())):
                check(cancel)
                if time.monotonic() >= end:
                    timed_out = True
                    break
        finally:
            child.kill()
            child.wait()
    finally:
        before_end.remove(child.kill)
    ended = f"the program was ended after {seconds:g} seconds" if timed_out else ""
    return _report(file, lines.events(), child.returncode, ended)


def _has_ended(child: subprocess.Popen[Any], seconds: float) -> bool:
    try:
        child.wait(max(0.0, seconds))
    except subprocess.TimeoutExpired:
        return False
    return True


class _Lines:
    """Reads the child's report in a thread of its own."""

    def __init__(self, out: int) -> None:
        from threading import Thread

        self._found: list[str] = []
        self._thread = Thread(target=self._read, args=(out,), daemon=True)
        self._thread.start()

    def _read(self, out: int) -> None:
        with open(out, encoding="utf-8") as stream:
            self._found += stream

    def events(self) -> list[dict[str, Any]]:
        """Return the events, after the child has ended; it may have left half a line."""
        self._thread.join()
        return [json.loads(line) for line in self._found if line.endswith("\n")]


def _report(file: str, events: list[dict[str, Any]], returned: int, ended: str) -> WatchedProgram:
    kernels: dict[int, dict[str, Any]] = {}
    findings, warnings = [], []
    code, timed_out, begun, launched = None, bool(ended), "", ""
    for event in events:
        if "kernel" in event:
            kernels[event["number"]] = event["kernel"] | {"text": event["text"]}
            begun = ""
        elif "begun" in event:
            begun = event["begun"]
        elif "launched" in event:
            launched = event["launched"]
        elif "finding" in event:
            findings.append(event["finding"])
        elif "warnings" in event:
            warnings += event["warnings"]
        else:
            code = event["exit_code"]
    if code is None and not ended:
        ended = (
            f"host code was ended by {signal.Signals(-returned).name}"
            if returned < 0
            else f"the program ended with {returned} before its main function returned"
        )
    if timed_out and begun:
        ended += f", in {begun}"
    elif timed_out and launched:
        ended += f", which had {launched} or more: its loop of launches may have no end"
    found = (tuple(kernels.values()), tuple(findings), tuple(warnings))
    return handed_out(WatchedProgram(file, code, ended, timed_out, *found))
