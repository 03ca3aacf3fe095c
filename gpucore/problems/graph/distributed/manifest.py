"""Manifest of slabs: what a folder of slabs holds, and where rows and entries are cut."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.former import formats
from gpucore.io.stream import Source
from gpucore.params import is_whole
from gpucore.problems.graph.checks import MAX_VERTICES
from gpucore.problems.graph.fingerprint import fingerprint
from gpucore.problems.graph.part import GraphPart
from gpucore.saving import replacing

FORMAT = "warplens-slabs"
VERSION = 1
FILE = "manifest.json"
#: Largest manifest that is read, in bytes.
_MOST = 16 << 20


@dataclass(frozen=True)
class Manifest:
    """Contents of a folder of slabs.

    Attributes
    ----------
    n : int
        Vertices of the graph.
    bounds, starts : list of int
        First row and first entry of each slab, and at the end the numbers of all.
    digests : list of list of int
        Digest of each slab, see :func:`gpucore.problems.graph.fingerprint.digest`.
    name, weighted, source, num_edges
        See :class:`gpucore.problems.graph.part.GraphPart`.
    """

    n: int
    bounds: list[int]
    starts: list[int]
    digests: list[list[int]]
    name: str
    weighted: bool
    source: Mapping[str, Any]
    num_edges: int | None

    @classmethod
    def of(cls, part: GraphPart, digests: Sequence[Sequence[int]]) -> Manifest:
        """Return the manifest of a graph from one of its parts and the digests of all."""
        sizes = [digest[0] for digest in digests]
        return cls(
            part.n,
            part.bounds.tolist(),
            np.cumsum([0, *sizes]).tolist(),
            [list(digest) for digest in digests],
            part.name,
            part.weighted,
            dict(part.source),
            part.num_edges,
        )

    @property
    def slabs(self) -> int:
        """Number of slabs."""
        return len(self.digests)

    @property
    def fingerprint(self) -> str:
        """Fingerprint of the whole graph."""
        return fingerprint(self.n, [np.array(one, np.uint64) for one in self.digests])

    def total(self) -> NDArray[np.uint64]:
        """Return the digest of the whole graph."""
        return np.sum(np.array(self.digests, np.uint64), axis=0, dtype=np.uint64)

    def save(self, folder: Path) -> None:
        """Write the manifest, or raise GraphError."""
        head = {"format": FORMAT, "version": VERSION, "fingerprint": self.fingerprint}
        with replacing(folder / FILE) as stream:
            stream.write(json.dumps(head | asdict(self), indent=1).encode())


def slab_name(number: int) -> str:
    """Return the name of a slab's file."""
    return f"slab-{number:05d}.npz"


def read_manifest(folder: Path) -> Manifest:
    """Read and check the manifest of a folder.

    Raises
    ------
    GraphError
        There is none, or it is damaged; the text names the file.
    """
    path = folder / FILE
    with Source.of(path).open() as stream:
        text = stream.read(_MOST + 1)
    try:
        if len(text) > _MOST:
            raise ValueError("it is too large")
        found = json.loads(text)
        head = {key: found.pop(key) for key in ("format", "version", "fingerprint")}
        if head["format"] not in formats(FORMAT) or head["version"] != VERSION:
            raise ValueError(f"it is no {FORMAT} {VERSION}, which this program reads")
        manifest = Manifest(**found)
        _check(manifest)
        if manifest.fingerprint != head["fingerprint"]:
            raise ValueError("its numbers do not have the fingerprint that it names")
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
        OverflowError,
    ) as error:
        raise GraphError(
            f"{path} is no sound manifest of slabs ({error}); save the slabs again"
        ) from None
    return manifest


def _check(manifest: Manifest) -> None:
    """Raise ValueError unless the fields have the right types and fit to each other."""
    types = {"name": str, "weighted": bool, "source": dict, "digests": list}
    if any(type(getattr(manifest, name)) is not kind for name, kind in types.items()):
        raise ValueError("a field has the wrong type")
    edges = manifest.num_edges
    if edges is not None and not (is_whole(edges) and edges >= 0):
        raise ValueError("num_edges is no number of edges")
    if any(
        not isinstance(one, list) or len(one) != 3 or not _are_words(one)
        for one in manifest.digests
    ):
        raise ValueError("a digest does not consist of three numbers")
    for name, numbers in (("bounds", manifest.bounds), ("starts", manifest.starts)):
        if not isinstance(numbers, list) or len(numbers) != manifest.slabs + 1:
            raise ValueError(f"{name} has not one number more than there are digests")
        if not _are_words(numbers) or numbers[0] != 0 or numbers != sorted(numbers):
            raise ValueError(f"{name} does not rise from 0")
    if manifest.slabs == 0 or manifest.bounds[-1] != manifest.n or manifest.n > MAX_VERTICES:
        raise ValueError("bounds does not end at the number of vertices")
    sizes = np.diff(manifest.starts).tolist()
    if manifest.starts[-1] >= 1 << 48 or sizes != [one[0] for one in manifest.digests]:
        raise ValueError("starts does not fit to the digests")


def _are_words(numbers: list[Any]) -> bool:
    return all(type(number) is int and 0 <= number < 1 << 64 for number in numbers)
