"""The playground's requests, answered by the native executor."""

from __future__ import annotations

import math
from typing import Any

import gpucore
from gpucore.errors import WarplensError
from gpucore.watching.launches.given import read_arguments
from gpucore.watching.reports.forms import as_json, details
from gpucore.watching.watch import signature_of

#: The element that a page has once it can be used; its policy lets no test wait by an expression.
READY = "body[data-ready='1']"
#: The engine that a page of a test starts with: it asks the test's process.
ENGINE = """{
  size: {}, load: async () => {}, stop: () => {},
  run: async (request) => {
    const answer = await answerNatively(request);
    const { failed, marks } = answer;
    if (failed) throw Object.assign(new Error(failed), { kind: "compile", marks });
    return answer;
  },
}"""


def answer(request: dict[str, Any]) -> dict[str, Any]:
    """Return the report of a request, as ``warplens watch --json`` prints it."""
    code, name = request["code"], request["kernel"] or None
    try:
        threads = math.prod(request["grid"]) * math.prod(request["block"])
        values, empty = read_arguments(signature_of(code, name), request["args"], threads)
        found = gpucore.watch(
            code,
            request["grid"],
            request["block"],
            values,
            name=name,
            shared_mem=request["shared"],
            schedules=request["schedules"],
            seed=request["seed"],
            empty=empty,
        )
    except WarplensError as error:
        return {"failed": str(error), "marks": marks(str(error))}
    return {**as_json(found), **details(found)}


def marks(words: str) -> list[dict[str, Any]]:
    """Return the lines that an error of the compiler names."""
    lines = [line.partition(": ") for line in words.splitlines() if line.startswith("line ")]
    return [{"line": int(head.removeprefix("line ")), "text": text} for head, _, text in lines]


def request_of(puzzle: Any, code: str) -> dict[str, Any]:
    """Return the request of a puzzle with some code."""
    return {
        "code": code,
        "kernel": "",
        "grid": [int(part) for part in puzzle.grid.split(",")],
        "block": [int(part) for part in puzzle.block.split(",")],
        "shared": 0,
        "args": list(puzzle.args),
        "schedules": 20,
        "seed": 0,
    }


def request_of_state(state: dict[str, Any], schedules: int = 3) -> dict[str, Any]:
    """Return the request of a state of the page, as a link has it."""
    sizes = {name: [int(part) for part in state[name].split(",")] for name in ("grid", "block")}
    return {**state, **sizes, "schedules": schedules, "seed": 0}
