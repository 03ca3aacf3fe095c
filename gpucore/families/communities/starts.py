"""Several starts for a small graph: the same search with other orders of the vertices.

A search by single moves ends in a local optimum, and the order of the vertices decides in which.
The Petersen graph shows it: five pairs of neighbours have modularity .133, and neither a vertex
nor a pair can move with a gain, so further rounds change nothing; two cycles of five have .167.
Another order leads there.  So a small graph is searched several times, and the search that reaches
the highest modularity, from exact sums, is the result.  The first one visits the vertices as a
search without other starts does, so of searches in turn the result is never worse than its result.
Side by side it can be, since sweeps and stages end for all copies at the same time.

A record is that of one search, the best one; its header has what the others reached.

A GPU that records nothing searches from all starts at the same time
(:mod:`gpucore.families.communities.fast.copies`), so there larger graphs have several, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpucore.families.communities.result import CommunityResult

#: Most starts, unless the caller asks for more.
STARTS = 4
#: Most vertices and entries that all starts together read in a sweep.
WORK = 1 << 13
#: The same for the method on one core: its start takes microseconds, that of kernels the time of
#: their launches.
NATIVE_STARTS, NATIVE_WORK = 16, 1 << 19
#: The same where a GPU searches from all starts at the same time; and what two starts read at most.
#: Two kept ten runs of "fast" by launches on a network of 2.7 million entries within .1 % of
#: modularity, one did not (ego-twitter in ``benchmarks/results/communities-starts-h200``).
BESIDE_STARTS, BESIDE_WORK, PAIR_WORK = 4, 1 << 21, 6 << 20
#: Where more is to be read, or there are more starts than sums of squares have room for
#: (`SQUARE_UNITS` in :mod:`gpucore.families.communities.stage`), they follow one another.
BESIDE_MOST, MOST_BESIDE = 1 << 23, 15
#: Devices that search from several starts at the same time.
BESIDE_DEVICES = ("cuda",)
#: The modularity of one partition differs by less from run to run: the terms' order is another.
ROUNDING = 1e-12


def starts_of(n: int, entries: int, *, native: bool = False, beside: bool = False) -> int:
    """Return how many starts a graph has: one, unless it is small.

    Parameters
    ----------
    n, entries : int
        Vertices, and entries of all adjacency lists.
    native : bool
        Whether the method on one core searches.
    beside : bool
        Whether all starts search at the same time.

    Examples
    --------
    >>> starts_of(34, 156), starts_of(800, 2000), starts_of(1589, 5484), starts_of(1 << 20, 0)
    (4, 2, 1, 1)
    >>> starts_of(34, 156, native=True), starts_of(1 << 18, 1 << 20, native=True)
    (16, 1)
    >>> sizes = (524_288, 699_050, 699_051, 3_145_728, 3_145_729)
    >>> [starts_of(n, 0, beside=True) for n in sizes]
    [4, 3, 2, 2, 1]
    """
    most, work = (NATIVE_STARTS, NATIVE_WORK) if native else (STARTS, WORK)
    if beside:
        most, work = BESIDE_STARTS, BESIDE_WORK
        if 2 * (n + entries) <= PAIR_WORK:
            return max(2, min(most, work // max(1, n + entries)))
    return max(1, min(most, work // max(1, n + entries)))


def may_be_beside(device: str, *, recording: bool, deterministic: bool) -> bool:
    """Return whether a device of this name searches from several starts at the same time.

    A record is that of one search.  A reproducible run has the same starts everywhere.
    """
    return device in BESIDE_DEVICES and not recording and not deterministic


def are_beside(count: int, n: int, entries: int) -> bool:
    """Return whether so many starts of a graph of this size fit beside each other."""
    return 1 < count <= MOST_BESIDE and count * (n + entries) <= BESIDE_MOST


def facts_of(reached: list[float], kept: int) -> dict[str, Any]:
    """Return what results and records say of several starts, of which one is kept."""
    return {"starts": reached, "kept start": f"{kept + 1} of {len(reached)}"}


def best_of(count: int, search: Callable[[int], CommunityResult]) -> CommunityResult:
    """Return the best of `count` searches; of equal ones the first.

    Parameters
    ----------
    count : int
        At least 1.
    search : callable
        Makes the search of a number, from 0.

    Returns
    -------
    CommunityResult
        Its time is that of all searches.  With more than one, the figures and the record's header
        have ``starts``, the modularity of each, and ``kept start``, as "2 of 4".
    """
    if count == 1:
        return search(0)
    reached, seconds, kept, best = [], 0.0, 0, None
    for number in range(count):
        found = search(number)
        reached.append(found.modularity)
        seconds += found.seconds
        if best is None or found.modularity > best.modularity + ROUNDING:
            kept, best = number, found
    assert best is not None
    facts = facts_of(reached, kept)
    record = best.record
    if record is not None:
        record = replace(record, header={**record.header, **facts})
    return replace(best, seconds=seconds, figures={**best.figures, **facts}, record=record)
