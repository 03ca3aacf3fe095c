"""Graphs of public collections by name: SuiteSparse and SNAP, fetched once into a cache.

``suitesparse:GROUP/NAME`` is a matrix of the SuiteSparse Matrix Collection (T. A. Davis, Y. Hu, ACM
Transactions on Mathematical Software 38(1), 2011), ``snap:NAME`` a graph of SNAP (J. Leskovec, A.
Krevl, 2014). Neither collection publishes checksums: the SHA-256 of what was fetched first is kept
beside the file, and every later use is checked against it.

A data set of the catalogue that the package may not have is fetched by its name; the catalogue has
its SHA-256.

Only a program that called :func:`allow_downloads` fetches; the command line does, a page of the
site never does. Others read what the cache holds.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import tarfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from gpucore.datasets import catalogue, names
from gpucore.errors import GraphError, MissingDependency
from gpucore.format import human_bytes
from gpucore.installing import install_hint
from gpucore.progress import Cancel, Progress, check
from gpucore.saving import make_directory, replacing

#: Collections, where they are, and the environment variables that name a mirror.
PLACES = {
    "suitesparse": ("https://sparse.tamu.edu/MM", "WARPLENS_SUITESPARSE_URL"),
    "snap": ("https://snap.stanford.edu/data", "WARPLENS_SNAP_URL"),
}
#: Largest file that is fetched, and the environment variable that names another size in bytes.
MOST_BYTES, MOST_VARIABLE = 16 << 30, "WARPLENS_DOWNLOAD_BYTES"
#: Seconds that a server may be silent.
TIMEOUT = 30
_CHUNK = 1 << 20
_PART = r"[A-Za-z0-9][A-Za-z0-9_.+-]{0,99}"
_NAMES = {
    "suitesparse": re.compile(rf"(?P<group>{_PART})/(?P<name>{_PART})"),
    "snap": re.compile(rf"(?P<group>)(?P<name>{_PART})"),
}
_FIX = "free space there, or name another directory by XDG_CACHE_HOME"
_allowed = False


def allow_downloads(allowed: bool = True) -> None:
    """Allow this process to fetch graphs from the network, or forbid it, which is the default."""
    global _allowed
    _allowed = allowed


@dataclass(frozen=True)
class Remote:
    """A graph of a collection, or a data set of the catalogue.

    Attributes
    ----------
    spec, collection, group, name : str
        Its specification and the parts of it; the collection of a data set is "datasets".
    url : str
        Address of the compressed file.
    path : Path
        The file in the cache.
    sha256 : str
        What the catalogue says; empty for a graph of a collection.
    """

    spec: str
    collection: str
    group: str
    name: str
    url: str
    path: Path
    sha256: str = ""

    @property
    def checksum(self) -> Path:
        """The file with the SHA-256 of :attr:`path`; that of a data set is in the catalogue."""
        return self.path.with_name(f"{self.path.name}.sha256")

    def expected(self) -> str:
        """Return the SHA-256 that :attr:`path` must have, or "" if none is known."""
        try:
            return self.sha256 or self.checksum.read_text().split()[0]
        except (OSError, IndexError, ValueError):
            return ""


def is_remote(spec: str) -> bool:
    """Return whether a text names a graph of a collection.

    >>> is_remote("snap:com-dblp"), is_remote("rmat:scale=4")
    (True, False)
    """
    return spec.partition(":")[0] in PLACES and ":" in spec


def is_fetched(spec: str) -> bool:
    """Return whether a text names a graph of a collection, or a data set that is fetched.

    >>> is_fetched("insteval"), is_fetched("karate")
    (True, False)
    """
    return is_remote(spec) or (spec in catalogue() and bool(catalogue()[spec].url))


def at_hand(kind: str) -> tuple[str, ...]:
    """Return the names of those data sets of a kind that the package or the cache has.

    >>> at_hand("graph") == names("graph")
    True
    """
    return tuple(name for name in names(kind) if not is_fetched(name) or find(name).path.is_file())


def find(spec: str) -> Remote:
    """Return where a graph or a data set is in the network and in the cache.

    Raises
    ------
    GraphError
        The name has another form.

    Examples
    --------
    >>> find("suitesparse:SNAP/roadNet-CA").url
    'https://sparse.tamu.edu/MM/SNAP/roadNet-CA.tar.gz'
    """
    if not is_remote(spec):
        info = catalogue()[spec]
        path = cache_directory() / "datasets" / f"{spec}.csv"
        return Remote(spec, "datasets", "", spec, info.url, path, info.sha256)
    collection, _, words = spec.partition(":")
    match = _NAMES[collection].fullmatch(words)
    if match is None:
        form = "suitesparse:GROUP/NAME" if collection == "suitesparse" else "snap:NAME"
        raise GraphError(f"{spec!r} is no name of the collection; use {form}")
    group, name = match["group"], match["name"]
    address, variable = PLACES[collection]
    base = os.environ.get(variable, address).rstrip("/")
    folder = cache_directory() / collection
    if collection == "suitesparse":
        url, path = f"{base}/{group}/{name}.tar.gz", folder / group / f"{name}.mtx"
    else:
        # SNAP keeps graphs with known communities in a folder of their own.
        place = f"bigdata/communities/{name}.ungraph" if name.startswith("com-") else name
        url, path = f"{base}/{place}.txt.gz", folder / f"{name}.txt.gz"
    return Remote(spec, collection, group, name, url, path)


def cache_directory() -> Path:
    """Return the user's cache directory for fetched graphs."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "warplens" / "collections"


