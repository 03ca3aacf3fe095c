"""Slabs: a folder of archives with the rows of a graph; each rank reads its own rows.

Arrays are stored without compression, so a range of rows is read without the others; the number of
ranks that read can differ from the number of slabs. Reading takes the memory of the part and of
its row numbers, 12 bytes an entry.
"""

from __future__ import annotations

import bisect
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from gpucore.archives import UnsoundArchive, enough_memory, opened, read_array_header
from gpucore.errors import GraphError
from gpucore.io.stream import Source
from gpucore.limits import Limits
from gpucore.problems.graph.distributed.exchange import Ranks, agreed
from gpucore.problems.graph.distributed.manifest import (
    FILE,
    Manifest,
    read_manifest,
    slab_name,
)
from gpucore.problems.graph.fingerprint import digest
from gpucore.problems.graph.graph import Graph
from gpucore.problems.graph.part import GraphPart, cut, join, shares
from gpucore.rows import row_starts
from gpucore.saving import make_directory, new_folder, replacing

_DTYPES: dict[str, Any] = {"indptr": np.int64, "indices": np.int32, "weights": np.float32}


def is_slabs(path: str | Path) -> bool:
    """Return whether a path is a folder with slabs."""
    try:
        return (Path(path) / FILE).is_file()
    except (OSError, ValueError):  # no folder can have such a name
        return False


def save_parts(
    given: Graph | Iterable[GraphPart], folder: str | Path, slabs: int | None = None
) -> Manifest:
    """Write a graph as slabs.

    Parameters
    ----------
    given : Graph or iterable of GraphPart
        The graph, or all its parts in order, with NumPy arrays; one is in memory at a time.
    folder : str or Path
        Made if it is missing; slabs in it are replaced.
    slabs : int, optional
        Number of slabs into which a graph is cut, by default 1.

    Raises
    ------
    GraphError
        A part is missing, or the folder or a file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from gpucore.loading import load
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     manifest = save_parts(load("karate"), folder, 4)
    ...     load_part(folder, 0, 2).bounds.tolist(), load(folder) == load("karate")
    ([0, 17, 34], True)
    """
    digests: list[list[int]] = []
    part = None
    with new_folder(folder, GraphError) as place:  # slabs without a manifest are of no use
        for part in cut(given, slabs or 1) if isinstance(given, Graph) else given:
            if part.rank != len(digests):
                break
            digests.append(_save(part, place))
        if part is None or len(digests) != part.ranks:
            raise GraphError("all parts of a graph are needed, in their order, to save it as slabs")
        manifest = Manifest.of(part, digests)
        manifest.save(place)
    return manifest


def save_part(part: GraphPart, folder: str | Path, ranks: Ranks) -> Manifest:
    """Write this rank's part as a slab; all ranks call, and write into one folder."""
    place = Path(folder)
    agreed(ranks, lambda: make_directory(place, GraphError))
    manifest = Manifest.of(part, ranks.allgather(agreed(ranks, lambda: _save(part, place))))
    agreed(ranks, lambda: manifest.save(place) if ranks.rank == 0 else None)
    return manifest


def _save(part: GraphPart, folder: Path) -> list[int]:
    """Write one slab and return its digest."""
    with replacing(folder / slab_name(part.rank)) as stream:
        np.savez(stream, allow_pickle=False, **{name: getattr(part, name) for name in _DTYPES})
    return [int(number) for number in digest(part)]


@dataclass(frozen=True)
class _Slab:
    """One file of a folder.

    Attributes
    ----------
    path : Path
        The file.
    sizes : dict of str to int
        Lengths of its arrays, as the manifest has them.
    """

    path: Path
    sizes: dict[str, int]

    @cached_property
    def arrays(self) -> dict[str, np.ndarray]:
        """The arrays, read from the file where they are used."""
        source = Source.of(self.path)
        with enough_memory(str(self.path), GraphError), source.open() as stream:
            try:
                with opened(stream) as archive:
                    return {name: self._array(archive, name) for name in _DTYPES}
            except UnsoundArchive as error:
                raise GraphError(
                    f"{self.path} is no sound slab ({error}); save the slabs again"
                ) from None

    def _array(self, archive: zipfile.ZipFile, name: str) -> np.ndarray:
        member = archive.getinfo(f"{name}.npy")
        if member.compress_type != zipfile.ZIP_STORED:
            raise UnsoundArchive(f"{name} is compressed, so no range of it can be read")
        with archive.open(member) as stream:
            shape, _, dtype = read_array_header(stream)
            header = stream.tell()
        wanted, size = np.dtype(_DTYPES[name]).newbyteorder("<"), self.sizes[name]
        if shape != (size,) or dtype != wanted:
            raise UnsoundArchive(
                f"{name} holds {shape} numbers of {dtype}, the manifest has ({size},) of {wanted}"
            )
        if size == 0:
            return np.empty(0, wanted)
        assert archive.fp is not None
        archive.fp.seek(member.header_offset + 26)  # lengths of the name and the extra field
        lengths = archive.fp.read(4)
        more = int.from_bytes(lengths[:2], "little") + int.from_bytes(lengths[2:], "little")
        offset = member.header_offset + 30 + more + header
        return np.memmap(self.path, wanted, "r", offset, (size,))  # ValueError if it is too short


