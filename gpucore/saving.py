"""Write a file whole or not at all: into a temporary file beside it, which then takes its name.

A new folder vanishes too if what belongs in it cannot be written.

Only a new name or a regular file can be replaced in this way. Links, devices and pipes are refused:
the replacement would remove them.
"""

from __future__ import annotations

import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from gpucore.errors import GraphError, WarplensError
from gpucore.interrupts import before_end

_ELSEWHERE = "choose another place"
#: Temporary files and unfinished folders. A process that ends without unwinding removes them.
_parts: set[Path] = set()


@contextmanager
def replacing(
    path: str | Path, failure: type[WarplensError] = GraphError, fix: str = ""
) -> Iterator[BinaryIO]:
    """Open a new file; it replaces `path` at the end of the block, or vanishes after an error.

    Parameters
    ----------
    path : str or Path
        A new name, or a regular file.
    failure : type
        Error to raise if the file cannot be written.
    fix : str
        End of the error's text; by default that another place has to be chosen.

    Raises
    ------
    WarplensError
        `failure`, if the file cannot be written. An existing file is unchanged then.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with replacing(f"{folder}/note.txt") as file:
    ...         count = file.write(b"whole")
    ...     Path(f"{folder}/note.txt").read_text()
    'whole'
    """
    path = check_target(path, failure, fix)
    # A short name, because that of the file itself may have the greatest length already.
    part = path.with_name(f".{secrets.token_hex(8)}.part")
    _parts.add(part)
    try:
        with part.open("xb") as file:
            yield cast("BinaryIO", file)
            file.flush()
            os.fsync(file.fileno())  # some disks report only now that they are full
        with suppress(OSError):  # there is no old file, or its place has no permissions
            part.chmod(stat.S_IMODE(path.stat().st_mode))
        check_target(path, failure, fix)
        part.replace(path)
    except OSError as error:
        raise _failed(path, failure, error.strerror or str(error), fix) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        _parts.discard(part)


def check_target(
    path: str | Path, failure: type[WarplensError] = GraphError, fix: str = ""
) -> Path:
    """Return the path if a file can be written there, else raise `failure`.

    Examples
    --------
    >>> check_target("/dev/null")
    Traceback (most recent call last):
    gpucore.errors.GraphError: /dev/null cannot be written: it is a device, which a file would \
replace; choose another place
    """
    if not isinstance(path, str | Path):
        raise failure(f"a file's name must be a text or a path, not {path!r}")
    path = Path(path)
    try:
        cause = _obstacle(path)
    except OSError as error:
        cause = error.strerror or str(error)
    except ValueError as error:  # a null character
        cause = str(error)
    if cause:
        raise _failed(path, failure, cause, fix)
    return path


def is_same(path: str | Path, other: str | Path) -> bool:
    """Return whether two paths are of one file, which need not be there yet.

    Examples
    --------
    >>> is_same("a.npz", "./a.npz"), is_same("a.npz", "b.npz")
    (True, False)
    """
    try:
        one, two = Path(path), Path(other)
        return one.resolve() == two.resolve() or (one.exists() and one.samefile(two))
    except (OSError, ValueError, RuntimeError):  # no file can have such a name
        return False


def cache_folder() -> Path:
    """Return the folder of what is made or fetched once; WARPLENS_CACHE names another one."""
    named = os.environ.get("WARPLENS_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(named) if named else Path(base) / "warplens" / "labs"


def make_directory(path: str | Path, failure: type[WarplensError], fix: str = "") -> Path:
    """Return the path of a directory, made if it is missing; else raise `failure`."""
    path = Path(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or str(error)
        text = f"the directory {path} cannot be made: {cause}; {fix or _ELSEWHERE}"
        raise failure(text) from None
    return path


@contextmanager
def new_folder(path: str | Path, failure: type[WarplensError], fix: str = "") -> Iterator[Path]:
    """Make a folder for files that are written in the block; after an error a new one vanishes.

    A folder that was there before stays, with the files that were written whole.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as top:
    ...     try:
    ...         with new_folder(f"{top}/a/b", GraphError) as folder:
    ...             raise GraphError(f"{folder.name} cannot be filled")
    ...     except GraphError as error:
    ...         print(error, list(Path(top).iterdir()))
    b cannot be filled []
    """
    path = Path(path)
    missing = [folder for folder in (path, *path.parents) if not os.path.lexists(folder)]
    _parts.update(missing[-1:])
    try:
        yield make_directory(path, failure, fix)
    except BaseException:
        for folder in missing[-1:]:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    finally:
        _parts.difference_update(missing[-1:])


def _obstacle(path: Path) -> str:
    """Return why a file at `path` cannot be made or replaced; empty if it can."""
    folder = path.absolute().parent
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        mode = 0
    if stat.S_ISLNK(mode):
        return f"it is a symbolic link to {os.readlink(path)}, which a file would replace"  # noqa: PTH115
    if stat.S_ISDIR(mode):
        return "it is a directory"
    if mode and not stat.S_ISREG(mode):
        return f"it is a {_node(mode)}, which a file would replace"
    if mode and not os.access(path, os.W_OK):
        return "it is write-protected"
    if not folder.is_dir():
        return "its directory does not exist"
    return "" if os.access(folder, os.W_OK | os.X_OK) else "its directory is write-protected"


def _node(mode: int) -> str:
    if stat.S_ISFIFO(mode):
        return "pipe"
    return "socket" if stat.S_ISSOCK(mode) else "device"


def _failed(path: Path, failure: type[WarplensError], cause: str, fix: str) -> WarplensError:
    return failure(f"{path} cannot be written: {cause}; {fix or _ELSEWHERE}")


def remove_parts() -> None:
    """Remove what this process has not finished; for the moment before it ends at once."""
    for part in list(_parts):
        if part.is_dir():
            shutil.rmtree(part, ignore_errors=True)
        with suppress(OSError):
            part.unlink(missing_ok=True)


before_end.append(remove_parts)
