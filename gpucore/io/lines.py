"""Find the lines of entries in a text that has been read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gpucore.io.stream import LineReader, Source


def data_lines(block: bytes) -> Iterator[tuple[int, bytes]]:
    r"""Yield offset, from 1, and text of each line that is neither blank nor a comment.

    Comments are lines that begin with ``#`` or ``%``.

    Examples
    --------
    >>> list(data_lines(b"# five stars\n1,2,5\n\n"))
    [(2, b'1,2,5')]
    """
    for offset, line in enumerate(block.split(b"\n"), start=1):
        begin = line.lstrip()[:1]
        if begin and begin not in (b"#", b"%"):
            yield offset, line


def lines_of_entries(
    source: Source, wanted: Sequence[int], begin: Callable[[LineReader], object]
) -> list[int]:
    """Read a file again to find the lines of the entries with the given numbers.

    Parameters
    ----------
    source : Source
        The file.
    wanted : sequence of int
        Numbers of entries from 0, ascending.
    begin : callable
        ``begin(reader)`` reads what precedes the entries.
    """
    found: list[int] = []
    with LineReader(source.quiet) as reader:
        begin(reader)
        number = 0
        for block in reader.blocks():
            for offset, _ in data_lines(block):
                while len(found) < len(wanted) and number == wanted[len(found)]:
                    found.append(reader.line + offset)
                if len(found) == len(wanted):
                    return found
                number += 1
    return found