class Folder:
    """The slabs of a folder; each is opened when it is first used."""

    def __init__(self, folder: str | Path) -> None:
        self.path = Path(folder)
        self.manifest = read_manifest(self.path)
        self.slabs = [self._slab(number) for number in range(self.manifest.slabs)]

    def _slab(self, number: int) -> _Slab:
        rows, entries = (
            numbers[number + 1] - numbers[number]
            for numbers in (self.manifest.bounds, self.manifest.starts)
        )
        sizes = {"indptr": rows + 1, "indices": entries, "weights": entries}
        return _Slab(self.path / slab_name(number), sizes)

    def entries_before(self, v: int) -> int:
        """Return the number of entries of the rows before `v`."""
        number = bisect.bisect_right(self.manifest.bounds, v, hi=self.manifest.slabs) - 1
        place = v - self.manifest.bounds[number]
        return self.manifest.starts[number] + int(self.slabs[number].arrays["indptr"][place])

    def bounds(self, ranks: int) -> np.ndarray:
        """Return the bounds of parts: those of the slabs, if there are as many."""
        if ranks == self.manifest.slabs:
            return np.array(self.manifest.bounds, np.int64)

        def work_before(v: int) -> int:
            return self.entries_before(v) + v

        rows = range(self.manifest.n + 1)
        aims = shares(work_before(self.manifest.n), ranks)
        return np.array([bisect.bisect_left(rows, aim, key=work_before) for aim in aims], np.int64)

    def part(self, rank: int, ranks: int) -> GraphPart:
        """Read the rows of one rank."""
        bounds = self.bounds(ranks)
        pieces = [self._piece(slab, *bounds[rank : rank + 2]) for slab in range(len(self.slabs))]
        lengths, indices, weights = (np.concatenate(one) for one in zip(*pieces, strict=True))
        manifest = self.manifest
        part = GraphPart(
            manifest.n, bounds, rank,
            row_starts(lengths),
            indices, weights,
            name=manifest.name, weighted=manifest.weighted, source=manifest.source,
            num_edges=manifest.num_edges,
        )  # fmt: skip
        _check(part, self.path)
        return part

    def compare(self, digests: Sequence[Any]) -> None:
        """Raise GraphError if the digests of all parts are not those of the saved graph."""
        if np.sum(digests, axis=0, dtype=np.uint64).tolist() != self.manifest.total().tolist():
            raise GraphError(
                f"{self.path}: the slabs are not those of its {FILE}; save the slabs again"
            )

    def _piece(self, number: int, lo: int, hi: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Return lengths of rows, indices and weights of the rows that a slab has of a range."""
        first, last = self.manifest.bounds[number : number + 2]
        lo, hi = max(lo, first) - first, min(hi, last) - first
        if lo >= hi:
            return np.empty(0, np.int64), np.empty(0, np.int32), np.empty(0, np.float32)
        slab = self.slabs[number]
        indptr = np.array(slab.arrays["indptr"][lo : hi + 1], np.int64)
        start, stop, entries = int(indptr[0]), int(indptr[-1]), slab.sizes["indices"]
        if start < 0 or stop > entries or (np.diff(indptr) < 0).any():
            raise GraphError(f"{slab.path}: indptr does not rise; save the slabs again")
        return (
            np.diff(indptr),
            np.array(slab.arrays["indices"][start:stop], np.int32),
            np.array(slab.arrays["weights"][start:stop], np.float32),
        )


def _check(part: GraphPart, folder: Path) -> None:
    """Raise GraphError unless the rows are sorted and hold vertices and finite weights."""
    rising = np.ones(part.entries + 1, np.bool_)
    np.greater(part.indices[1:], part.indices[:-1], out=rising[1:-1])
    rising[part.indptr] = True
    least, most = part.indices.min(initial=0), part.indices.max(initial=0)
    if not rising.all() or least < 0 or most >= max(part.n, 1):
        raise GraphError(f"{folder}: a row is not sorted or has no vertices; save the slabs again")
    if not np.isfinite(part.weights).all():
        raise GraphError(f"{folder}: a weight is not a finite number; save the slabs again")


def load_part(folder: str | Path, rank: int, size: int) -> GraphPart:
    """Read the rows of one rank; the number of slabs can be another one.

    Parameters
    ----------
    folder : str or Path
        Folder of :func:`save_parts`.
    rank, size : int
        Number of the part, and number of all parts.

    Returns
    -------
    GraphPart
        NumPy arrays. With as many ranks as slabs, each rank has one slab; otherwise rows are
        balanced as in :func:`gpucore.problems.graph.part.cut`.

    Raises
    ------
    GraphError
        The folder or a file is missing or damaged; the text names it. That entries are those
        that were saved is checked by :func:`load_slabs`.
    """
    if not 0 <= rank < size:
        raise GraphError(f"there is no part {rank} of {size}")
    return Folder(folder).part(rank, size)


def load_slabs(folder: str | Path, ranks: Ranks) -> GraphPart:
    """Read this rank's rows, and check the digest of the whole graph; all ranks call.

    Raises
    ------
    GraphError
        On all ranks: as :func:`load_part`, and if the entries are not those that were saved.
    """
    slabs = agreed(ranks, lambda: Folder(folder))
    part = agreed(ranks, lambda: slabs.part(ranks.rank, ranks.size))
    digests = ranks.allgather(digest(part))
    agreed(ranks, lambda: slabs.compare(digests))
    return part


def load_whole(folder: str | Path, limits: Limits | None = None) -> Graph:
    """Read the whole graph from its slabs; it is checked in full."""
    slabs = Folder(folder)
    manifest = slabs.manifest
    (limits or Limits()).check(str(folder), manifest.n, manifest.starts[-1] // 2)
    parts = [slabs.part(rank, manifest.slabs) for rank in range(manifest.slabs)]
    slabs.compare([digest(part) for part in parts])
    return join(parts)
