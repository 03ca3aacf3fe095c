"""Watches a kernel in the visitor's browser; Pyodide runs it, which has no NumPy.

The order of things is :func:`gpucore.watching.watch.watch`'s, and so are the words: the translator,
the findings and the report are the same code. `Tools` is what the worker gives: a compiler, and an
executor with the kernel, both in WebAssembly.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, Protocol

from gpucore.counts import COUNTERS, RACE, REQUEST, SITE, Counts, Step, steps_of
from gpucore.errors import KernelCompileError, ParameterError, WarplensError
from gpucore.watching.compiling.compiler import kernel_unit
from gpucore.watching.launches.gathered import Gathered
from gpucore.watching.launches.untouched import sentences
from gpucore.watching.memory.mangled import plain_name
from gpucore.watching.reports.explain import remarks
from gpucore.watching.reports.findings import FINDING, findings_of, uninitialised
from gpucore.watching.reports.forms import MOST_ELEMENTS, array_form, as_json, details
from gpucore.watching.reports.watched import Watched
from gpucore.watching.source import preprocess
from gpucore.watching.source.kernels import chosen_kernel
from gpucore.watching.source.messages import SOURCE_NAME, explain
from gpucore.watching.source.translate import translate

from .prebuilt import find
from .values import Parameter, Values, read_arguments

#: Threads of a launch, schedules of a run, and steps of a launch; bytes of shared memory.
MOST_THREADS, MOST_SCHEDULES, STEPS = 1 << 14, 1000, 20_000_000
MOST_SHARED = 1 << 20
_LETTERS = {"u4": "I", "u8": "Q", "i8": "q", "S48": "48s", "(32,)u8": "256s"}


class Tools(Protocol):
    """What the worker gives, in JavaScript; texts that it takes and gives are JSON."""

    def preprocess(self, words: str, files: str) -> str:
        """Run the compiler's preprocessor: ``{code, out, err}``."""

    def compile(self, unit: str) -> str:
        """Compile and load a unit: ``{error}``, or ``{places, warnings, kernels, variables}``."""

    def load(self, key: str, about: str, wasm: bytes) -> str:
        """Load what was compiled beforehand, likewise."""

    def launch(self, launch: str) -> Any:
        """Launch; an object with ``error``, and tables as bytes."""


def run(tools: Tools, text: str) -> str:
    """Return the report on a request, or ``{error: {kind, message}}``, as JSON; see engine.js."""
    preprocess.tool = lambda words, files: _preprocessed(tools, words, files)
    try:
        return json.dumps(_watched(tools, json.loads(text)))
    except WarplensError as error:
        kind = "compile" if isinstance(error, KernelCompileError) else "request"
        return json.dumps({"error": {"kind": kind, "message": str(error)}})


def _preprocessed(tools: Tools, words: Sequence[str], files: Mapping[str, str]) -> Any:
    source = files[SOURCE_NAME]
    if not any(mark in source for mark in ("#", "__CUDA", "CUDA_VERSION", "\\\n", "??")):
        return SimpleNamespace(returncode=0, stdout=f'# 1 "{SOURCE_NAME}"\n{source}', stderr="")
    done = json.loads(tools.preprocess(json.dumps([*words]), json.dumps({**files})))
    return SimpleNamespace(returncode=done["code"], stdout=done["out"], stderr=done["err"])


def _watched(tools: Tools, request: dict[str, Any]) -> dict[str, Any]:
    sizes = [_size(name, request[name]) for name in ("grid", "block")]
    threads = math.prod(sizes[0]) * math.prod(sizes[1])
    if threads > MOST_THREADS:
        raise ParameterError(
            f"{threads:,} threads; 1 to {MOST_THREADS:,} can be watched in a browser: take a "
            "smaller problem with the same shape"
        )
    schedules = int(request.get("schedules", 20))
    if not 1 <= schedules <= MOST_SCHEDULES:
        raise ParameterError(f"schedules is {schedules}; take 1 to {MOST_SCHEDULES:,}")
    shared = int(request.get("shared", 0))
    if not 0 <= shared <= MOST_SHARED:
        raise ParameterError(f"shared is {shared:,}; take 0 to {MOST_SHARED:,} bytes")
    source = request["code"]
    names, built = _built(tools, source, request.get("kernel") or "")
    name = chosen_kernel(tuple(names))
    kernel = next(one for one in built["kernels"] if one["name"] == name)
    parameters = [Parameter(**one) for one in kernel["parameters"]]
    values = read_arguments(parameters, request.get("args", ()), threads)
    launch = _Launches(tools, built, names[name], values)
    launch.common = {
        "kernel": kernel["index"],
        "grid": sizes[0],
        "block": sizes[1],
        "shared": shared,
        "steps": STEPS,
        "arguments": [one.form() for one in values],
    }
    for number in range(schedules):
        if not launch.run(number, int(request.get("seed", 0)) + number):
            break
    warnings = [*launch.warnings(sizes, source)]
    if launch.results:
        warnings += sentences(*launch.paths(), {SOURCE_NAME: source})
    profile: Any = SimpleNamespace(lines=launch.lines)
    watched = Watched(
        source,
        name,
        (),
        launch.launches,
        launch.results,
        tuple(race for race in launch.races if not race.same_value),
        tuple(race for race in launch.races if race.same_value),
        (*uninitialised(built["warnings"]), *launch.findings),
        tuple(remarks(profile, source)),
        tuple(warnings),
        profile,
        None,
        launch.output,
        launch.steps,
    )
    arrays = [array_form(one.dtype, one.size, one.values(MOST_ELEMENTS)) for one in launch.first]
    return {**as_json(watched), **details(watched), "arrays": arrays}


