"""The static files of the pages: our template, Voila's front end, the widgets' extensions.

All files are known when the server starts, and they are few. Each is read and compressed once, then
served from memory: compressing at each request would let anyone keep the server busy.
"""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from tornado import web
from tornado.iostream import StreamClosedError

from .access import Access
from .rates import Shares
from .turns import InTurn

_COMPRESSED = (".css", ".html", ".js", ".json", ".map", ".svg", ".txt")
#: Bytes that are sent to a slow browser before the next ones are taken.
_CHUNK = 1 << 16
#: What an answer without a body counts.
_HEAD_BYTES = 1 << 10
#: Files with the hash of their content in the address may be kept by the browser.
_KEEP_SECONDS = 86400 * 30
#: For other files: the requests of one visit ask once.
_KEEP_SHORTLY = "max-age=600"


@dataclass(frozen=True)
class StaticFile:
    """A file as it is sent: its bytes, compressed bytes or None, type and entity tag."""

    plain: bytes
    packed: bytes | None
    kind: str
    tag: str


class StaticFiles:
    """The files below some folders.

    Parameters
    ----------
    roots : mapping of str to list of Path
        For the first part of an address, the folders that are searched, in this order.
    """

    def __init__(self, roots: Mapping[str, list[Path]]) -> None:
        self._roots = {
            part: [folder.resolve() for folder in folders if folder.is_dir()]
            for part, folders in roots.items()
        }
        self._read: dict[Path, StaticFile] = {}

    def find(self, part: str, name: str) -> Path | None:
        """Return the file with a name in an address, or None.

        A link is followed only to a file below one of the folders.
        """
        if "\0" in name or "\\" in name:
            return None
        with contextlib.suppress(OSError):  # a name that is too long for the system
            for folder in self._roots.get(part, ()):
                path = (folder / name.lstrip("/")).resolve()
                if path.is_relative_to(folder) and path.is_file():
                    return path
        return None

    async def read(self, path: Path) -> StaticFile:
        """Return a file; it is read and compressed at the first call, in a thread."""
        if path not in self._read:
            loop = asyncio.get_running_loop()
            self._read[path] = await loop.run_in_executor(None, partial(_read, path))
        return self._read[path]


def _read(path: Path) -> StaticFile:
    content = path.read_bytes()
    packed = gzip.compress(content, 6, mtime=0) if path.suffix in _COMPRESSED else None
    if packed is not None and len(packed) >= len(content):
        packed = None
    kind, packing = mimetypes.guess_type(path.name)
    # What is packed is sent as it is: the page unpacks it.
    kind = f"application/{packing or 'octet-stream'}" if packing or not kind else kind
    if kind.startswith("text/") or kind.endswith(("javascript", "json", "svg+xml")):
        kind += "; charset=utf-8"
    tag = hashlib.sha256(content).hexdigest()[:32]
    return StaticFile(content, packed, kind, f'"{tag}"')


class FileHandler(InTurn, web.RequestHandler):
    """Sends a static file."""

    def initialize(
        self, files: StaticFiles, access: Access, shares: Shares, headers: Mapping[str, str]
    ) -> None:
        """Take the files, the bytes that visitors may have, and the headers of every answer."""
        self._files, self._headers_of_all = files, headers
        self.initialize_turns(shares, access)

    async def get(self, part: str, name: str) -> None:
        """Send a file, compressed if the browser takes that."""
        path = self._files.find(part, name)
        if path is None:
            raise web.HTTPError(404)
        file = await self._files.read(path)
        for header, value in self._headers_of_all.items():
            self.set_header(header, value)
        self.set_header("Content-Type", file.kind)
        self.set_header("Vary", "Accept-Encoding")
        hashed = f"max-age={_KEEP_SECONDS}, immutable"
        self.set_header("Cache-Control", hashed if self.request.query else _KEEP_SHORTLY)
        self.set_header("ETag", file.tag)
        if self.check_etag_header():
            self.set_status(304)
            return
        content = file.plain
        if file.packed is not None and "gzip" in self.request.headers.get("Accept-Encoding", ""):
            content = file.packed
            self.set_header("Content-Encoding", "gzip")
        self.set_header("Content-Length", len(content))
        if self.request.method == "HEAD":
            await self.turn(_HEAD_BYTES)
            return
        await self.turn(len(content))
        with contextlib.suppress(StreamClosedError):  # the visitor left
            for start in range(0, len(content), _CHUNK):
                self.write(content[start : start + _CHUNK])
                await self.flush()

    head = get


__all__ = ["FileHandler", "StaticFile", "StaticFiles"]
