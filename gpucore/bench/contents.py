"""What a results file must hold, field by field; reports and sessions rely on it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gpucore.params import is_whole

#: A test of a value, and how an error calls what is needed.
Check = tuple[Callable[[Any], bool], str]


def _is_size(value: Any) -> bool:
    return type(value) in (int, float) and math.isfinite(value) and value >= 0


_TEXT: Check = (lambda value: isinstance(value, str), "a text")
_COUNT: Check = (lambda value: is_whole(value) and value >= 0, "a whole number from 0 on")
_SIZE: Check = (_is_size, "a number from 0 on")
_TIME: Check = (lambda value: _is_size(value) and value > 0, "a number above 0")
_FLAG: Check = (lambda value: isinstance(value, bool), "true or false")
_TABLE: Check = (lambda value: isinstance(value, dict), "an object")
_LIST: Check = (lambda value: isinstance(value, list), "a list")
_PROOF: Check = (lambda value: value is None or isinstance(value, bool), "true, false or null")
_KEY: Check = (lambda value: value is None or isinstance(value, str), "a text or null")

_FILE = {
    "family": _TEXT,
    "least_bytes_why": _TEXT,
    **dict.fromkeys(("setup", "protocol", "copy", "experiments", "graphs", "measurements"), _TABLE),
}
_SETUP = {
    "device": _TABLE,
    "processor": _TEXT,
    "cores": _COUNT,
    "versions": _TABLE,
    "commit": _KEY,
    "date": _TEXT,
}
_EXPERIMENT = {
    "title": _TEXT,
    "source": _TEXT,
    "plot": _TEXT,
    "axes": _LIST,
    "all_peers": _FLAG,
    "baseline": _KEY,
    "cases": _LIST,
}
_CASE = {"label": _TEXT, "key": _TEXT}
_GRAPH = {
    "vertices": _COUNT,
    "edges": _COUNT,
    "least_bytes": _SIZE,
    "fingerprint": _TEXT,
    "solutions": _TABLE,
}
_MEASUREMENT = {
    "seconds": _TIME,
    "figures": _TABLE,
    "digest": _TEXT,
    "peer": _FLAG,
    "certified": _PROOF,
}


def first_fault(data: Any) -> str:
    """Return what is wrong with the content of a results file; empty if nothing is.

    Examples
    --------
    >>> first_fault({"family": 5})
    'family must be a text, not 5'
    """
    return next(_faults(data), "")


def _faults(data: Any) -> Iterator[str]:
    yield from _of(data, "the file", _FILE, "")
    yield from _of(data["setup"], "setup", _SETUP)
    yield from _of(data["protocol"], "protocol", {"repeat": _COUNT})
    yield from _of(data["copy"], "copy", {"bandwidth": _TIME})
    for name, experiment in data["experiments"].items():
        place = f"experiments.{name}"
        yield from _of(experiment, place, _EXPERIMENT)
        for number, case in enumerate(experiment["cases"]):
            yield from _of(case, f"{place}.cases[{number}]", _CASE)
    for name, graph in data["graphs"].items():
        yield from _of(graph, f"graphs.{name}", _GRAPH)
    for name, cases in data["measurements"].items():
        if name not in data["graphs"]:
            yield f"measurements.{name} has no graph of this name"
        yield from _of(cases, f"measurements.{name}", {})
        for key, found in cases.items():
            # A case that failed has a reason instead of a time.
            fields = {"error": _TEXT} if _failed(found) else _MEASUREMENT
            yield from _of(found, f"measurements.{name}.{key}", fields)


def _failed(found: Any) -> bool:
    return isinstance(found, dict) and "seconds" not in found


def _of(
    value: Any, place: str, fields: Mapping[str, Check], prefix: str | None = None
) -> Iterator[str]:
    """Yield what is wrong with an object; `place` names it, `prefix` its fields."""
    if not isinstance(value, dict):
        yield f"{place} must be an object, not {_shown(value)}"
        return
    prefix = f"{place}." if prefix is None else prefix
    for name, (holds, needed) in fields.items():
        if name not in value:
            yield f"{prefix}{name} is missing"
        elif not holds(value[name]):
            yield f"{prefix}{name} must be {needed}, not {_shown(value[name])}"


def _shown(value: Any) -> str:
    """Return a value as an error shows it, cut off if it is long."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}..."
