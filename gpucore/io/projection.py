"""Blocks of lines with the wanted columns only, in the order of their roles."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from gpucore.io.fields import Fields, cause_of
from gpucore.io.stream import LineReader


def project(
    reader: LineReader, block: bytes, fields: Fields, order: Sequence[int], *, inline: bool = False
) -> bytes:
    """Return a block with the wanted fields of each line only, in an order.

    Parameters
    ----------
    reader : LineReader
        Reader of the block; ``reader.line`` lines precede it.
    block : bytes
        Whole lines.
    fields : Fields
        Form of the lines.
    order : sequence of int
        Numbers of the fields, from 0.
    inline : bool
        Whether ``#`` and ``%`` begin a comment inside a line, too.

    Returns
    -------
    bytes
        As many lines, so that numbers of lines stay; comments become empty lines. The separator is
        :func:`separator_of`.

    Raises
    ------
    GraphError
        A line has another number of fields.
    """
    mark = separator_of(fields)
    plain = not any(sign in block for sign in (b'"', b"#", b"%", b"\r"))
    if plain and fields.separator is not None:
        lines = block[:-1].split(b"\n")
        if set(map(_counter(fields.separator), lines)) == {fields.count - 1}:
            words = fields.separator.join(lines).split(fields.separator)
            wanted = [words[at :: fields.count] for at in order]
            return b"\n".join(map(mark.join, zip(*wanted, strict=True))) + b"\n"
    rows: list[str] = []
    for line in block[:-1].split(b"\n"):
        begin = line.lstrip()[:1]
        text = re.split(rb"[#%]", line, maxsplit=1)[0] if inline else line
        if not text.strip() or begin in (b"#", b"%"):
            rows.append("")
            continue
        try:
            cells = fields.split(text)
            if len(cells) != fields.count:
                raise ValueError(f"{fields.count} fields are expected here, there are {len(cells)}")
        except ValueError as error:
            reader.fail(cause_of(error), reader.line + len(rows) + 1)
        rows.append(mark.decode().join(_quoted(cells[at], mark.decode()) for at in order))
    return ("\n".join(rows) + "\n").encode()


def separator_of(fields: Fields) -> bytes:
    """Return the separator of what :func:`project` returns."""
    return b"\t" if fields.separator in (None, b"::") else fields.separator


def _counter(separator: bytes) -> Callable[[bytes], int]:
    return lambda line: line.count(separator)


def _quoted(word: str, separator: str) -> str:
    """Return a field in quotation marks, if it needs them."""
    if separator in word or '"' in word or word[:1] in ("#", "%"):
        return '"' + word.replace('"', '""') + '"'
    return word
