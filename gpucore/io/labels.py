"""Labels of users or items as a file has them, and their numbers from 0."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

WHOLE = re.compile(r"[+-]?[0-9]+")


def is_padded(label: str) -> bool:
    """Return whether digits begin with a zero, as in names of one length: 007 is not 7."""
    return len(label) > 1 and label[0] == "0" and label.isdigit()


def has_padded(block: bytes, mark: bytes) -> bool:
    """Return whether a field of lines begins with a zero before another digit.

    Parameters
    ----------
    block : bytes
        Whole lines.
    mark : bytes
        The separator, one byte; blanks may be beside it.
    """
    text = np.frombuffer(b"\n" + block + b"\n", np.uint8)
    zeros = np.flatnonzero(text == ord("0"))
    before, after = text[zeros - 1], text[zeros + 1]
    begins = (before == ord("\n")) | (before == ord(" ")) | (before == ord(mark))
    return bool((begins & (after >= ord("0")) & (after <= ord("9"))).any())


def _check_zeros(labels: Sequence[str]) -> None:
    known: dict[str, str] = {}
    for label in filter(str.isdigit, labels):
        other = known.setdefault(label.lstrip("0"), label)
        if other != label:
            raise ValueError(
                f"{other} and {label} differ only in zeros before them; write them alike if they "
                "are one, else put a letter before each"
            )


class Labels:
    """Labels of one side, collected block by block."""

    def add(self, labels: Any) -> None:
        """Add the labels of a block, in the order of its lines."""
        raise NotImplementedError

    def numbered(self) -> tuple[NDArray[np.int32], list[str]]:
        """Return the number from 0 of each entry's label, and the labels, ascending."""
        raise NotImplementedError


class Numbers(Labels):
    """Labels that are whole numbers of 64 bits.

    Examples
    --------
    >>> labels = Numbers()
    >>> labels.add(np.array([30, 4, 30]))
    >>> labels.numbered()
    (array([1, 0, 1], dtype=int32), ['4', '30'])
    """

    def __init__(self) -> None:
        self._parts: list[NDArray[np.integer]] = []

    def add(self, labels: NDArray[np.int64]) -> None:
        """Add an array, stored as int32 if that is enough."""
        small = labels.size == 0 or (labels.min() >= -(2**31) and labels.max() < 2**31)
        self._parts.append(labels.astype(np.int32) if small else labels)

    def joined(self) -> NDArray[np.integer]:
        """Return the labels of all entries."""
        return np.concatenate(self._parts)

    def numbered(self) -> tuple[NDArray[np.int32], list[str]]:
        """Return numbers and labels; labels without large gaps are not sorted, but counted."""
        labels = self.joined()
        least, most = int(labels.min(initial=0)), int(labels.max(initial=0))
        if most - least <= 4 * labels.size + (1 << 20):
            present = np.zeros(most - least + 1, np.bool_)
            present[labels - least] = True
            place = np.cumsum(present, dtype=np.int32) - np.int32(1)
            distinct = np.flatnonzero(present) + least
            return place[labels - least], [str(label) for label in distinct.tolist()]
        distinct, numbers = np.unique(labels, return_inverse=True)
        return numbers.astype(np.int32), [str(label) for label in distinct.tolist()]


class Texts(Labels):
    """Labels that are texts; if all are whole numbers and none begins with a zero, numbers.

    Examples
    --------
    >>> labels = Texts()
    >>> labels.add(["Oz", "Alien", "Oz"])
    >>> labels.numbered()
    (array([1, 0, 1], dtype=int32), ['Alien', 'Oz'])
    """

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._parts: list[NDArray[np.int32]] = []

    def add(self, labels: Sequence[str]) -> None:
        """Add texts, numbered by first appearance."""
        known = self._numbers
        self._parts.append(
            np.array([known.setdefault(label, len(known)) for label in labels], np.int32)
        )

    def numbered(self) -> tuple[NDArray[np.int32], list[str]]:
        """Return numbers and labels; equal whole numbers are one label.

        Raises
        ------
        ValueError
            Two labels differ only in zeros before them: they may be one, or two.
        """
        given: list[Any] = list(self._numbers)
        if any(map(is_padded, given)):
            _check_zeros(given)
        elif all(WHOLE.fullmatch(label) for label in given):
            given = [int(label) for label in given]
        distinct = sorted(set(given))
        place = {label: number for number, label in enumerate(distinct)}
        new = np.array([place[label] for label in given], np.int32)
        entries = np.concatenate(self._parts) if self._parts else np.zeros(0, np.int32)
        return new[entries], [str(label) for label in distinct]
