"""Read a range of a text file's lines: several readers share one file, each its own lines."""

from __future__ import annotations

from gpucore.io.stream import BLOCK, LineReader, Source


class RangeReader(LineReader):
    """Reads the lines in a range of bytes of an uncompressed file.

    Parameters
    ----------
    source : Source
        The file.
    start, stop : int
        Bytes of the file; both are beginnings of lines, or the end of the file.
    line : int
        Number of lines before the range.
    """

    def __init__(self, source: Source, start: int, stop: int, line: int = 0) -> None:
        super().__init__(source)
        self.line = line
        self._left = self._size = stop - start
        self._raw.raw.seek(start)

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes of the range, empty at its end."""
        data = super().read(min(size, self._left))
        self._left -= len(data)
        return data

    def count_lines(self) -> int:
        """Read the rest of the range and return its number of lines."""
        lines, last = 0, b""
        while data := self.read(BLOCK):
            lines += data.count(b"\n")
            last = data[-1:]
        return lines + (last not in (b"", b"\n"))


def line_starts(source: Source, begin: int, ranges: int) -> list[int]:
    r"""Cut the lines of a file from byte `begin` on into ranges of about equally many bytes.

    Parameters
    ----------
    source : Source
        An uncompressed file.
    begin : int
        Beginning of a line.
    ranges : int
        Number of ranges.

    Returns
    -------
    list of int
        Beginnings of the ranges, and the end of the file; a range can be empty. A line belongs to
        the range that has its first byte.

    Examples
    --------
    >>> line_starts(Source("edges.txt", b"# edges\n0 1\n1 22\n2 3\n"), 8, 3)
    [8, 12, 17, 21]
    """
    with source.open() as file:
        size = file.seek(0, 2)
        starts = [begin]
        for number in range(1, ranges):
            place = max(begin + (size - begin) * number // ranges, starts[-1])
            if place > starts[-1]:
                file.seek(place - 1)
                while (text := file.read(1 << 16)) and b"\n" not in text:
                    place += len(text)
                place = min(place + text.find(b"\n"), size) if text else size
            starts.append(place)
    return [*starts, size]
