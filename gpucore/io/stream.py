"""Read the text of a file or an upload in blocks of whole lines, decompressed on the fly.

Only one block is in memory at a time. Progress is counted in compressed bytes, since only their
total is known. Decompression stops when the text is larger than any graph within the limits, or has
an implausible compression ratio (a "zip bomb").
"""

from __future__ import annotations

import gzip
import io
import os
import re
import stat
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NoReturn, Self

from gpucore.errors import GraphError
from gpucore.io.endings import ENDINGS
from gpucore.limits import Limits
from gpucore.progress import Cancel, Progress, check

#: Bytes of text per read.
BLOCK = 8 << 20
MAX_LINE = 1 << 20
#: What is wrong with a line of a binary file, or of a text in a spreadsheet's own encoding.
NOT_TEXT = "it holds bytes that are not text in UTF-8; save it in UTF-8, unless it is a binary file"
MAX_HEADER = 1 << 20
_GZIP = b"\x1f\x8b"
#: How other compressed files begin, and what decompresses them.
_OTHERS = {
    b"BZh": "bunzip2",
    b"\xfd7zXZ\x00": "unxz",
    b"\x28\xb5\x2f\xfd": "unzstd",
    b"7z\xbc\xaf": "7z x",
}
_ENDINGS = "|".join(re.escape(ending) for endings in ENDINGS.values() for ending in endings)
#: A file's name in KONECT; before a format's ending, "out" is a name like any other.
_KONECT = re.compile(rf"out(?!(?:{_ENDINGS})$)\.([^.]+)")
#: The ratio is checked only above this number of decompressed bytes.
_HARMLESS = 32 << 20


@dataclass(frozen=True)
class Source:
    """A file, or the bytes of an upload, and how it is read.

    Attributes
    ----------
    name : str
        The name that errors use.
    data : bytes or None
    path : Path or None
    limits : Limits
        Larger problems are refused before memory is taken; by default what fits in free memory.
    progress, cancel
        See :mod:`gpucore.progress`. The phases are "reading", in compressed bytes, and "building".
    """

    name: str
    data: bytes | None = None
    path: Path | None = None
    limits: Limits = field(default_factory=Limits)
    progress: Progress | None = None
    cancel: Cancel | None = None

    @classmethod
    def of(cls, given: Source | str | Path, limits: Limits | None = None, **hooks: Any) -> Source:
        """Return `given` as a source; a string is a path. A source stays as it is."""
        if isinstance(given, Source):
            return given
        if not isinstance(given, str | Path):
            raise GraphError(f"a file's name must be a text or a path, not {given!r}")
        return cls(str(given), path=Path(given), limits=limits or Limits(), **hooks)

    @property
    def quiet(self) -> Source:
        """The same without progress, for a look at the file besides reading it."""
        return replace(self, progress=None)

    def building(self) -> None:
        """Say that all is read and the problem is built now, unless it is cancelled."""
        if self.progress is not None:
            self.progress("building", 0, 0)
        check(self.cancel)

    def open(self) -> BinaryIO:
        """Open the bytes as they are, or raise GraphError."""
        if self.data is not None:
            return io.BytesIO(self.data)
        assert self.path is not None
        try:
            mode = self.path.stat().st_mode  # first, since opening a pipe waits for its writer
            if stat.S_ISDIR(mode):
                raise GraphError(f"{self.name} is a directory; name a file in it")
            if not stat.S_ISREG(mode):
                raise GraphError(
                    f"{self.name} is a pipe or a device, which cannot be read twice; save its "
                    "content as a file"
                )
            return io.BufferedReader(_File(self.name, self.path))
        except GraphError:
            raise
        except FileNotFoundError:
            raise GraphError(f"there is no file {self.name}; check its name and folder") from None
        except OSError as error:
            raise GraphError(f"{self.name} cannot be opened: {error.strerror or error}") from None
        except ValueError as error:  # a null character
            raise GraphError(f"{self.name!r} is no file's name: {error}") from None

    @property
    def stem(self) -> str:
        """Name without folder and endings, for the graph; of KONECT's out.NAME it is NAME."""
        name = Path(self.name).name.removesuffix(".gz")
        konect = _KONECT.fullmatch(name)
        return konect[1] if konect else name.rsplit(".", 1)[0]

    def describe(self, form: str, **more: object) -> dict[str, object]:
        """Return the entry `source` of a graph, without the folder, which is private."""
        return {"kind": "file", "name": Path(self.name).name, "format": form, **more}


class _File(io.FileIO):
    """A file whose reading fails with GraphError."""

    def __init__(self, name: str, path: Path) -> None:
        super().__init__(path, "rb")
        self._shown = name

    def readinto(self, buffer: Any) -> int:
        try:
            return super().readinto(buffer)
        except OSError as error:
            raise self._failed(error) from error

    def readall(self) -> bytes:
        try:
            return super().readall()
        except OSError as error:
            raise self._failed(error) from error

    def _failed(self, error: OSError) -> GraphError:
        return GraphError(
            f"reading {self._shown} failed: {error.strerror or error}; copy the file to another "
            "place, or get it again"
        )


class _Counted(io.RawIOBase):
    """Counts the bytes read."""

    def __init__(self, raw: BinaryIO) -> None:
        super().__init__()
        self.raw = raw
        self.done = 0

    def read(self, size: int = -1) -> bytes:
        data = self.raw.read(size)
        self.done += len(data)
        return data

    def close(self) -> None:
        self.raw.close()
        super().close()


