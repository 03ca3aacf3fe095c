"""Benchmark graphs on disk: generated once, in several processes, then read in seconds."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import zipfile
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gpucore.bench.graphs import generate, is_benchmark_graph
from gpucore.device.memory import available_memory
from gpucore.errors import GraphError
from gpucore.progress import Cancel, Progress, check

if TYPE_CHECKING:
    from gpucore.graph import Graph

#: The largest graph needs this much while it is generated; it bounds the number of processes.
BYTES_A_PROCESS = 6 << 30


def default_directory() -> Path:
    """Return the user's cache directory for benchmark graphs."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "warpscope" / "graphs"


def load_graph(name: str, directory: Path) -> Graph:
    """Return a benchmark graph from `directory`, where it is kept once it has been generated.

    A name that is no benchmark graph is given to :func:`gpucore.load`.

    Raises
    ------
    GraphError
        If there is no such graph, or the directory cannot be written to.
    """
    from gpucore.graph import Graph
    from gpucore.io import load

    if not is_benchmark_graph(name):
        return load(name)
    path = directory / f"{name}.npz"
    arrays = _read(path)
    if arrays is None:
        _generate_into(name, path)
        arrays = _read(path)
    if arrays is None:
        raise GraphError(f"{path} cannot be read back after writing it; is the disk full?")
    # The rows were checked when the file was made, and its checksums were when it was read.
    return Graph._of_rows(arrays, name=name, source={"kind": "benchmark", "spec": name})


def fill(
    names: Iterable[str],
    directory: Path,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> None:
    """Generate those benchmark graphs that `directory` lacks, several at a time."""
    missing = [n for n in names if is_benchmark_graph(n) and not (directory / f"{n}.npz").exists()]
    if not missing:
        return
    workers = max(1, min(len(missing), os.cpu_count() or 1, available_memory() // BYTES_A_PROCESS))
    done = 0
    if progress is not None:
        progress("generating graphs", done, len(missing))
    # "spawn" because a forked child must not inherit a CUDA context.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=context) as pool:
        # The largest graphs first, so that the last one to end is a small one.
        waiting = [pool.submit(_generate_into, n, directory / f"{n}.npz") for n in missing[::-1]]
        try:
            for future in as_completed(waiting):
                future.result()
                check(cancel)
                done += 1
                if progress is not None:
                    progress("generating graphs", done, len(missing))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _generate_into(name: str, path: Path) -> None:
    """Write the graph's rows to `path`, whole or not at all."""
    from gpucore.graph import Graph

    edges = generate(name)
    graph = Graph.from_edges(edges.n, edges.u, edges.v, edges.w)
    part = path.with_suffix(f".{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with part.open("wb") as file:
            np.savez(file, indptr=graph.indptr, indices=graph.indices, weights=graph.weights)
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise GraphError(
            f"{path.parent} cannot take the benchmark graph {name}: {error.strerror}; choose "
            "another directory with --cache"
        ) from None


def _read(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """Return the rows, or None if the file is missing or damaged."""
    try:
        with np.load(path, allow_pickle=False) as file:
            return file["indptr"], file["indices"], file["weights"]
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None
