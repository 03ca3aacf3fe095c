"""Kernels whose verdicts are the same in the playground's engine and in the native executor."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from support.engines import request
from support.playing import answer

TESTS = Path(__file__).parents[1]
FILES = sorted((TESTS / "watching" / "kernels").glob("planted_*.cu"))
PLANTED = "\n".join(path.read_text() for path in FILES)
NAMES = re.findall(r"^__global__ void (\w+)\(", PLANTED, re.MULTILINE)


def native(asked: dict[str, Any]) -> dict[str, Any]:
    """Return the report of the native executor."""
    return answer(asked)


def planted(name: str) -> dict[str, Any]:
    """Return the request of a planted kernel."""
    blocks = 2 if name.startswith(("last_block", "flag_after", "division", "different")) else 1
    kind = "empty" if name.startswith("uninitialised_global") else "zeros"
    args = ("iota:int32:64", f"{kind}:int32:64", "64")
    return request(PLANTED, args, kernel=name, grid=blocks, shared=256)


def _listed(values: Any) -> str:
    return f"list:int32:{','.join(map(str, values))}"


_BINS = _listed(7 * at % 8 for at in range(300))
_TRIPS = _listed(300 * at for at in range(32))
#: Launches of the kernels of tests/simt/instrumented, by file: kernel -> grid, block, arguments.
OWN: dict[str, dict[str, tuple[int, int, tuple[str, ...]]]] = {
    "synchronised": {
        "tree_sum": (4, 128, ("random:int32:512:1", "zeros:int32:1")),
        "turn_around": (2, 64, ("5", "iota:int32:128")),
        "halves": (1, 32, ("iota:int32:32",)),
        "histogram": (3, 128, ("300", _BINS, "zeros:int32:8")),
        "smallest": (3, 128, ("300", "random:int32:300:1", "list:int32:20000")),
        "all_blocks": (4, 32, ("2", "random:int32:4:1", "zeros:int32:4", "zeros:uint32:2")),
        "any_above": (3, 128, ("300", "random:int32:300:1", "50", "zeros:int32:1")),
    },
    "patterns": {
        "copy_bytes": (2, 32, ("3", "2", "random:uint8:256", "zeros:uint8:64")),
        "copy_ints": (2, 32, ("2", "1", "random:int32:256", "zeros:int32:64")),
        "copy_doubles": (2, 32, ("1", "1", "random:float64:128", "zeros:float64:64")),
        "gather": (2, 32, ("random:int32:64:5", "iota:int32:64", "zeros:int32:64")),
        "shared_ints": (1, 32, ("4", "zeros:int32:32")),
        "shared_doubles": (1, 32, ("2", "zeros:float64:32")),
        "shared_atomics": (1, 32, ("4", "zeros:int32:32")),
        "branch": (1, 32, ("2147483649", "zeros:int32:32")),
        "loops": (1, 32, ("2", _listed(at % 5 for at in range(64)), "zeros:int32:64")),
        "long_loop": (1, 32, (_TRIPS, "iota:int32:10000", "zeros:int32:32")),
        "calls": (1, 32, ("iota:int32:65", "zeros:int32:64")),
        "partial_meetings": (1, 32, ("zeros:int32:64",)),
        "compare_once": (1, 32, ("zeros:int32:32", "4", "zeros:int32:32")),
        "racy_counter": (2, 32, ("zeros:int32:1", "zeros:int32:1")),
    },
}  # fmt: skip


def own(file: str, name: str, change: Any = None) -> dict[str, Any]:
    """Return the request of a kernel of tests/simt/instrumented, changed by a mistake."""
    text = (TESTS / "simt" / "instrumented" / "kernels" / f"{file}.cu").read_text()
    text = change.apply(text) if change is not None else text
    text = re.sub(r"SIMT_KERNEL\((\w+)\)", r"__global__ void \1", text)
    text = re.sub(r"SIMT_SHARED\((\w+)\[([^]]+)\], (\w+)\)", r"__shared__ \1 \3[\2]", text)
    text = re.sub(r'^(#include "simt.h"|SIMT_EXPORT.*)$', "", text, flags=re.MULTILINE)
    grid, block, args = OWN[file][name]
    return request(text, args, kernel=name, grid=grid, block=block)


def verdict(report: dict[str, Any]) -> tuple[Any, ...]:
    """Return what must be equal: not who of many was first, nor how code is laid out."""
    races = {
        tuple(sorted((side["line"], side["kind"]) for side in (race["first"], race["second"])))
        for race in (*report["races"], *report["same_value"])
    }
    findings = {(one["kind"], one["line"]) for one in report["findings"]}
    lines = [row for row in report["lines"] if row["kind"] != "block" and row["requests"]]
    kinds = {kind for kind, _ in findings}
    defined = report["results"] == 1 and not report["races"] and "uninitialised" not in kinds
    # How often a loop without end ran depends on the code that a compiler makes of it.
    lines = [] if "endless" in kinds else lines
    return report["ok"], races, findings, lines, report["arrays"] if defined else None
