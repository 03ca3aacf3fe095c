"""Lines as fields: the separator, fast parsing of plain blocks, careful parsing of others.

The first two fields are labels of any kind, of users and items or of the ends of an edge; a third
one is a number.
"""

from __future__ import annotations

import csv
import io
import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpucore.errors import GraphError
from gpucore.io.labels import WHOLE, has_padded, is_padded
from gpucore.io.lines import data_lines
from gpucore.io.stream import NOT_TEXT, LineReader

#: Separators in the order of preference; None stands for blanks.
_SEPARATORS = (b"::", b"\t", b",", b";")
#: Longest label of a user or an item, in characters.
_LONGEST = 1000
#: The smallest number that is infinite as a float32.
_LARGEST = 2.0**128 - 2.0**103
#: Labels of one side, labels of the other, ratings or weights (ones if there are none).
Columns = tuple[Any, Any, NDArray[np.float64]]


class NotNumbersError(GraphError):
    """Users or items are not whole numbers of 64 bits, or begin with a zero."""


@dataclass(frozen=True)
class Fields:
    """Form of the lines.

    Attributes
    ----------
    separator : bytes or None
        None for blanks.
    count : int
        Number of fields in a line.
    roles : tuple of str
        Nouns for the first three fields, for messages.
    """

    separator: bytes | None
    count: int
    roles: tuple[str, ...] = ("user", "item", "rating")

    @classmethod
    def of(cls, line: bytes) -> Fields:
        """Return the form of a line."""
        bare = re.sub(rb'"[^"]*"', b"", line) if b'"' in line else line
        separator = next((mark for mark in _SEPARATORS if mark in bare), None)
        return cls(separator, len(cls(separator, 0).split(line)))

    @property
    def are_enough(self) -> bool:
        """Whether there are user, item and rating, and at most a time."""
        return self.count in (3, 4)

    def split(self, line: bytes) -> list[str]:
        """Return the fields of a line; they may be quoted.

        Raises
        ------
        ValueError
            The line is not text, or a quotation mark is not closed.
        """
        text = line.decode()
        if '"' in text and (self.separator is None or len(self.separator) == 1):
            separator = (self.separator or b" ").decode()
            blanks = self.separator is None
            try:
                words = next(
                    csv.reader(
                        [text.strip() if blanks else text],
                        delimiter=separator,
                        strict=True,
                        skipinitialspace=blanks,
                    )
                )
            except csv.Error as error:
                raise ValueError(str(error)) from None
        elif self.separator is None:
            return text.split()
        else:
            words = text.split(self.separator.decode())
        return [word.strip() for word in words]


def is_number(word: str) -> bool:
    """Return whether a text is a number."""
    try:
        float(word)
    except ValueError:
        return False
    return "_" not in word


def cause_of(error: ValueError) -> str:
    """Return the cause of an error of :meth:`Fields.split`."""
    return NOT_TEXT if isinstance(error, UnicodeError) else str(error)


def parse(reader: LineReader, block: bytes, fields: Fields, texts: bool) -> Columns:
    """Return users, items and ratings of a block of whole lines.

    Parameters
    ----------
    reader : LineReader
        Reader of the block; ``reader.line`` lines precede it.
    block : bytes
        Whole lines.
    fields : Fields
        Form of the lines.
    texts : bool
        Whether users and items are texts; else they are arrays of int64.

    Raises
    ------
    NotNumbersError
        Users and items are texts, contrary to `texts`.
    GraphError
        With the line and the cause.
    """
    found = (_parse_texts if texts else _parse_plain)(block, fields)
    if found is not None:
        return found
    users: list[str] = []
    items: list[str] = []
    values: list[float] = []
    for offset, line in data_lines(block):
        try:
            words = fields.split(line)
            value = _checked(words, fields)
        except ValueError as error:
            reader.fail(cause_of(error), reader.line + offset)
        users.append(words[0])
        items.append(words[1])
        values.append(value)
    ratings = np.array(values, np.float64)
    if texts:
        return users, items, ratings
    return _whole(users), _whole(items), ratings


