"""Every family's own driver has the same results and records in WebAssembly, bit by bit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest

import gpucore
from gpucore.device.host import HostDevice
from gpucore.family import algorithms
from gpucore.problems.bipartite.prepare import for_bipartite
from gpucore.problems.preferences.prepare import for_marriage

pytest.importorskip("wasmtime", reason="needs the extra wasm: make wasm")

from .device import WasmDevice, WasmLibrary

#: The first test that asks for a module waits until it is built.
pytestmark = pytest.mark.timeout(1800)

RUNS = [
    (name, variant)
    for name, runner in algorithms().items()
    if runner.where == "device"
    for variant in runner.variant_names
]
#: Of a run, not of its result; so are names with "second" in them.
OWN = {"created", "device", "notes"}


@cache
def problem(kind: str) -> Any:
    """Return a small problem of a kind."""
    if kind == "bipartite":
        return for_bipartite(gpucore.load("gnp:n=200,p=0.02,seed=1"))
    if kind == "preferences":
        return for_marriage(gpucore.load("gnp:n=60,p=0.2,seed=1"))
    if kind == "ratings":
        return gpucore.load_ratings("uniform:rows=40,columns=30,degree=8,seed=1")
    return gpucore.load("delaunay:n=200,seed=1")


def contents(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the names and values of all that a result or a record consists of."""
    if isinstance(value, list | tuple):
        value = {str(place): one for place, one in enumerate(value)}
    inner = value if isinstance(value, dict) else getattr(value, "__dict__", None)
    if inner is None:
        yield name, value.tobytes() if isinstance(value, np.ndarray) else value
        return
    for key in inner.keys() - OWN:
        if "second" not in key:
            yield from contents(inner[key], f"{name}.{key}")


@pytest.mark.parametrize("record", ["off", "counters", "events"])
@pytest.mark.parametrize(("name", "variant"), RUNS)
def test_it_runs_as_on_the_host(
    families: WasmLibrary, name: str, variant: str, record: str
) -> None:
    given = problem(gpucore.family.get_family(algorithms()[name].family).problem)
    natively, here = (
        gpucore.run(name, given, variant=variant, record=record, device=device)
        for device in (HostDevice(), WasmDevice(families))
    )
    assert dict(contents(here)) == dict(contents(natively))