def _built(
    tools: Tools, source: str, kernel: str
) -> tuple[Mapping[str, Sequence[str]], dict[str, Any]]:
    """Return the kernels with the names of their parameters, and what the compiler made of them."""
    if found := find(source, kernel):
        return found.parameters, json.loads(tools.load(found.key, found.about, found.wasm))
    plain = translate(source, kernel or None)
    built: dict[str, Any] = json.loads(tools.compile(kernel_unit(plain)))
    if "error" in built:
        raise KernelCompileError(explain(built["error"], plain.source, plain.dropped))
    return plain.parameters, built


def _size(what: str, size: Sequence[int]) -> tuple[int, ...]:
    numbers = tuple(int(part) for part in size)
    if not 1 <= len(numbers) <= 3 or min(numbers) < 1:
        raise ParameterError(f"{what} is {list(size)}; it is one to three numbers from 1")
    return numbers


@dataclass(frozen=True)
class _Memory:
    """An array argument or a variable, as findings name it."""

    name: str
    kind: str
    nbytes: int
    granule: int

    def words(self, offset: int, size: int) -> str:
        if not self.kind:
            return f"{self.name}[{offset // size}], of a variable of {self.nbytes:,} bytes"
        length = f"{self.nbytes // self.granule:,} {self.kind}"
        return f"{self.name}[{offset // self.granule}], of an array of {length}"


class _Launches(Gathered):
    """The launches of a kernel under one schedule after another."""

    def __init__(
        self, tools: Tools, built: dict[str, Any], names: Sequence[str], values: Sequence[Values]
    ) -> None:
        super().__init__()
        self.tools, self.places, self.values = tools, built["places"], values
        self.memory = [
            _Memory(name or f"argument {at}", one.dtype, len(one.data), one.itemsize)
            for at, (name, one) in enumerate(zip(names, values, strict=True))
            if one.array
        ]
        self.memory += [
            _Memory(plain_name(one["name"]), "", one["bytes"], 1) for one in built["variables"]
        ]
        self.common: dict[str, Any] = {}
        self.first: tuple[Values, ...] = ()
        self.lines: dict[str, list[Any]] = {}
        self.output = ""
        self.steps: tuple[Step, ...] = ()
        self.passed: set[int] = set()

    def source(self, number: int) -> tuple[str, int]:
        """Return file and line of a place."""
        place = self.places[number] if number < len(self.places) else self.places[0]
        return place["file"], place["line"]

    def run(self, number: int, seed: int) -> bool:
        """Launch once; returns whether another schedule is worth while."""
        done = self.tools.launch(json.dumps({**self.common, "number": number, "seed": seed}))
        if done.refused:
            raise ParameterError(done.refused)
        sites, counts = _rows(done.sites.to_bytes(), SITE), Counts(self.source)
        counts.add(sites, _rows(done.races.to_bytes(), RACE))
        found = findings_of(
            _rows(done.findings.to_bytes(), FINDING), sites, self.source, self.memory
        )
        place = self.source(done.stopped)
        error = f"{done.name}: {done.error}" if done.error else ""
        self.add_launch(found, error, place)
        self.add_races(counts.races())
        self.passed.update(struct.unpack(f"<{len(done.passed) // 8}Q", done.passed.to_bytes()))
        arrays = tuple(
            Values(one.dtype, data.to_bytes(), True)
            for one, data in zip((v for v in self.values if v.array), done.arrays, strict=True)
        )
        if number == 0:
            self._keep_lines(counts)
            self.output = done.output
            rows = _rows(done.kept_requests.to_bytes(), REQUEST)
            self.steps = tuple(steps_of(rows, self.source))
        if not error:
            self.add_result(one.data for one in arrays)
        if not self.first or (not error and self.results == 1):
            self.first = arrays
        return not any(finding.kind == "endless" for finding in found)

    def _keep_lines(self, counts: Counts) -> None:
        rows = counts.lines()
        for at, name in enumerate(("file", "line", "kind")):
            self.lines[name] = [key[at] for key in rows]
        for at, name in enumerate(COUNTERS):
            self.lines[name] = [row[at] for row in rows.values()]

    def paths(self) -> tuple[set[tuple[str, int]], set[tuple[str, int]]]:
        """Return file and line of what ran, and of what did not in functions that did."""
        blocks = [
            (number, place["file"], place["block"])
            for number, place in enumerate(self.places)
            if place["block"]
        ]
        entered = {block["function"] for number, _, block in blocks if number in self.passed}
        found: tuple[set[tuple[str, int]], set[tuple[str, int]]] = set(), set()
        for number, file, block in blocks:
            if block["function"] in entered:
                lines = {(file, line) for line in block["lines"]}
                found[0 if number in self.passed else 1].update(lines)
        return found[0], found[1] - found[0]

    @staticmethod
    def warnings(sizes: Sequence[Sequence[int]], source: str) -> Iterator[str]:
        """Yield what the report should say before anything else."""
        if math.prod(sizes[0]) == 1 and "blockIdx" in source:
            yield "there is one block: races between blocks show with two, so watch grid=2 as well."


def _rows(data: bytes, fields: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Return a table of the executor."""
    names = [name for name, _ in fields]
    form = "<" + "".join(_LETTERS[kind] for _, kind in fields)
    rows = [dict(zip(names, row, strict=True)) for row in struct.iter_unpack(form, data)]
    for row in rows:
        row.update({k: v.rstrip(b"\0") for k, v in row.items() if isinstance(v, bytes)})
    return rows
