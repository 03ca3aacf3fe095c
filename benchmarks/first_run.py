"""Measure how long the first run of every variant takes on a GPU, and what it waits for.

    python benchmarks/first_run.py --output benchmarks/results/first_run.json

Every variant runs in two fresh processes: with an empty cache of compiled kernels, and with the
cache that the first process filled. The seconds of a run count from the call of :func:`gpucore.run`
(no certificate) on a small problem; those of CuPy's import and of the CUDA context are separate,
since a page process has done both before a visitor runs anything. ``ours`` lists the compilations
of our kernels, and ``cupy`` those of CuPy's own: name, seconds, and the line that caused it. Those
of lines in ``compiles.py`` were compiled ahead, several at a time; any other line waited for its
kernel, and the family's declaration lacks its expression.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from machine import commit, hardware

import gpucore
from gpucore.cli.options import load_for
from gpucore.device import get_device
from gpucore.device.cuda import CudaDevice
from gpucore.family import get_family, get_runner

#: A small problem of each kind, large enough for kernels of hubs.
PROBLEMS = {
    "graph": "rmat:scale=14,seed=1",
    "bipartite": "uniform:rows=20000,columns=20000",
    "preferences": "easy:n=500",
    "ratings": "scale_free:users=2000,items=500,ratings=20000",
}
LEVELS = ("off", "events")
TARGETS = {"empty": 2.0, "filled": 0.3}


def watch(module: Any, name: str, log: list[Any], label: Callable[..., str]) -> None:
    """Let a function of a module log ``[label of its arguments, seconds, line]`` of every call."""
    inner = getattr(module, name)

    def timed(*args: Any, **keywords: Any) -> Any:
        start = time.monotonic()
        try:
            return inner(*args, **keywords)
        finally:
            seconds = round(time.monotonic() - start, 3)
            log.append([label(*args, **keywords), seconds, place()])

    setattr(module, name, timed)


def place() -> str:
    """Return the line of a family that is under way in this thread; empty if there is none."""
    frame = sys._getframe(1)
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if "families" in path.parts:
            return f"{path.parent.name}/{path.name}:{frame.f_lineno}"
        frame = frame.f_back
    return ""


def lacking(log: list[Any]) -> list[str]:
    """Return CuPy's kernels that were not compiled ahead, each with the line that needed it."""
    return [f"{name} {line}" for name, _, line in log if "/compiles.py:" not in line]


def kernel_of(source: str, *_: Any, **__: Any) -> str:
    """Return the name of a CuPy kernel, and the CUB headers that it includes."""
    found = re.search(r"__global__[^(]*?(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\(", source)
    heavy = " with CUB" if re.search(r"#include\s*<cub/", source) else ""
    return (found[1] if found else source[:40]) + heavy


def kernels_of(path: Path, options: tuple[str, ...]) -> str:
    """Return the names of the kernels that these options compile, and of no others."""
    marked = [option for option in options if option.startswith("-DSIMT_ONLY_")]
    names = [option.removeprefix("-DSIMT_ONLY_").split("=")[0] for option in marked]
    return " ".join(names) or path.stem


def measure(algorithm: str, variant: str, level: str) -> dict[str, Any]:
    """Run a variant for the first and the second time in this process; return the times."""
    marks = [time.monotonic()]
    CudaDevice.unavailable()  # imports CuPy
    import cupy
    from cupy.cuda import compiler

    marks.append(time.monotonic())
    cupy.empty(1)
    device = get_device("cuda")
    marks.append(time.monotonic())
    ours: list[Any] = []
    theirs: list[Any] = []
    from gpucore.device import cuda_compile

    watch(cuda_compile, "_compile", ours, kernels_of)
    inner = "_compile_using_nvrtc_no_warning"
    watch(compiler, inner if hasattr(compiler, inner) else "compile_using_nvrtc", theirs, kernel_of)
    family = get_family(get_runner(algorithm).family)
    problem = load_for(
        PROBLEMS[family.problem], family.name, 0, None, None, recorded=level != "off"
    )
    seconds = []
    for _ in range(2):
        start = time.monotonic()
        gpucore.run(algorithm, problem, device=device, variant=variant, record=level, certify=False)
        device.synchronize()
        seconds.append(round(time.monotonic() - start, 3))
    return {
        "import": round(marks[1] - marks[0], 3),
        "context": round(marks[2] - marks[1], 3),
        "first": seconds[0],
        "second": seconds[1],
        "ours": ours,
        "cupy": [entry for entry in theirs if entry[1] > 0],
    }


