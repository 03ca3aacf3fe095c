"""Members of a problem: vertices, rows, residents, users, by the owner's words and names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.format import plural


@dataclass(frozen=True)
class Members:
    """One side of a problem.

    Attributes
    ----------
    noun : str
        What one of them is called: "vertex", "resident".
    count : int
        Number of members.
    names : sequence of str or None
        The owner's names; they count only if no two are the same.
    first : int
        Number of the first one where there are no names: 1 if the owner's file counts from 1.
    """

    noun: str
    count: int
    names: Sequence[str] | None = None
    first: int = 0

    @cached_property
    def _places(self) -> dict[str, int]:
        """Place of each name; empty if the names do not tell the members apart."""
        places = {name: at for at, name in enumerate(self.names or ())}
        return places if len(places) == self.count else {}

    @property
    def named(self) -> bool:
        """Whether labels are names."""
        return bool(self._places)

    def labels(self, numbers: NDArray[np.integer]) -> list[Any]:
        """Return the names of members, or their numbers as the owner counts."""
        if self.named and self.names is not None:
            return [self.names[at] for at in numbers.tolist()]
        found: list[Any] = (numbers.astype(np.int64) + self.first).tolist()
        return found

    def label(self, number: int) -> Any:
        """Return the name of one member, or its number; the number as it is if there is none."""
        return self.labels(np.array([number]))[0] if number < self.count else number

    def numbers(self, labels: Sequence[Any] | NDArray[Any]) -> NDArray[np.int64]:
        """Return the places, from 0, of members by their labels.

        Raises
        ------
        GraphError
            A label is none of these members; the text names it.
        """
        if self.named:
            found = [self._places.get(str(label), -1) for label in labels]
            return self._checked(np.array(found, np.int64), labels)
        try:
            numbers = np.asarray([_whole(label) for label in labels], np.int64)
        except (TypeError, ValueError, OverflowError):
            wrong = next(label for label in labels if not _is_whole(label))
            raise self._unknown(wrong) from None
        return self._checked(numbers - self.first, labels)

    def _checked(
        self, numbers: NDArray[np.int64], labels: Sequence[Any] | NDArray[Any]
    ) -> NDArray[np.int64]:
        outside = np.flatnonzero((numbers < 0) | (numbers >= self.count))
        if outside.size:
            raise self._unknown(labels[int(outside[0])])
        return numbers

    def _unknown(self, label: Any) -> GraphError:
        if self.named and self.names is not None:
            known = f"they have names, {self.names[0]!r} the first"
        else:
            known = f"numbers are {self.first} to {self.first + self.count - 1}"
        return GraphError(
            f"the problem has no {self.noun} {str(label)[:40]!r}: {known if self.count else 'none'}"
        )


def _whole(label: Any) -> int:
    """Return a label as a number; other programs write 3.0 for 3."""
    try:
        return int(label)
    except ValueError:
        number = float(label)
        if not number.is_integer():
            raise
        return int(number)


def _is_whole(label: Any) -> bool:
    try:
        return -(2**63) <= _whole(label) < 2**63
    except (TypeError, ValueError, OverflowError):  # JSON has lists and null, too
        return False


def first_number(first: int) -> dict[str, int]:
    """Return what a reader adds to ``source`` if its file counts from another number than 0."""
    return {"first": first} if first else {}


def first_of(problem: Any) -> int:
    """Return the number of a problem's first member in its owner's file: 0, or 1."""
    return int(problem.source.get("first", 0))


def two_sides(
    problem: Any, one: tuple[str, int], other: tuple[str, int]
) -> tuple[Members, Members]:
    """Return two sides of a problem, each given by its noun and size, that share their names."""
    names, first = problem.names, first_of(problem)
    (noun, count), (second, rest) = one, other
    return (
        Members(noun, count, None if names is None else names[:count], first),
        Members(second, rest, None if names is None else names[count:], first),
    )


def sides(problem: Any) -> tuple[Members, ...]:
    """Return the sides of a problem, as its kind declares them."""
    from gpucore.problem import get_kind

    kind = get_kind(problem.kind)
    found: tuple[Members, ...] = kind.load(kind.members)(problem)
    return found


def all_labels(problem: Any) -> list[str]:
    """Return the label of each member of a problem, side after side."""
    return [str(label) for side in sides(problem) for label in side.labels(np.arange(side.count))]


#: Words of this package for the members of both sides of preferences, one and several.
_OURS = (("man", "men"), ("woman", "women"))
_PAIR = re.compile(r"(?<!shape )(?<!shape is )\(([0-9]+), ([0-9]+)\)")


def in_owners_words(problem: Any, text: str) -> str:
    """Return a sentence of a certificate with the owner's words and names for members.

    Parameters
    ----------
    problem
        The problem.
    text : str
        Names members as certificates do: "vertex 3", "man 0", or (3, 4) for an edge.

    Examples
    --------
    >>> import gpucore
    >>> graph = gpucore.Graph.from_edges(2, [0], [1], names=["a", "b"])
    >>> in_owners_words(graph, "vertex 1 is free, as (0, 1)")
    'vertex b is free, as (a, b)'
    """
    found = sides(problem)
    if not any(side.named or side.first for side in found) and problem.kind != "preferences":
        return text
    own = _OURS if problem.kind == "preferences" else [(side.noun, "") for side in found]
    for side, (noun, nouns) in zip(found, own, strict=True):

        def label(match: re.Match[str], side: Members = side) -> str:
            return f"{side.noun} {side.label(int(match[1]))}"

        text = re.sub(rf"\b{noun} ([0-9]+)\b", label, text)
        if nouns:
            text = re.sub(rf"\b{nouns}\b", plural(side.noun), text)
    one, other = found[0], found[-1]
    return _PAIR.sub(lambda m: f"({one.label(int(m[1]))}, {other.label(int(m[2]))})", text)
