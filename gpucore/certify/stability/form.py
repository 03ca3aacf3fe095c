"""The first checks of a b-matching: lists of mates that are well formed and not too long."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gpucore.certify.pairs import NAMED, rows_of
from gpucore.certify.stability.part import Part

#: Vertices or pairs that are checked at a time: temporaries stay below 2 GiB.
BLOCK = 1 << 25


@dataclass(frozen=True)
class Finding:
    """What a check found in some rows: the number of offenders, and texts of the first of them."""

    name: str
    count: int = 0
    named: tuple[str, ...] = ()

    def joined(self, other: Finding) -> Finding:
        """Return the finding of both parts' rows."""
        return Finding(self.name, self.count + other.count, (self.named + other.named)[:NAMED])

    @property
    def text(self) -> str:
        """The first offenders, and how many more there are."""
        more = self.count - len(self.named)
        return ", ".join(self.named) + (f" and {more} more" if more > 0 else "")


def blocks(size: int, most: int | None = None) -> Iterator[tuple[int, int]]:
    """Yield begin and end of blocks of `most` vertices or pairs (default: BLOCK)."""
    step = most or BLOCK
    for begin in range(0, size, step):
        yield begin, min(begin + step, size)


def find(
    name: str, size: int, wrong: Callable[[int, int], Any], text: Callable[[int], str]
) -> Finding:
    """Find offenders block by block.

    Parameters
    ----------
    name : str
        Name of the check.
    size : int
        Number of places.
    wrong : callable
        ``wrong(begin, end)`` returns an array of bool, true for the offenders among these places.
    text : callable
        ``text(place)`` names an offender.
    """
    count, first = 0, list[int]()
    for begin, end in blocks(size):
        at = wrong(begin, end).nonzero()[0]
        count += int(at.size)
        first += [begin + place for place in at[: NAMED - len(first)].tolist()]
    return Finding(name, count, tuple(map(text, first)))


def well_formed(part: Part) -> Finding:
    """Check the arrays, and that all mates are other vertices."""
    name = "well formed"
    wrong = _wrong_arrays(part)
    if wrong:
        return Finding(name, 1, (wrong,))
    capacity, starts, mates, n = part.capacity, part.bounds, part.mates, part.n
    negative = find(
        name,
        part.rows,
        lambda begin, end: capacity[begin:end] < 0,
        lambda i: f"capacity[{part.first + i}] = {int(capacity[i])}",
    )
    if negative.count:
        return negative
    falls = find(name, part.rows, lambda b, e: starts[b + 1 : e + 1] < starts[b:e], str)
    if int(starts[0]) != 0 or int(starts[-1]) != mates.size or falls.count:
        text = f"starts do not ascend from 0 to the number of mates, {mates.size}"
        return Finding(name, 1, (text,))

    def named(i: int) -> str:
        row = int(part.xp.searchsorted(starts, i, side="right")) - 1
        return f"vertex {part.first + row} has the mate {int(mates[i])}"

    def outside(begin: int, end: int) -> Any:
        return (mates[begin:end] < 0) | (mates[begin:end] >= n)

    def itself(begin: int, end: int) -> Any:
        return mates[begin:end] == rows_of(starts, begin, end, part.xp) + part.first

    found = find(name, mates.size, outside, named)
    return found if found.count else find(name, mates.size, itself, named)


def _wrong_arrays(part: Part) -> str:
    """Return what is wrong with shapes and types, or an empty text."""
    rows = part.rows
    for what, array, size in (("capacity", part.capacity, rows), ("starts", part.starts, rows + 1)):
        if array.shape != (size,):
            return f"shape of {what} is {array.shape}, {rows} vertices need ({size},)"
    if part.mates.ndim != 1:
        return f"shape of mates is {part.mates.shape}, which is no list"
    arrays = ("capacity", part.capacity), ("starts", part.starts), ("mates", part.mates)
    for what, array in arrays:
        if array.dtype.kind not in "iu":
            return f"dtype of {what} is {array.dtype}, not an integer type"
    return ""


def no_mate_twice(keys: Any) -> Finding:
    """Check that each list ascends; keys are those of :class:`.pairs.Pairs`, in their order."""

    def text(i: int) -> str:
        (u, before), (_, after) = (divmod(int(key), 1 << 32) for key in (keys[i], keys[i + 1]))
        return f"vertex {u} has {before} before {after}"

    # Vertices ascend, so keys that do not are of one vertex.
    return find("no mate twice", keys.size - 1, lambda b, e: keys[b + 1 : e + 1] <= keys[b:e], text)


def capacities_kept(part: Part) -> Finding:
    """Check that no list is too long."""
    capacity, starts = part.capacity, part.bounds

    def over(begin: int, end: int) -> Any:
        return starts[begin + 1 : end + 1] - starts[begin:end] > capacity[begin:end]

    def text(i: int) -> str:
        count = int(starts[i + 1]) - int(starts[i])
        return f"vertex {part.first + i} has {count} and may have {int(capacity[i])}"

    return find("capacities kept", part.rows, over, text)
