"""What the host does in a stage of a run: launches, array operations, allocations, reads.

    python benchmarks/host_calls.py delaunay:n=131072,seed=1 leiden

It runs on the host executor, which makes the same calls as a GPU but for sizes of some launches.
A stage's row ends where the next stage is reported; sizes and rounds are those of this run.
"""

from __future__ import annotations

import argparse
from collections import Counter
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import numpy as np

import gpucore
from gpucore.device.base import Kernel
from gpucore.device.host import HostDevice

COUNT: Counter[str] = Counter()
ROWS: list[tuple[str, Counter[str]]] = []
KERNELS: list[Counter[str]] = []
#: Functions of the array library that only allocate; others that make an array also fill it.
ALLOCATE = {"empty"}


class Counted(np.ndarray):
    """An array whose operations are counted; views are free."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **more: Any) -> Any:
        """Count an operation of whole arrays."""
        COUNT["operations"] += 1
        plain = [np.asarray(x) if isinstance(x, Counted) else x for x in inputs]
        if "out" in more:
            more["out"] = tuple(np.asarray(x) for x in more["out"])
        found = getattr(ufunc, method)(*plain, **more)
        return np.asarray(found).view(Counted)

    def __getitem__(self, key: Any) -> Any:
        """Count an index that copies."""
        if isinstance(key, np.ndarray):
            COUNT["operations"] += 1
        return super().__getitem__(key)

    def __setitem__(self, key: Any, value: Any) -> None:
        """Count an assignment to elements."""
        COUNT["operations"] += 1
        super().__setitem__(key, value)

    def copy(self, order: Any = "C") -> Any:
        """Count a copy."""
        COUNT["operations"] += 1
        return super().copy(order)

    def fill(self, value: Any) -> None:
        """Count a fill."""
        COUNT["operations"] += 1
        super().fill(value)

    def __float__(self) -> float:
        """Count a number that the host waits for."""
        COUNT["reads"] += 1
        return float(np.asarray(self))

    def __int__(self) -> int:
        """Count a number that the host waits for."""
        COUNT["reads"] += 1
        return int(np.asarray(self))


def _counted(name: str, function: Any) -> Any:
    def call(*given: Any, **named: Any) -> Any:
        COUNT["allocations" if name in ALLOCATE else "operations"] += 1
        found = function(*given, **named)
        return found.view(Counted) if isinstance(found, np.ndarray) else found

    return call


class Library(ModuleType):
    """The array library, with counted functions."""

    ndarray = Counted

    def __getattr__(self, name: str) -> Any:
        """Return a function that counts, or what is no function."""
        found = getattr(np, name)
        return found if isinstance(found, type) or not callable(found) else _counted(name, found)


class CountingDevice(HostDevice):
    """The host executor; reads and timers are counted."""

    xp = cast("Any", Library("counted"))

    def asarray(self, a: Any) -> Any:
        """Copy to the device."""
        COUNT["operations"] += 1
        return np.ascontiguousarray(a).view(Counted)

    def to_host(self, a: Any) -> np.ndarray:
        """Wait, and copy to the host."""
        COUNT["reads"] += 1
        return np.array(a, subok=False)

    def timer(self) -> Any:
        """Wait for an event when the block ends."""
        COUNT["timers"] += 1
        return super().timer()

    def report(self, phase: str, done: int = 0, total: int = 0) -> None:
        """Begin a row."""
        if total == 0:
            begin(phase)


def begin(phase: str) -> None:
    """Begin a row of the table."""
    global COUNT
    COUNT = Counter()
    KERNELS.append(Counter())
    ROWS.append((phase, COUNT))


def watch() -> None:
    """Count launches and their preparations."""
    prepare = Kernel.prepare

    def counted(kernel: Kernel, *given: Any, **named: Any) -> Any:
        COUNT["prepared"] += 1
        launch = prepare(kernel, *given, **named)

        def launched() -> None:
            COUNT["launches"] += 1
            KERNELS[-1][kernel.name] += 1
            launch()

        return launched

    Kernel.prepare = counted  # type: ignore[assignment]


COLUMNS = ("launches", "prepared", "operations", "allocations", "reads", "timers")


def parse() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("graph", help="a file, data set or generator, as of gpucore.load")
    parser.add_argument("variant", choices=("fast", "leiden"))
    parser.add_argument("--kernels", action="store_true", help="also the launches by kernel")
    return parser.parse_args()


def main() -> None:
    """Run, and print a row for each stage."""
    options = parse()
    graph = gpucore.load(options.graph)
    watch()
    begin("before the first stage")
    result = gpucore.run("louvain", graph, device=CountingDevice(), variant=options.variant)
    print(f"{'':44}" + "".join(f"{name:>12}" for name in COLUMNS))
    total: Counter[str] = Counter()
    for (phase, count), names in zip(ROWS, KERNELS, strict=True):
        total += count
        print(f"{phase:44}" + "".join(f"{count[name]:12}" for name in COLUMNS))
        if options.kernels:
            print("    " + ", ".join(f"{name} {k}" for name, k in names.items()))
    print(f"{'sum':44}" + "".join(f"{total[name]:12}" for name in COLUMNS))
    found = SimpleNamespace(**result.figures)
    print(f"modularity {found.modularity:.6f}, {found.communities} communities")
    for stage in found.stages:
        keys = ("vertices", "entries", "sweeps", "communities")
        print("   ", {key: stage[key] for key in keys}, f"{stage['modularity']:.6f}")


if __name__ == "__main__":
    main()