def in_process(case: tuple[str, str, str], cache: str, timeout: float) -> dict[str, Any]:
    """Measure a case in a fresh process with this cache of compiled kernels."""
    ran = subprocess.run(
        [sys.executable, __file__, "--case", *case],
        env=os.environ | {"CUPY_CACHE_DIR": cache, "CUDA_CACHE_PATH": f"{cache}/driver"},
        capture_output=True, text=True, check=False, timeout=timeout,
    )  # fmt: skip
    if ran.returncode:
        return {"error": ran.stderr.strip().splitlines()[-3:]}
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def both(case: tuple[str, str, str], end: float) -> dict[str, Any]:
    """Measure a case with an empty and with the filled cache, unless the time is over."""
    row: dict[str, Any] = dict(zip(("algorithm", "variant", "record"), case, strict=True))
    with tempfile.TemporaryDirectory() as cache:
        for state in ("empty", "filled"):
            left = end - time.monotonic()
            if left <= 0:
                return row | {"skipped": True}
            try:
                row[state] = in_process(case, cache, left)
            except subprocess.TimeoutExpired:
                return row | {"skipped": True}
    empty, filled = row["empty"], row["filled"]
    if "error" in empty:
        print(*case, empty["error"], flush=True)
    else:
        ours, theirs = (sum(entry[1] for entry in empty[key]) for key in ("ours", "cupy"))
        print(
            f"{' '.join(case):36} empty {empty['first']:6.2f} s (ours {ours:5.2f} in "
            f"{len(empty['ours'])}, CuPy {theirs:5.2f} in {len(empty['cupy'])}, "
            f"{len(lacking(empty['cupy']))} not ahead)  filled "
            f"{filled.get('first', -1):5.2f}  second {filled.get('second', -1):5.3f}  import "
            f"{filled.get('import', -1):4.2f}  context {filled.get('context', -1):4.2f}",
            flush=True,
        )
    return row


def table(rows: list[dict[str, Any]]) -> str:
    """Return the README's table: runs that miss a target, slowest first."""
    lines = [
        "| variant | empty cache | NVRTC, our kernels | NVRTC, CuPy's kernels | filled cache | "
        "second run |",
        "| --- | ---: | --- | --- | ---: | ---: |",
    ]
    measured = [row for row in rows if all("first" in row.get(key, {}) for key in TARGETS)]
    counts = {key: sum(row[key]["first"] <= TARGETS[key] for row in measured) for key in TARGETS}
    for row in sorted(measured, key=lambda row: -row["empty"]["first"]):
        empty, filled = row["empty"], row["filled"]
        if all(row[key]["first"] <= TARGETS[key] for key in TARGETS):
            continue
        spent = [
            f"{sum(entry[1] for entry in empty[key]):.2f} s in {len(empty[key])}"
            for key in ("ours", "cupy")
        ]
        lines.append(
            f"| {row['algorithm']} `{row['variant']}` {row['record']} | {empty['first']:.2f} s | "
            f"{spent[0]} | {spent[1]} | {filled['first']:.2f} s | {filled['second']:.2f} s |"
        )
    within = ", ".join(f"{counts[key]} within {TARGETS[key]} s ({key} cache)" for key in TARGETS)
    return "\n".join([*lines, f"of {len(measured)} runs: {within}"])


def cases(wanted: list[str], levels: list[str]) -> list[tuple[str, str, str]]:
    """Return all cases; the default variants first, since the time may be limited."""
    found = []
    for name in wanted or gpucore.algorithms():
        variants = get_runner(name).variant_names
        found += [
            (number, level, name, variant)
            for number, variant in enumerate(variants)
            for level in levels
        ]
    return [(name, variant, level) for _, level, name, variant in sorted(found)]


def main() -> None:
    """Measure, print a table and write the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("algorithms", nargs="*", help="all without it")
    parser.add_argument("--case", nargs=3, help=argparse.SUPPRESS)
    parser.add_argument("--level", action="append", choices=LEVELS, help="record levels")
    parser.add_argument("--time-limit", type=float, default=3600, help="seconds")
    parser.add_argument("--processes", type=int, default=1, help="cases at a time")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    if given.case:
        print(json.dumps(measure(*given.case)))
        return
    end = time.monotonic() + given.time_limit
    with ThreadPoolExecutor(given.processes) as pool:
        todo = cases(given.algorithms, given.level or list(LEVELS))
        rows = list(pool.map(lambda case: both(case, end), todo))
    print(table(rows))
    date = datetime.datetime.now(datetime.UTC).date().isoformat()
    device = get_device("cuda").describe()
    facts = {"date": date, "commit": commit(), "hardware": hardware(), "device": device}
    facts |= {"processes": given.processes, "problems": PROBLEMS, "targets": TARGETS}
    if given.output is not None:
        given.output.write_text(json.dumps({**facts, "runs": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
