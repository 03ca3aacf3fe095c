"""Slabs that are read into a device's memory block by block, without a copy on the host."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gpucore.certify.pairs import rows_of
from gpucore.device import Device
from gpucore.errors import GraphError
from gpucore.problems.graph.distributed.slabs import Folder
from gpucore.problems.graph.fingerprint import digest
from gpucore.problems.graph.part import GraphPart
from gpucore.progress import Cancel, Progress, check

#: Entries or rows that are copied or checked at a time, each with about 40 bytes of temporaries.
BLOCK = 1 << 24
_BYTES = 40


def slabs_on_device(
    folder: str | Path,
    device: Device,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
) -> GraphPart:
    """Read a whole graph from its slabs into the memory of one device.

    Files are mapped, and a block at a time is copied; rows and weights are checked on the device,
    and the digest of all entries is compared with the manifest's.

    Parameters
    ----------
    folder : str or Path
        Folder of :func:`.slabs.save_parts`.
    device : Device
        Its memory takes 8 bytes a row, 8 an entry, and 0.6 GiB for a block.
    progress, cancel
        See :mod:`gpucore.progress`.

    Raises
    ------
    GraphError
        As :func:`.slabs.load_slabs`.
    DeviceError
        The device has not enough memory; nothing was read then.
    """
    slabs = Folder(folder)
    manifest, xp = slabs.manifest, device.xp
    n, entries = manifest.n, manifest.starts[-1]
    need = 8 * (n + 1) + 8 * entries + _BYTES * min(BLOCK, max(n, entries))
    device.require_memory(need, f"the graph in {folder}")
    indptr = xp.zeros(n + 1, dtype=np.int64)
    columns = {
        "indices": xp.empty(entries, dtype=np.int32),
        "weights": xp.empty(entries, dtype=np.float32),
    }
    for number, slab in enumerate(slabs.slabs):
        start, arrays = manifest.starts[number], slab.arrays
        first = manifest.bounds[number]
        for begin in range(0, slab.sizes["indptr"], BLOCK):
            block = np.array(arrays["indptr"][begin : begin + BLOCK], np.int64)
            indptr[first + begin : first + begin + block.size] = device.asarray(block + start)
        if (
            int(indptr[first]) != start
            or int(indptr[manifest.bounds[number + 1]]) != (manifest.starts[number + 1])
        ):
            raise GraphError(f"{slab.path}: indptr does not rise; save the slabs again")
        for begin in range(0, slab.sizes["indices"], BLOCK):
            check(cancel)
            if progress is not None:
                progress("reading", start + begin, entries)
            for name, target in columns.items():
                piece = np.array(arrays[name][begin : begin + BLOCK], target.dtype)
                target[start + begin : start + begin + piece.size] = device.asarray(piece)
    if bool((indptr[1:] < indptr[:-1]).any()):
        raise GraphError(f"{folder}: indptr does not rise; save the slabs again")
    part = GraphPart(
        n, np.array([0, n], np.int64), 0, indptr, columns["indices"], columns["weights"],
        name=manifest.name, weighted=manifest.weighted, source=manifest.source,
        num_edges=manifest.num_edges,
    )  # fmt: skip
    _check_rows(part, folder)
    slabs.compare([digest(part, xp)])
    return part


def _check_rows(part: GraphPart, folder: str | Path) -> None:
    """Raise GraphError unless the rows are sorted and hold vertices and finite weights."""
    xp, entries = part.xp, part.entries
    for begin in range(0, entries, BLOCK):
        end = min(begin + BLOCK + 1, entries)  # blocks overlap by one entry
        keys = rows_of(part.indptr, begin, end, xp)
        keys <<= 32
        found = part.indices[begin:end]
        keys |= found
        wrong = int(found.min()) < 0 or int(found.max()) >= part.n
        if wrong or bool((keys[1:] <= keys[:-1]).any()):
            raise GraphError(
                f"{folder}: a row is not sorted or has no vertices; save the slabs again"
            )
        if not bool(xp.isfinite(part.weights[begin:end]).all()):
            raise GraphError(f"{folder}: a weight is not a finite number; save the slabs again")
