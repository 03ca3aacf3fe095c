"""Records in files: one ``.npz`` (a zip of NumPy arrays) with a JSON header inside.

A record may come from any source, so its file is not trusted: sizes are bounded before anything is
read, no array may hold Python objects, names and shapes are checked.
"""

from __future__ import annotations

import io
import json
import stat
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.lib import format as npy

from gpucore.archives import UnsoundArchive, enough_memory, opened, read_array_header
from gpucore.errors import ParameterError, RecordError
from gpucore.installing import update_hint
from gpucore.params import is_whole
from gpucore.saving import replacing

#: Version of the layout; increased when older readers would misread a record.
SCHEMA = 1
#: Tables of a record; all columns of a table have equal lengths.
TABLES = ("steps", "warps", "events")
#: Sets of state fields, one value a vertex.
STATES = ("initial", "final")
#: Header, and the columns of every table and set.
Parts = tuple[dict[str, Any], dict[str, dict[str, np.ndarray]]]
Tables = Mapping[str, Mapping[str, np.ndarray]]

HEADER = "header.json"
#: Parts whose names begin so belong to other readers of the file, and are passed over here.
BESIDE = "page/"
#: Largest unpacked size of a file, in bytes.
MAX_BYTES = 2 << 30
MAX_HEADER_BYTES = 4 << 20
MAX_MEMBERS = 256
CLOCKS = ("ns", "steps")
#: Required entries of the header and their types.
HEADER_TYPES: dict[str, type] = {
    "family": str,
    "algorithm": str,
    "variant": str,
    "params": dict,
    "graph": dict,
    "device": dict,
    "level": str,
    "lost": dict,
}


def save(header: Mapping[str, Any], columns: Tables, path: str | Path) -> None:
    """Write a record to a file; an existing file is replaced only by a complete one.

    Parameters
    ----------
    header : mapping
        See :attr:`gpucore.record.record.Record.header`.
    columns : mapping of str to mapping of str to ndarray
        Of :data:`TABLES` and :data:`STATES`.
    path : path
        Conventionally ending in ``.npz``; :func:`numpy.load` reads it too.

    Raises
    ------
    RecordError
        The file cannot be written, or the header is not JSON-able.
    """
    text = _as_json(header)
    with replacing(path, RecordError) as file:
        _write(text, columns, file)


def to_bytes(header: Mapping[str, Any], columns: Tables) -> bytes:
    """Return the file that :func:`save` writes."""
    file = io.BytesIO()
    _write(_as_json(header), columns, file)
    return file.getvalue()


