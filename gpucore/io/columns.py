"""Parse blocks of text into columns of numbers: fast for plain text, carefully for other text.

SciPy's Matrix Market parser is fast, but it ignores any text after a number ("1.5" in an integer
file is read as 1, "3x" as 3). So it gets a block only if the block is *plain*: without its digits,
each line is exactly the skeleton of a well-formed line. NumPy's strict parser reads all other
blocks (tabs, several blanks, comments, signs, errors). A block that neither accepts is read again,
line by line, to find the line and the cause.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterator
from typing import Any, NoReturn

import numpy as np
from numpy.typing import NDArray
from scipy.io import mmread

from gpucore.io.stream import NOT_TEXT, LineReader

#: Two arrays of integers and one of values, None for a pattern.
Columns = tuple[NDArray, NDArray, NDArray | None]

_NO_DIGITS = bytes.maketrans(b"E", b"e")
_INTEGER = re.compile(rb"[+-]?[0-9]+")
#: Longest word that can be a number, in characters; Python refuses to convert longer ones.
_LONGEST = 1000
NOT_WHOLE = " is not a whole number"
_TEXT = re.compile(rb"[^\x00-\x08\x0e-\x1f\x7f]*")


def read_matrix_block(
    reader: LineReader, block: bytes, shape: tuple[int, int], field: str
) -> Columns:
    """Return 0-based rows, columns and values of a block of a coordinate file.

    Parameters
    ----------
    reader : LineReader
        Reader of the block; ``reader.line`` lines precede it.
    block : bytes
        Whole lines.
    shape : tuple of int
        Rows and columns of the matrix.
    field : {"pattern", "integer", "real"}
        Type of the value after the two numbers of a line.

    Raises
    ------
    GraphError
        With the line and the cause.
    """
    plain = _plain_columns(block, shape, field)
    if plain is not None:
        rows, columns, values = plain
    else:
        rows, columns, values = read_columns(reader, block, field, "%", shape)
        rows, columns = rows - 1, columns - 1
        for numbers, bound in ((rows, shape[0]), (columns, shape[1])):
            if numbers.size and (numbers.min() < 0 or numbers.max() >= bound):
                explain(reader, block, field, shape, base=1, error=None)
    if values is not None and not np.isfinite(values).all():
        explain(reader, block, field, shape, base=1, error=None)
    return rows, columns, values


def _plain_columns(block: bytes, shape: tuple[int, int], field: str) -> Columns | None:
    """Return what SciPy reads in a plain block; None if the block is not, or has an error."""
    count = block.count(b"\n")
    if not _is_plain(block, count, field):
        return None
    head = f"%%MatrixMarket matrix coordinate {field} general\n{shape[0]} {shape[1]} {count}\n"
    try:
        part: Any = mmread(io.BytesIO(head.encode() + block), spmatrix=False)
    except (ValueError, OverflowError):  # also a line without digits, such as two blanks
        return None
    return part.row, part.col, None if field == "pattern" else part.data


def _is_plain(block: bytes, count: int, field: str) -> bool:
    """Return whether each line consists of numbers separated by single blanks."""
    skeleton = block.translate(_NO_DIGITS, b"0123456789")
    if field == "pattern":
        return skeleton == b" \n" * count
    if field == "real" and b"e" in skeleton:  # exponents, from the right
        if b"e\n" in block or b"E\n" in block:
            return False
        for rest in (b"e-\n", b"e+\n", b"e\n"):
            skeleton = skeleton.replace(rest, b"\n")
    if field == "real":
        if skeleton == b"  .\n" * count:  # the usual case; replacing millions of points is slow
            return True
        skeleton = skeleton.replace(b".\n", b"\n")
    if b"-" in skeleton:
        skeleton = skeleton.replace(b"  -\n", b"  \n")
    return skeleton == b"  \n" * count


def read_columns(
    reader: LineReader,
    block: bytes,
    field: str,
    comments: str,
    shape: tuple[int, int] | None = None,
    hint: str = "",
) -> Columns:
    """Return two columns of integers, and one of values unless `field` is "pattern".

    Lines that are blank or begin with one of the characters in `comments` are skipped; what
    follows such a character in a line is ignored. A `shape` is that of a matrix whose rows and
    columns are numbered from 1; errors name numbers outside of it. The `hint` follows the error for
    a word where a whole number should be.
    """
    if block.isspace() or not re.search(
        rb"^[ \t]*[^ \t\n" + comments.encode() + rb"]", block, re.MULTILINE
    ):
        empty = np.empty(0, np.int64)
        return empty, empty, None if field == "pattern" else np.empty(0)
    kinds = {"pattern": "i8,i8", "integer": "i8,i8,i8", "real": "i8,i8,f8"}[field]
    try:
        # NumPy handles one comment character in C, but several in slow Python code.
        same = bytes.maketrans(comments.encode(), comments[:1].encode() * len(comments))
        text = block.translate(same).decode()
        if not _TEXT.fullmatch(block):
            raise ValueError("control characters")
        table = np.loadtxt(io.StringIO(text), np.dtype(kinds), comments=comments[:1], ndmin=1)
    except ValueError as error:  # UnicodeDecodeError is one
        base = 0 if shape is None else 1
        explain(reader, block, field, shape, base=base, comments=comments, error=error, hint=hint)
    return table["f0"], table["f1"], None if field == "pattern" else table["f2"]


def data_lines(block: bytes, comments: str) -> Iterator[tuple[int, list[bytes]]]:
    """Yield the offset and the tokens of each line that is neither blank nor a comment."""
    pattern = re.compile(rb"[" + comments.encode() + rb"]")
    for offset, line in enumerate(block.split(b"\n"), start=1):
        if tokens := pattern.split(line, maxsplit=1)[0].split():
            yield offset, tokens


def explain(
    reader: LineReader, block: bytes, field: str, shape: tuple[int, int] | None, *,
    base: int = 0, comments: str = "%", error: Exception | None, hint: str = "",
) -> NoReturn:  # fmt: skip
    """Find the first bad line of a block and raise GraphError for it."""
    for offset, tokens in data_lines(block, comments):
        if cause := _fault(tokens, field, shape, base):
            if cause.endswith(NOT_WHOLE) and hint:
                number = re.match(r"'[-+.0-9eE]+'", cause)
                cause += "; vertices are whole numbers or names, correct it" if number else hint
            reader.fail(cause, reader.line + offset)
    last = reader.line + block.count(b"\n")
    reader.fail(f"cannot be read up to line {last} ({error})", reader.line + 1)


def _fault(tokens: list[bytes], field: str, shape: tuple[int, int] | None, base: int) -> str | None:
    """Return the error in the tokens of a line, None if there is none."""
    expected = 2 if field == "pattern" else 3
    for token in tokens:
        if not (token.isascii() and token.decode().isprintable()):
            return NOT_TEXT
        if len(token) > _LONGEST:
            return f"a word of {len(token)} characters is too long for a number"
    if len(tokens) != expected:
        return f"{expected} numbers are expected here, there are {len(tokens)}"
    for token, side, bound in zip(tokens, ("row", "column"), shape or (0, 0), strict=False):
        if not _INTEGER.fullmatch(token):
            return f"{token.decode()!r}{NOT_WHOLE}"
        if shape and not base <= int(token) < bound + base:
            return (
                f"{side} {token.decode()} is out of range, the matrix has {bound} {side}s, "
                f"numbered from {base}"
            )
        if abs(int(token)) >= 2**63:
            return f"{token.decode()} is too large for a vertex number"
    return _value_fault(tokens[2], field) if expected == 3 else None


def _value_fault(token: bytes, field: str) -> str | None:
    text = token.decode()
    if field == "integer":
        if not _INTEGER.fullmatch(token):
            return f"{text!r} is not a whole number, although the header says integer"
        return f"{text} is too large for 64 bits" if abs(int(token)) >= 2**63 else None
    try:
        value = float(text) if b"_" not in token else None
    except ValueError:
        value = None
    if value is None:
        return f"{text!r} is not a number"
    return None if math.isfinite(value) else f"the weight {text} is not a finite number"
