"""Results of runs, the same for all algorithms, devices and CPU methods."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

if TYPE_CHECKING:
    from _typeshed import MaybeNone  # None for type checkers too, but they demand no test for it

    from gpucore.certify import Certificate
    from gpucore.record import Record


@dataclass(frozen=True)
class Result:
    """Outcome of one run.

    Attributes
    ----------
    algorithm : str
        Algorithm or method, by its name on the command line.
    device : dict
        Description of the device or CPU, as :meth:`gpucore.device.Device.describe` gives it.
    seconds : float
        Time of the algorithm itself, with one scope in all families: from the problem in the
        memory of the device that solves it, kernels compiled, to the solution in that memory.
        Inside are clearing the state, every preparation that the method makes (sorted lists,
        permuted places, an initial matching), allocations while it runs, and flags that the host
        reads between launches. Outside are copies of the problem and of the solution, compiling,
        the conversion to a result, its figures, record and certificate. A device takes the time by
        events, a method on the processor by the clock around its native call. A schedule that a
        paper computes once and uses for many runs is outside too; the figure
        ``prepare_seconds`` has its time, and tables show it.
    figures : dict
        The family's figures (``weight``, ``cardinality``, ``modularity``, ...), JSON-able.
    params : dict
        The parameters of the run, JSON-able.
    record : Record or None
        The record of the run, if it was recorded.
    certificate : Certificate or None
        The independent proof of the result, if it was requested.
    notes : tuple of str
        What was changed or assumed between what the owner gave and the problem that was solved.
    """

    algorithm: str
    device: dict[str, Any]
    seconds: float
    figures: dict[str, Any]
    params: dict[str, Any] = field(default_factory=dict)
    record: Record | MaybeNone = None
    certificate: Certificate | MaybeNone = None
    notes: tuple[str, ...] = field(default=(), kw_only=True)

    @property
    def variant(self) -> str:
        """The variant that ran; empty if there are none."""
        return str(self.params.get("variant", ""))

    def summary(self) -> dict[str, Any]:
        """Return one flat JSON-able object with stable keys."""
        certified = None if self.certificate is None else self.certificate.ok
        return {
            "algorithm": self.algorithm,
            "variant": self.variant,
            "device": self.device.get("name"),
            "seconds": self.seconds,
            "certified": certified,
            **self.figures,
        }

    def solution(self) -> dict[str, np.ndarray]:
        """Return the arrays of the solution by field name."""
        common = {entry.name for entry in fields(Result)}
        values = {e.name: getattr(self, e.name) for e in fields(self) if e.name not in common}
        return {name: value for name, value in values.items() if isinstance(value, np.ndarray)}

    def by_vertex(self) -> dict[str, np.ndarray]:
        """Return the solution as arrays with a value for each vertex of the problem's graph.

        These arrays are used to compare two solutions vertex by vertex.
        """
        return self.solution()

    def like(self, other: Result) -> Self:
        """Return this result with arbitrary labels, if it has any, renamed to match `other`.

        Any difference that remains is a real difference of the two results.
        """
        return self


@dataclass(frozen=True)
class PairsResult(Result):
    """Result whose solution is a set of pairs."""

    @property
    def cardinality(self) -> int:
        """Number of pairs."""
        return int(self.figures["cardinality"])


@dataclass(frozen=True)
class MatesResult(PairsResult):
    """Result in which a vertex, or a person, may have several mates.

    Attributes
    ----------
    capacity : ndarray of int32, shape (n,)
        How many mates each may have, as asked for.
    starts : ndarray of int64, shape (n + 1,)
        ``mates[starts[u]:starts[u + 1]]`` are the mates of ``u``, ascending.
    mates : ndarray of int32, shape (2 * pairs,)
        All mates; every pair stands at both of its ends.
    """

    capacity: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))
    starts: np.ndarray = field(default_factory=lambda: np.zeros(1, np.int64))
    mates: np.ndarray = field(default_factory=lambda: np.empty(0, np.int32))

    def mates_of(self, vertex: int) -> np.ndarray:
        """Return the mates of a vertex, ascending: a view of int32."""
        return self.mates[self.starts[vertex] : self.starts[vertex + 1]]

    def pairs(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the ends of each pair, the smaller first."""
        ends = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        once = ends < self.mates
        return ends[once], self.mates[once]

    def by_vertex(self) -> dict[str, np.ndarray]:
        """Return a hash of each vertex's set of mates: uint64, 0 for none."""
        return {"mates": hashes_of_sets(self.starts, self.mates)}


def from_pairs(n: int, u: ArrayLike, v: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Return the mates of every vertex from pairs.

    Parameters
    ----------
    n : int
        Number of vertices.
    u, v : array_like of int, shape (pairs,)
        Ends of the pairs, each pair once, in any order.

    Returns
    -------
    starts : ndarray of int64, shape (n + 1,)
    mates : ndarray of int32, shape (2 * pairs,)
        As those of :class:`MatesResult`.

    Examples
    --------
    >>> starts, mates = from_pairs(4, [0, 3], [2, 0])
    >>> starts.tolist(), mates.tolist()
    ([0, 2, 2, 3, 4], [2, 3, 0, 0])
    """
    one, other = np.asarray(u, np.int32), np.asarray(v, np.int32)
    ends, mates = np.concatenate([one, other]), np.concatenate([other, one])
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(np.bincount(ends, minlength=n), out=starts[1:])
    return starts, mates[np.lexsort((mates, ends))]


def hashes_of_sets(starts: np.ndarray, members: np.ndarray) -> np.ndarray:
    """Return a number for each vertex, a hash of its set of other vertices: uint64, 0 for none.

    It is the sum, modulo 2^64, of the members' numbers mixed by the finaliser of splitmix64
    (Steele, Lea and Flood, OOPSLA 2014). Equal sets have equal hashes; two different sets have
    the same one with a probability of about 2^-64.

    Parameters
    ----------
    starts : ndarray of an integer type, shape (n + 1,)
        The set of vertex ``v`` is ``members[starts[v]:starts[v + 1]]``.
    members : ndarray of an integer type
        Vertices from 0, in any order.

    Examples
    --------
    >>> a, b, c = hashes_of_sets(np.array([0, 2, 4, 4]), np.array([3, 7, 7, 3]))
    >>> bool(a == b), int(c)
    (True, 0)
    """
    summed = np.zeros(members.size + 1, np.uint64)
    np.cumsum(_mixed(members), out=summed[1:])
    ends = summed[starts]
    hashes: np.ndarray = ends[1:] - ends[:-1]
    return hashes


def _mixed(vertices: np.ndarray) -> np.ndarray:
    """Return 64 bits for each vertex that look random."""
    x = (vertices.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed: np.ndarray = x ^ (x >> np.uint64(31))
    return mixed
