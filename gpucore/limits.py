"""Limits on the size of graphs, checked against declared sizes before anything is allocated."""

from __future__ import annotations

from dataclasses import dataclass, field

from gpucore.errors import GraphError
from gpucore.format import human_bytes
from gpucore.memory import available_memory

#: Vertices are numbered by int32.
MAX_VERTICES = 2**31 - 1

#: Most entries that 32-bit kernels can number; those of :attr:`gpucore.runner.Runner.wide` have
#: no such limit.
NARROW_ENTRIES = 2**31 - 1

#: Longest row of any kernel: positions in a row, and twice as many slots, are 32-bit numbers.
LONGEST_ROW = 2**30

#: Most entries where all their numbers have 64 bits: memory is what bounds a graph there.
WIDE_ENTRIES = 2**60

#: Share of the available memory that reading one graph may take.
_SHARE = 0.75


@dataclass(frozen=True)
class Limits:
    """Largest graph that may be read or generated.

    Parameters
    ----------
    max_vertices : int
        Vertices (rows or columns of a matrix).
    max_entries : int
        Edges or matrix entries, as the file stores them. Readers on the host have 32-bit numbers of
        edges; generators of rows and readers into a device's memory take more.
    max_bytes : int
        Memory that reading may take at its peak; by default three quarters of the free memory.
    max_ratio : float
        Decompressed size over compressed size of a text file; real ones stay below 60.

    Examples
    --------
    >>> Limits(max_vertices=100).check("huge.mtx", 5000, 1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    gpucore.errors.GraphError: huge.mtx: 5000 vertices are more than the 100 allowed here; ...
    """

    max_vertices: int = MAX_VERTICES
    max_entries: int = NARROW_ENTRIES
    max_bytes: int = field(default_factory=lambda: int(_SHARE * available_memory()))
    max_ratio: float = 200.0

    @classmethod
    def public(cls) -> Limits:
        """Return limits for untrusted uploads: small graphs in 512 MiB."""
        return cls(max_vertices=200_000, max_entries=1_000_000, max_bytes=512 << 20)

    @property
    def max_text(self) -> int:
        """Largest size in bytes of the decompressed text of a graph within these limits."""
        return (64 << 20) + 128 * self.max_entries

    def check(self, what: str, vertices: int, entries: int, bytes_per_entry: int = 48) -> None:
        """Raise GraphError if a graph of this size is too large.

        Parameters
        ----------
        what : str
            Beginning of the error's text: a file and line, or a generator.
        vertices, entries : int
            Size of the graph as the source declares it.
        bytes_per_entry : int
            Memory at the peak for each entry; 48 covers reading an edge and building both of
            its directions.
        """
        if vertices > self.max_vertices:
            raise GraphError(
                f"{what}: {vertices} vertices are more than the {self.max_vertices} allowed here; "
                "take a smaller graph (in Python: pass larger Limits)"
            )
        if entries > self.max_entries:
            raise GraphError(
                f"{what}: {entries} entries are more than the {self.max_entries} allowed here; "
                "take a smaller graph (in Python: pass larger Limits)"
            )
        need = 40 * vertices + bytes_per_entry * entries
        if need > self.max_bytes:
            raise GraphError(
                f"{what}: a graph of {vertices} vertices and {entries} entries needs about "
                f"{human_bytes(need)} of memory, more than the {human_bytes(self.max_bytes)} "
                "allowed here; take a smaller graph (in Python: free memory, or pass larger Limits)"
            )