def local_file(
    spec: str, *, progress: Progress | None = None, cancel: Cancel | None = None
) -> Path:
    """Return the file of a graph in the cache; fetch it first if that is allowed.

    Raises
    ------
    GraphError
        The graph is not in the cache and may not be fetched, is not in the collection, is too
        large, cannot be fetched, or its file has changed.
    MissingDependency
        Fetching needs the package pooch.
    Cancelled
    """
    remote = find(spec)
    if not remote.path.is_file():
        if not _allowed:
            raise GraphError(
                f"{spec} is not in the cache, and this program fetches nothing from the network; "
                f"fetch it first (on the command line: warplens fetch {spec})"
            )
        _fetch(remote, progress, cancel)
    _verify(remote, progress, cancel)
    return remote.path


def _verify(remote: Remote, progress: Progress | None, cancel: Cancel | None) -> None:
    """Compare the file with its checksum; raise GraphError if they differ."""
    size, done, digest = remote.path.stat().st_size, 0, hashlib.sha256()
    with remote.path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            check(cancel)
            digest.update(chunk)
            done += len(chunk)
            if progress is not None:
                progress("checking", done, size)
    if digest.hexdigest() != remote.expected():
        known = "in the catalogue" if remote.sha256 else "beside it"
        raise GraphError(
            f"{remote.path} is not the file that was fetched: its SHA-256 differs from the one "
            f"{known}; remove it, then fetch {remote.spec} again"
        )


class _Watch:
    """Pooch's progress bar: reports bytes, ends a fetch that is cancelled or too large."""

    def __init__(self, remote: Remote, progress: Progress | None, cancel: Cancel | None) -> None:
        self._remote, self._progress, self._cancel = remote, progress, cancel
        self._done, self._whole = 0, 0

    @property
    def total(self) -> int:
        """Bytes of the file, 0 if the server does not say."""
        return self._whole

    @total.setter
    def total(self, size: int) -> None:
        self._whole = size
        _check_size(self._remote, size, self._remote.path.parent)

    def update(self, size: int) -> None:
        """Note that bytes have arrived."""
        check(self._cancel)
        self._done += size
        _check_size(self._remote, self._done, None)
        if self._progress is not None:
            self._progress(f"fetching {self._remote.name}", self._done, max(self._whole, 1))

    def reset(self) -> None:
        """Begin again at no bytes."""
        self._done = 0

    def close(self) -> None:
        """End; there is nothing to close."""


def _check_size(remote: Remote, size: int, folder: Path | None) -> None:
    """Raise GraphError if a file is larger than what may be fetched, or than the free space."""
    most = int(os.environ.get(MOST_VARIABLE, MOST_BYTES))
    if size > most:
        raise GraphError(
            f"{remote.spec} has more than {human_bytes(most)}, the most that is fetched; "
            f"set {MOST_VARIABLE} to a larger number of bytes to get it"
        )
    if folder is not None and size > shutil.disk_usage(folder).free:
        raise GraphError(f"{remote.spec} has {human_bytes(size)}, more than is free; {_FIX}")