class LineReader:
    """Reads a source line by line (headers) or in blocks of whole lines (the bulk).

    Attributes
    ----------
    name, limits
        Of the source.
    line : int
        Number of lines handed out so far; inside :meth:`blocks` those before the block.
    """

    def __init__(self, source: Source, *, max_line: int = MAX_LINE) -> None:
        self.name, self.limits = source.name, source.limits
        self.line = 0
        self._progress, self._cancel = source.progress, source.cancel
        self._max_line = max_line
        self._raw = _Counted(source.open())
        data, raw = source.data, self._raw.raw
        self._size = os.fstat(raw.fileno()).st_size if data is None else len(data)  # as stored
        self._text_bytes = 0
        self._pending = b""
        self._at = 0  # the pending text before it was handed out
        self._header = 0
        start = raw.read(max(map(len, _OTHERS)))
        self.compressed = start.startswith(_GZIP)
        raw.seek(0)
        for mark, command in _OTHERS.items():
            if start.startswith(mark):
                self._raw.close()
                raise GraphError(
                    f"{source.name} is compressed in another way than by gzip, which is not read; "
                    f"decompress it by {command}"
                )
        self._stream = gzip.GzipFile(fileobj=self._raw) if self.compressed else self._raw

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:  # fmt: skip
        self._raw.close()

    @property
    def most_text(self) -> int:
        """Largest possible size of the text: deflate compresses at most 1032 times."""
        return self._size * 1032 if self.compressed else self._size

    @property
    def position(self) -> int:
        """Bytes of text handed out so far."""
        return self._text_bytes - len(self._pending) + self._at

    def fail(self, cause: str, line: int | None = None) -> NoReturn:
        """Raise GraphError for `line` (default: the last line handed out)."""
        raise GraphError(f"{self.name}, line {self.line if line is None else line}: {cause}")

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes of text, empty at the end."""
        check(self._cancel)
        try:
            data = self._stream.read(size)
        except EOFError:
            self._fail_after(
                "the compressed data ends too early: the file is truncated, get it again"
            )
        except (gzip.BadGzipFile, zlib.error) as error:
            self._fail_after(f"the compressed data is damaged ({error}): get the file again")
        except OSError as error:
            self._fail_after(f"reading failed: {error}")
        self._text_bytes += len(data)
        self._check_growth()
        if self._progress is not None:
            self._progress("reading", self._raw.done, self._size)
        return data

    def _fail_after(self, cause: str) -> NoReturn:
        raise GraphError(f"{self.name}, after line {self.line}: {cause}") from None

    def _check_growth(self) -> None:
        if self._text_bytes > self.limits.max_text:
            self._fail_after(
                f"more than {self.limits.max_text} bytes of text are more than a graph of "
                f"{self.limits.max_entries} entries needs; take a smaller file (in Python: pass "
                "larger Limits)"
            )
        ratio = self._text_bytes / max(self._raw.done, 1)
        if self._text_bytes > _HARMLESS and ratio > self.limits.max_ratio:
            self._fail_after(
                f"the data decompresses to {ratio:.0f} times its size, which no real graph does "
                "(a zip bomb?); decompress it yourself if you trust it"
            )

    def readline(self) -> bytes | None:
        """Return the next line without its end, None at the end of the text.

        For headers: they may not be longer than ``MAX_HEADER`` bytes, comments included.
        """
        while (end := self._pending.find(b"\n", self._at)) < 0:
            self._check_line(len(self._pending) - self._at)
            data = self.read(1 << 16)
            if not data:
                break
            self._pending = self._pending[self._at :] + data
            self._at = 0
        if end < 0:
            end = len(self._pending)
            if self._at == end:
                return None
        line = self._pending[self._at : end]
        self._at = min(end + 1, len(self._pending))
        self.line += 1
        self._header += len(line) + 1
        if self._header > MAX_HEADER:
            self.fail(f"{MAX_HEADER} bytes of comments and blank lines, and no data yet")
        if self.line == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
            if line.count(b"\r") > line.endswith(b"\r"):
                self.fail("its lines end in carriage returns only; save it with newlines")
        return line.removesuffix(b"\r")

    def unread(self, line: bytes) -> None:
        """Put back the last line of :meth:`readline`."""
        self._pending = line + b"\n" + self._pending[self._at :]
        self._at = 0
        self.line -= 1

    def following(self) -> bytes:
        """Return some of the text that follows, 64 KiB if there are as many, without taking it."""
        while len(self._pending) - self._at < 1 << 16 and (data := self.read(1 << 16)):
            self._pending = self._pending[self._at :] + data
            self._at = 0
        return self._pending[self._at :]

    def _check_line(self, length: int) -> None:
        if length > self._max_line:
            self.fail(
                f"the line is longer than {self._max_line} bytes; is this a text file?",
                self.line + 1,
            )

    def blocks(self) -> Iterator[bytes]:
        """Yield the rest of the text in blocks of whole lines; every line ends in a newline."""
        while True:
            data = self.read(BLOCK)
            self._pending = self._pending[self._at :] + data
            self._at = 0
            cut = self._pending.rfind(b"\n") + 1 if data else len(self._pending)
            block, self._pending = self._pending[:cut], self._pending[cut:]
            self._check_line(len(self._pending))
            if block:
                block = block.replace(b"\r\n", b"\n")
                if not block.endswith(b"\n"):
                    block += b"\n"
                yield block
                self.line += block.count(b"\n")
            if not data:
                return
