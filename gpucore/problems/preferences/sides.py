"""Shared code of the text formats of preferences: sides with names and choices."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpucore.errors import GraphError
from gpucore.io.stream import LineReader, Source
from gpucore.params import is_whole
from gpucore.problems.preferences.preferences import Preferences

#: Nouns for the two sides of an instance in texts, the proposing side first.
SIDES = (("men", "women"), ("residents", "hospitals"))
#: Bytes per read.
_BLOCK = 1 << 20


@dataclass
class Side:
    """One side of an instance in a text.

    Attributes
    ----------
    word : str
        Noun for its members: "men".
    names : list of str or None
        None if they have numbers instead.
    choices : list of list
        For each member the acceptable members of the other side, best first: their names, or their
        numbers.
    base : int
        The first number, 0 or 1.
    capacities : list of int or None
        Number of partners that each may have; None if all have at most one.
    """

    word: str
    names: list[str] | None
    choices: list[list[Any]]
    base: int = 0
    capacities: list[int] | None = None

    def label(self, at: int) -> str | int:
        """Return a member's name, or the number without names."""
        return self.names[at] if self.names is not None else at + self.base

    def range(self) -> str:
        """Return a phrase with the range of members, for errors' texts."""
        if self.names is not None:
            return "whoever is chosen needs a list too, if an empty one"
        return f"there are {len(self.choices)}, numbered from {self.base}"


def instance(source: Source, sides: tuple[Side, Side], *, form: str, name: str = "") -> Preferences:
    """Make an instance from its two sides.

    Parameters
    ----------
    source : Source
        The file.
    sides : tuple of Side
        Both sides, the proposing side first.
    form : str
        Format of the file, for the instance's ``source``.
    name : str
        Name of the instance; by default the file's name without endings.

    Raises
    ------
    GraphError
        A list has an unknown name or one name twice, or the instance is too large.
    """
    lengths = (sum(map(len, side.choices)) for side in sides)
    source.limits.check(source.name, sum(len(side.choices) for side in sides), max(lengths))
    first, second = sides
    lists = [numbers(source.name, *pair) for pair in ((first, second), (second, first))]
    try:
        return Preferences.from_lists(
            *lists,
            man_capacity=first.capacities,
            woman_capacity=second.capacities,
            name=name or source.stem,
            names=_names(first, second),
            source=source.describe(form, **_words(first, second)),
        )
    except GraphError as error:
        raise GraphError(f"{source.name}: {error}") from None


def _words(first: Side, second: Side) -> dict[str, Any]:
    """Return what a file says of its members other than men and women, numbered from 0."""
    words: dict[str, Any] = {"first": first.base} if first.base else {}
    if (first.word, second.word) == SIDES[1]:
        words["sides"] = ["resident", "hospital"]
    return words


def numbers(where: str, side: Side, others: Side) -> list[list[int]]:
    """Return the choices of a side as numbers of the other side, from 0.

    Raises
    ------
    GraphError
        A choice is unknown, or occurs twice in a list.
    """
    number: dict[Any, int] = {others.label(at): at for at in range(len(others.choices))}
    found = []
    for at, choices in enumerate(side.choices):
        try:
            row = [number[choice] for choice in choices]
        except (KeyError, TypeError):
            place = next(k for k, choice in enumerate(choices) if not _known(choice, number))
            raise GraphError(
                f"{where}: choice {place + 1} of {shown(side.label(at))} ({side.word}) is "
                f"{shown(choices[place])}, who is not among the {others.word}; {others.range()}"
            ) from None
        if len(set(row)) < len(row):
            place = next(k for k, choice in enumerate(row) if choice in row[:k])
            raise GraphError(
                f"{where}: {shown(side.label(at))} ({side.word}) lists {shown(choices[place])} "
                f"twice, at places {row.index(row[place]) + 1} and {place + 1}; strike one out"
            )
        found.append(row)
    return found


def _known(choice: Any, number: dict[Any, int]) -> bool:
    try:
        return choice in number
    except TypeError:  # for instance a list
        return False


def _names(first: Side, second: Side) -> tuple[str, ...] | None:
    """Return the names of all, or None if the names are the numbers from 0."""
    if first.names is None or second.names is None:
        return None
    plain = all(
        side.names == [str(i) for i in range(len(side.choices))] for side in (first, second)
    )
    return None if plain else (*first.names, *second.names)


def read_text(source: Source) -> str:
    """Return the text of a file, decompressed if necessary, within the limits on memory.

    Raises
    ------
    GraphError
        If the file is too large, damaged, or not in UTF-8.
    """
    parts: list[bytes] = []
    size, most = 0, source.limits.max_bytes // 4
    with LineReader(source) as reader:
        while part := reader.read(_BLOCK):
            parts.append(part)
            size += len(part)
            if size > most:
                raise GraphError(
                    f"{source.name} holds more than {most} bytes of text, a "
                    "quarter of the memory allowed here"
                )
    data = b"".join(parts)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise GraphError(
            f"{source.name}, line {line}: byte {error.start} is not UTF-8; save the text in UTF-8"
        ) from None


def shown(value: object) -> str:
    """Return a value as text for an error, truncated if it is long.

    Examples
    --------
    >>> shown("Eve"), shown(None), shown([1] * 100)
    ("'Eve'", 'None', '[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...')
    """
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:37]}..."


def whole(value: object, least: int = 0) -> bool:
    """Return whether a value is a whole number of at least `least`; true and false are not."""
    return is_whole(value) and value >= least


#: Endings of files that may be tables of preferences as well as edge lists.
TEXTS = (".csv", ".tsv", ".txt")


@contextmanager
def hinted(source: Source, form: str) -> Iterator[None]:
    """Let the errors of a table that is read as edges say how a table of preferences looks."""
    try:
        yield
    except GraphError as error:
        if ending_of(source) not in TEXTS:
            raise
        raise GraphError(f"{error}. It was read as edges; {form}") from None


def ending_of(source: Source) -> str:
    """Return the ending of a file's name, without that of gzip."""
    return Path(source.name.lower().removesuffix(".gz")).suffix
