"""Benchmark graphs on disk: generated once, in several processes, then read in seconds."""

from __future__ import annotations

import multiprocessing
import os
import zipfile
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gpucore.errors import GraphError
from gpucore.interrupts import held_back, leave_silently
from gpucore.memory import available_memory
from gpucore.problem import Benchmarks, kinds
from gpucore.progress import Cancel, Progress, check
from gpucore.saving import make_directory, replacing

if TYPE_CHECKING:
    from gpucore.problems.graph.graph import Graph

#: Memory for generating the largest graph; it bounds the number of processes.
BYTES_A_PROCESS = 6 << 30


def default_directory() -> Path:
    """Return the user's cache directory for benchmark graphs."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "warplens" / "graphs"


def is_kept(name: str) -> bool:
    """Return True if `name` is a benchmark problem of any kind; the cache keeps these."""
    return _benchmarks_with(name) is not None


def _benchmarks_with(name: str) -> Benchmarks | None:
    """Return the benchmarks that include a problem of this name, or None."""
    every = (kind.load(kind.benchmarks) for kind in kinds().values() if kind.benchmarks)
    return next((benchmarks for benchmarks in every if benchmarks.has(name)), None)


def load_graph(name: str, directory: Path, load: Callable[[str], Graph] | None = None) -> Graph:
    """Return a benchmark graph from `directory`, where it is kept once it has been generated.

    Any other name is loaded by `load`, by default :func:`gpucore.load`.

    Raises
    ------
    GraphError
        If there is no such graph, or the directory cannot be written to.
    """
    if not is_kept(name):
        from gpucore.loading import load as load_any

        return (load or load_any)(name)
    path = directory / f"{name}.npz"
    graph = _read(name, path)
    if graph is None:
        _generate_into(name, path)
        graph = _read(name, path)
    if graph is None:
        raise GraphError(f"{path} cannot be read back after writing it; is the disk full?")
    return graph


class PreparedGraphs:
    """Cache of prepared graphs for the next experiment; large ones are not kept.

    Parameters
    ----------
    directory, load
        As for :func:`load_graph`.
    prepare : callable
        ``prepare(graph)`` turns any graph into a problem of the family.
    """

    def __init__(
        self,
        directory: Path,
        load: Callable[[str], Graph] | None,
        prepare: Callable[[Graph], Graph],
    ) -> None:
        self._directory, self._load, self._prepare = directory, load, prepare
        self._kept: dict[str, Graph] = {}

    def get(self, name: str) -> Graph:
        """Return a graph; see :func:`load_graph`."""
        if name not in self._kept:
            graph = self._prepare(load_graph(name, self._directory, self._load))
            if graph.nbytes > available_memory() // 8:
                return graph
            self._kept[name] = graph
        return self._kept[name]


def generate_missing(
    names: Iterable[str],
    directory: Path,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> None:
    """Generate the benchmark graphs that are missing in `directory`, several at a time."""
    missing = [n for n in names if is_kept(n) and not (directory / f"{n}.npz").exists()]
    if not missing:
        return
    workers = max(1, min(len(missing), os.cpu_count() or 1, available_memory() // BYTES_A_PROCESS))
    done = 0
    if progress is not None:
        progress("generating graphs", done, len(missing))
    # "spawn" because a forked child must not inherit a CUDA context.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, context, initializer=leave_silently) as pool:
        with held_back():  # until the processes have their own handler
            # The largest graphs first, so that the last one to end is a small one.
            paths = {name: directory / f"{name}.npz" for name in missing[::-1]}
            waiting = [pool.submit(_generate_into, name, path) for name, path in paths.items()]
        try:
            for future in as_completed(waiting):
                future.result()
                check(cancel)
                done += 1
                if progress is not None:
                    progress("generating graphs", done, len(missing))
        except BrokenProcessPool:
            check(cancel)
            raise GraphError(
                "a process that generates benchmark graphs ended early; is there enough memory?"
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _generate_into(name: str, path: Path) -> None:
    """Write the graph's rows to `path` in one atomic step."""
    benchmarks = _benchmarks_with(name)
    if benchmarks is None:
        raise GraphError(f"there is no benchmark graph {name!r}")
    arrays = benchmarks.arrays(name)
    fix = "free space there, or choose another directory with --cache"
    make_directory(path.parent, GraphError, fix)
    with replacing(path, GraphError, fix) as file:
        np.savez(file, allow_pickle=False, **arrays)


def _read(name: str, path: Path) -> Graph | None:
    """Return the graph, or None if the file is missing or damaged.

    The rows were checked when the file was made; reading checks the checksums.
    """
    benchmarks = _benchmarks_with(name)
    if benchmarks is None:
        return None
    try:
        with np.load(path, allow_pickle=False) as file:
            graph: Graph = benchmarks.problem(file, name, {"kind": "benchmark", "spec": name})
            return graph
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