def _parse_plain(block: bytes, fields: Fields) -> Columns | None:
    """Return the columns of a block whose users and items are numbers; None for other blocks."""
    mark = b" " if fields.separator is None else fields.separator
    if len(mark) > 1:
        block, mark = block.replace(mark, b"\t"), b"\t"
    if has_padded(block, mark):
        return None
    skeleton = b"\n" + block.translate(None, b"0123456789")
    # NumPy accepts more than digits as whole numbers, for instance 1.0.
    begin = b"\n" + mark + (b"\n" if fields.count == 2 else mark)
    found = skeleton.count(begin) if fields.count > 2 else len(skeleton) // 2
    whole = skeleton == b"\n" + (mark + b"\n") * found if fields.count == 2 else True
    if found != block.count(b"\n") or not whole:
        return None
    kinds = {2: "i8,i8", 3: "i8,i8,f8"}.get(fields.count, "i8,i8,f8,S1")
    try:
        table = np.loadtxt(
            io.BytesIO(block), np.dtype(kinds), comments=None, delimiter=mark.decode(),
            ndmin=1, encoding="latin-1",
        )  # fmt: skip
    except (ValueError, OverflowError):
        return None
    if fields.count == 2:
        return table["f0"], table["f1"], np.ones(table.size, np.float64)
    values = table["f2"]
    return (table["f0"], table["f1"], values) if (np.abs(values) < _LARGEST).all() else None


def _parse_texts(block: bytes, fields: Fields) -> Columns | None:
    """Return the columns of a block without quotes, comments and mistakes; None for other blocks.

    It makes the same checks as the careful way, but for all lines at once.
    """
    if fields.separator is None or any(mark in block for mark in (b'"', b"#", b"%", b"_")):
        return None
    separator = fields.separator.decode()
    try:
        lines = block.decode().splitlines()
    except UnicodeDecodeError:
        return None
    if not all(map(str.strip, lines)) or len(lines) != block.count(b"\n"):
        return None
    if {line.count(separator) for line in lines} != {fields.count - 1}:
        return None
    words = [word.strip() for word in separator.join(lines).split(separator)]
    users, items = words[0 :: fields.count], words[1 :: fields.count]
    labels = {*users, *items}
    if not all(map(str.isprintable, labels)) or "" in labels:
        return None
    try:
        numbers = words[2 :: fields.count] if fields.count > 2 else ["1"] * len(users)
        values = np.array([float(word) for word in numbers])
    except ValueError:
        return None
    if max(map(len, labels)) > _LONGEST or not (np.abs(values) < _LARGEST).all():
        return None
    return users, items, values.astype(np.float64)


def _checked(words: list[str], fields: Fields) -> float:
    """Return the number in the fields of a line, or raise ValueError with the cause."""
    if len(words) != fields.count:
        raise ValueError(f"{fields.count} fields are expected here, there are {len(words)}")
    for what, word in zip(fields.roles[:2], words, strict=False):
        if not word:
            raise ValueError(f"the {what} is empty")
        if not word.isprintable():
            raise ValueError(NOT_TEXT)
        if len(word) > _LONGEST:
            raise ValueError(f"the {what} has {len(word)} characters, more than {_LONGEST}")
    if fields.count == 2:
        return 1.0
    what, word = fields.roles[2], words[2]
    try:
        value = float(word) if "_" not in word else None
    except ValueError:
        value = None
    if value is not None and -_LARGEST < value < _LARGEST:
        return value
    shown = repr(word if len(word) < 50 else word[:50] + "...")
    if value is None:
        raise ValueError(f"the {what} {shown} is not a number")
    big = " in single precision" if math.isfinite(value) else ""
    raise ValueError(f"the {what} {shown} is not a finite number{big}")


def _whole(words: list[str]) -> NDArray[np.int64]:
    """Return texts as whole numbers, or raise NotNumbersError."""
    plain = (WHOLE.fullmatch(word) and not is_padded(word) for word in words)
    numbers = [int(word) if whole else None for word, whole in zip(words, plain, strict=True)]
    if any(number is None or abs(number) >= 2**63 for number in numbers):
        raise NotNumbersError("users or items are texts")
    return np.array(numbers, np.int64)