def _as_json(header: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(header, allow_nan=False, indent=1).encode()
    except (TypeError, ValueError) as error:
        raise RecordError(f"the record's header cannot be written as JSON: {error}") from error


def _write(header: bytes, columns: Tables, file: IO[bytes]) -> None:
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(_member(HEADER), header)
        for table in (*TABLES, *STATES):
            for name, column in columns[table].items():
                with archive.open(_member(f"{table}/{name}.npy"), "w", force_zip64=True) as member:
                    npy.write_array(member, np.asarray(column), allow_pickle=False)


#: The reader of this text may be a visitor of a page, who cannot raise the limit.
_SMALLER = "a record of a smaller graph, or of counters without events, takes less"


def _member(name: str) -> zipfile.ZipInfo:
    """Return an archive entry without a date, so that equal records make equal files."""
    member = zipfile.ZipInfo(name)
    member.compress_type = zipfile.ZIP_DEFLATED
    return member


def read(path: str | Path, *, max_bytes: int = MAX_BYTES) -> Parts:
    """Read the parts of a record from an untrusted file.

    Parameters
    ----------
    path : path
        A file written by :func:`save`.
    max_bytes : int
        Largest unpacked size, in bytes.

    Returns
    -------
    header : dict
    columns : dict of str to dict of str to ndarray
        Of :data:`TABLES` and :data:`STATES`.

    Raises
    ------
    RecordError
        The file is missing, no record, damaged, too large, or of another schema version.
    """
    if not isinstance(path, str | Path):
        raise RecordError(f"a record is read from a file's name, not from {path!r}")
    if not is_whole(max_bytes) or max_bytes < 0:
        raise ParameterError(f"max_bytes is {max_bytes!r}; use an integer from 0 on")
    path = Path(path)
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise RecordError(f"{path} is no file of a record, but a directory, pipe or device")
        with path.open("rb") as stream:
            return _parts(stream, found.st_size, path.name, max_bytes)
    except OSError as error:
        raise RecordError(
            f"{path} cannot be read: {error.strerror or error}; check its name, or get it again"
        ) from error
    except RecordError:
        raise
    except ValueError as error:  # a null character
        raise RecordError(f"{path!r} is no name of a file: {error}") from error


def from_bytes(name: str, content: bytes, *, max_bytes: int = MAX_BYTES) -> Parts:
    """Read the parts of a record from the bytes of its file, as :func:`read` does."""
    return _parts(io.BytesIO(content), len(content), name, max_bytes)


def _parts(stream: IO[bytes], size: int, name: str, max_bytes: int) -> Parts:
    if size > max_bytes:
        raise RecordError(
            f"{name} has {size:,} bytes, more than the {max_bytes:,} that are allowed here; "
            f"{_SMALLER}"
        )
    try:
        with enough_memory(name, RecordError), opened(stream) as archive:
            return _read(archive, name, max_bytes)
    except UnsoundArchive as error:
        raise RecordError(
            f"{name} is no Warplens record, or it is damaged ({error}); make it again "
            "(on the command line: warplens run ... --record FILE)"
        ) from error


def _read(archive: zipfile.ZipFile, name: str, max_bytes: int) -> Parts:
    members = archive.infolist()
    if len(members) > MAX_MEMBERS:
        raise RecordError(
            f"{name} holds {len(members):,} parts; a record has at most {MAX_MEMBERS}"
        )
    total = sum(member.file_size for member in members)
    if total > max_bytes:
        raise RecordError(
            f"{name} unpacks to {total:,} bytes, more than the {max_bytes:,} that are allowed "
            f"here; {_SMALLER}"
        )
    header = _read_header(archive, name)
    parts: dict[str, dict[str, np.ndarray]] = {part: {} for part in (*TABLES, *STATES)}
    for member in members:
        if member.filename == HEADER or member.filename.startswith(BESIDE):
            continue
        part, _, column = member.filename.removesuffix(".npy").partition("/")
        if part not in parts or not column.isidentifier() or column in parts[part]:
            raise RecordError(f"{name} holds {member.filename!r}, which is no part of a record")
        with archive.open(member) as file:
            parts[part][column] = _read_column(file, member)
    _check_times(header, parts["events"], name)
    for table in ("warps", "events"):  # old records of one device have no ranks
        columns = parts[table]
        if columns and "rank" not in columns:
            columns["rank"] = np.zeros(len(next(iter(columns.values()))), np.int16)
    return header, parts


def _check_times(header: dict[str, Any], events: dict[str, np.ndarray], name: str) -> None:
    """Refuse decreasing times, and times without a unit in the header."""
    if "time" not in events:  # old records have none
        return
    time = events["time"]
    if not isinstance(header["clock"], dict) or header["clock"]["unit"] not in CLOCKS:
        raise RecordError(f"{name} has events with times in a unit that is not known")
    if time.dtype != np.int64 or np.any(time[:1] != 0) or np.any(time[1:] < time[:-1]):
        raise RecordError(f"{name} has events whose times go back; it is damaged, make it again")


def _read_header(archive: zipfile.ZipFile, name: str) -> dict[str, Any]:
    """Read the header and check version and types."""
    if archive.getinfo(HEADER).file_size > MAX_HEADER_BYTES:
        raise RecordError(f"{name} has a header of more than {MAX_HEADER_BYTES:,} bytes")
    header = json.loads(archive.read(HEADER))
    schema = header["schema"]
    if not isinstance(schema, int) or schema < 1:
        raise RecordError(f"{name} has the schema version {schema!r}, which never existed")
    if schema > SCHEMA:
        raise RecordError(
            f"{name} was written by a newer Warplens (schema {schema}, this one reads up to "
            f"{SCHEMA}); update this one (on the command line: {update_hint()})"
        )
    for key, kind in HEADER_TYPES.items():
        if not isinstance(header[key], kind):
            raise RecordError(f"{name} has a header in which {key!r} is no {kind.__name__}")
    lost, graph = header["lost"], header["graph"]
    if not isinstance(graph["name"], str) or not all(isinstance(graph[k], int) for k in ("n", "m")):
        raise RecordError(f"{name} has a header that does not describe its graph")
    if not all(isinstance(lost[key], int) and lost[key] >= 0 for key in ("events", "rows")):
        raise RecordError(f"{name} has a header whose 'lost' holds no counts")
    return header


def _read_column(file: IO[bytes], member: zipfile.ZipInfo) -> np.ndarray:
    """Read one array after checking its header against the size of the member."""
    shape, _, dtype = read_array_header(file)
    if len(shape) != 1 or dtype.kind not in "iuf":
        raise ValueError(f"{member.filename} is no column of numbers")
    if shape[0] * dtype.itemsize > member.file_size:
        raise ValueError(f"{member.filename} declares more numbers than it holds")
    data = file.read(shape[0] * dtype.itemsize)
    # The member is read to its end, where the checksum is verified.
    if len(data) < shape[0] * dtype.itemsize or file.read(1):
        raise ValueError(f"{member.filename} is cut short, or too long")
    return np.frombuffer(data, dtype).astype(dtype.newbyteorder("="))