def _fetch(remote: Remote, progress: Progress | None, cancel: Cancel | None) -> None:
    """Fetch, unpack and keep a graph; nothing is left after an error."""
    pooch = _pooch()
    folder = remote.path.parent
    make_directory(folder, GraphError, _FIX)
    name = f".{remote.name}.download"
    watch = _Watch(remote, progress, cancel)
    downloader = pooch.HTTPDownloader(progressbar=watch, timeout=TIMEOUT, chunk_size=_CHUNK)
    try:
        try:
            got = pooch.retrieve(remote.url, None, name, folder, downloader=downloader)
        except GraphError:
            raise
        except (OSError, ValueError) as error:  # errors of requests are OSErrors
            raise GraphError(_cause(remote, error)) from None
        try:
            _keep(remote, Path(got), progress, cancel)
        except (tarfile.TarError, EOFError, OSError, zlib.error) as error:
            raise GraphError(
                f"what {remote.url} sent is damaged or not complete ({error}); try again"
            ) from None
    finally:
        (folder / name).unlink(missing_ok=True)


def _pooch() -> Any:
    try:
        import pooch
    except ImportError:
        raise MissingDependency(
            f"fetching needs pooch; get it with: {install_hint('fetch')}"
        ) from None
    pooch.get_logger().setLevel("WARNING")
    return pooch


def _cause(remote: Remote, error: Exception) -> str:
    """Return why a graph cannot be fetched, and what helps."""
    answer = getattr(error, "response", None)
    if answer is not None and answer.status_code in (404, 410):
        return f"{remote.collection} has no {remote.spec.partition(':')[2]} ({remote.url})"
    if answer is not None:
        return f"{remote.url} answers with {answer.status_code}; try again later"
    elsewhere = f"can be kept as {remote.path}" if remote.sha256 else "can be loaded by its path"
    return (
        f"{remote.url} cannot be fetched ({type(error).__name__}); is there a network? The file "
        f"from elsewhere {elsewhere}"
    )


def _keep(remote: Remote, got: Path, progress: Progress | None, cancel: Cancel | None) -> None:
    """Check and unpack a fetched file, write it and its checksum."""
    digest = hashlib.sha256()
    with replacing(remote.path, GraphError, _FIX) as target:
        if remote.sha256:
            _copy_known(remote, got, target)
            return
        if remote.collection == "suitesparse":
            _unpack(remote, got, target, digest, progress, cancel)
        else:
            _copy_gzip(got, target, digest, cancel)
    with replacing(remote.checksum, GraphError, _FIX) as file:
        file.write(f"{digest.hexdigest()}  {remote.path.name}\n".encode())


def _copy_known(remote: Remote, got: Path, target: IO[bytes]) -> None:
    """Copy the file of a data set if it is the one of the catalogue."""
    data = got.read_bytes()
    if hashlib.sha256(data).hexdigest() != remote.sha256:
        raise EOFError("its SHA-256 differs from the one in the catalogue")
    target.write(data)


def _unpack(
    remote: Remote,
    got: Path,
    target: IO[bytes],
    digest: Any,
    progress: Progress | None,
    cancel: Cancel | None,
) -> None:
    """Copy ``NAME/NAME.mtx`` of an archive; the end of the archive is read too, for its CRC."""
    wanted, found = f"{remote.name}/{remote.name}.mtx", False
    with tarfile.open(got, "r:gz") as archive:
        for member in archive:
            check(cancel)
            if member.name != wanted or not member.isfile():
                continue
            found = True
            if member.size > shutil.disk_usage(got.parent).free:
                raise GraphError(
                    f"{remote.spec} has {human_bytes(member.size)} unpacked, more than is free; "
                    f"{_FIX}"
                )
            source, done = archive.extractfile(member), 0
            while source is not None and (chunk := source.read(_CHUNK)):
                check(cancel)
                target.write(chunk)
                digest.update(chunk)
                done += len(chunk)
                if progress is not None:
                    progress("unpacking", done, member.size)
            if done != member.size:
                raise EOFError("the archive ends early")
    if not found:
        raise GraphError(f"{remote.url} holds no {wanted}; it may not be a matrix")


def _copy_gzip(got: Path, target: IO[bytes], digest: Any, cancel: Cancel | None) -> None:
    """Copy a gzip file whose end and CRC are right."""
    expand = zlib.decompressobj(wbits=31)
    with got.open("rb") as file:
        while chunk := file.read(_CHUNK):
            check(cancel)
            target.write(chunk)
            digest.update(chunk)
            rest = chunk
            while rest and not expand.eof:
                expand.decompress(rest, _CHUNK * 16)
                rest = expand.unconsumed_tail
    expand.flush()
    if not expand.eof:
        raise EOFError("the file ends early")
