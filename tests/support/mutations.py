"""Random changes of files: of their bytes, of JSON in them, of NumPy arrays, of zip archives."""

from __future__ import annotations

import io
import json
import re
import warnings
import zipfile
from random import Random
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.lib import format as npy

#: Names that would run, break out of their place, or change how a page reads.
NAMES = (
    "",
    "<script>window.__pwned = 1</script>",
    "</script><script>window.__pwned = 1</script>",
    "<img src=x onerror='window.__pwned = 1'>",
    "\"'><svg onload=window.__pwned=1>",
    "../../etc/passwd",
    "/etc/passwd",
    "{{7*7}}${7*7}`",
    "\u202etxt.exe\u2066 \x00\x1b[2J\n",
    "\ud83d\ude00 é \ufffd",
    "x" * 10_000,
)
NUMBERS = (
    0, 1, -1, 2, 31, 32, 127, 255, 2**15, 2**31 - 1, -(2**31), 2**32, 2**53, 2**63, -(2**63),
    10**30, 0.5, -0.0, 1e308, float("nan"), float("inf"), float("-inf"),
)  # fmt: skip
TYPES = (
    "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", "f4", "f8", ">i4", ">f8", "?", "c8", "S3",
    "U2", "O", "M8[s]", "V4", [("x", "i4")],
)  # fmt: skip


def noise(random: Random, data: bytes) -> bytes:
    """Return bytes with random changes: flips, cuts, repeats, insertions."""
    found = bytearray(data)
    for _ in range(random.choice((1, 1, 2, 8, 40))):
        at = random.randrange(len(found) + 1)
        length = random.choice((1, 1, 4, 64, 1000))
        kind = random.randrange(5)
        if kind == 0 and at < len(found):
            found[at] ^= 1 << random.randrange(8)
        elif kind == 1:
            del found[at : at + length]
        elif kind == 2:
            found[at:at] = found[at : at + length]
        elif kind == 3:
            found[at:at] = random.randbytes(length)
        else:
            found[at : at + length] = bytes([random.choice((0, 32, 48, 255))]) * length
    return bytes(found)


def value(random: Random, depth: int = 0) -> Any:
    """Return a random JSON value."""
    kind = random.randrange(8 if depth < 3 else 5)
    if kind < 2:
        return random.choice(NUMBERS)
    if kind < 4:
        return random.choice(NAMES)
    if kind == 4:
        return random.choice((None, True, False))
    if kind == 5:
        return [value(random, depth + 1) for _ in range(random.choice((0, 1, 2, 5)))]
    if kind == 6:
        return {str(value(random, 3)): value(random, depth + 1) for _ in range(random.randrange(4))}
    return nested(random.choice((5, 50, 5000)))


def nested(depth: int) -> Any:
    """Return lists in lists."""
    found: Any = 0
    for _ in range(depth):
        found = [found]
    return found


def change(random: Random, given: Any) -> Any:
    """Return a JSON value in which one place has changed."""
    if isinstance(given, dict) and given and random.random() < 0.9:
        key = random.choice(list(given))
        kind = random.randrange(8)
        if kind == 0:
            return {name: item for name, item in given.items() if name != key}
        if kind == 1:
            return {**given, random.choice(NAMES): value(random)}
        return {**given, key: change(random, given[key])}
    if isinstance(given, list) and given and random.random() < 0.8:
        at = random.randrange(len(given))
        kind = random.randrange(6)
        if kind == 0:
            return given[:at] + given[at + 1 :]
        if kind == 1:
            return [*given, *given[at:]]
        return [*given[:at], change(random, given[at]), *given[at + 1 :]]
    if isinstance(given, int) and not isinstance(given, bool) and random.random() < 0.5:
        return given + random.choice((-1, 1, 2, 1000, -(10**6)))
    return value(random)


def to_json(given: Any) -> bytes:
    """Return a value as JSON, also one that is nested too deeply for Python to write."""
    try:
        return json.dumps(given).encode("utf-8", "surrogatepass")
    except RecursionError:
        return b'{"nested": ' + b"[" * 5000 + b"]" * 5000 + b"}"


def change_array(random: Random, array: np.ndarray) -> np.ndarray:
    """Return an array with other numbers, of another type, or in another shape."""
    kind = random.randrange(10)
    if kind < 5 and array.size and array.dtype.kind in "iuf":
        found = array.copy()
        flat = found.reshape(-1)
        for _ in range(random.choice((1, 1, 3, min(flat.size, 1000)))):
            at = random.randrange(flat.size)
            with np.errstate(all="ignore"):
                number = np.array([random.choice(NUMBERS)], dtype=object)
                try:
                    flat[at] = number.astype(array.dtype)[0]
                except (OverflowError, ValueError):
                    flat[at] = np.iinfo(array.dtype).max if array.dtype.kind in "iu" else np.inf
        return found
    if kind == 5:
        try:
            with np.errstate(all="ignore"):
                return array.astype(random.choice(TYPES))
        except (TypeError, ValueError, OverflowError):
            return array
    if kind == 6:
        return array[: random.randrange(array.size + 1)] if array.ndim == 1 else array.reshape(-1)
    if kind == 7:
        return np.resize(array, random.choice(((), (0,), (2, 2), array.size + 1, 3 * array.size)))
    if kind == 8 and array.size:
        return array.reshape(1, -1) if random.random() < 0.5 else np.roll(array, 1)
    return np.array(array[::-1]) if array.ndim == 1 else array


def packed(array: np.ndarray) -> bytes:
    """Return an array as an ``.npy`` file."""
    stream = io.BytesIO()
    npy.write_array(stream, array, allow_pickle=True)
    return stream.getvalue()


def header_of(shape: tuple[int, ...], kind: str = "<i4") -> bytes:
    """Return the beginning of an ``.npy`` file, which declares more than it holds."""
    stream = io.BytesIO()
    npy.write_array_header_2_0(stream, {"descr": kind, "fortran_order": False, "shape": shape})
    return stream.getvalue() + bytes(16)


def members_of(content: bytes) -> dict[str, bytes]:
    """Return the parts of an archive."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def archive_of(members: list[tuple[str, bytes]], compress: bool = True) -> bytes:
    """Return an archive; names may occur twice."""
    stream = io.BytesIO()
    kind = zipfile.ZIP_DEFLATED if compress else zipfile.ZIP_STORED
    with zipfile.ZipFile(stream, "w", kind) as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of names that occur twice
        for name, data in members:
            info = zipfile.ZipInfo(name or "x")
            info.compress_type = kind
            archive.writestr(info, data)
    return stream.getvalue()


def change_archive(random: Random, members: dict[str, bytes]) -> bytes:
    """Return an archive of NumPy arrays, and perhaps JSON, with some changes."""
    parts = list(members.items())
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        _change_member(random, parts)
    content = archive_of(parts, compress=random.random() < 0.9)
    return noise(random, content) if random.random() < 0.1 else content


def _change_member(random: Random, parts: list[tuple[str, bytes]]) -> None:
    at = random.randrange(len(parts))
    texts = [k for k, (name, _) in enumerate(parts) if name.endswith(".json")]
    if texts and random.random() < 0.4:
        at = texts[0]
    name, data = parts[at]
    kind = random.randrange(14)
    if kind == 0:
        del parts[at : at + (len(parts) > 1)]
    elif kind == 1:
        parts.append((name, data))
    elif kind == 2:
        folder, _, last = name.rpartition("/")
        other = f"{folder}/{random.choice(NAMES)[:200]}.npy"
        names = [f"../{name}", f"/{name}", f"{name}/", last, other]
        parts[at] = (clean(random.choice(names)), data)
    elif kind == 3:
        parts[at] = (name, noise(random, data))
    elif kind == 4:
        shape = random.choice([(10**12,), (2**62,), (2**31, 2**31), (-1,), (10**6,), ()])
        parts[at] = (name, header_of(shape, random.choice(["<i4", "<f8", "|O", "<U1000000"])))
    elif kind == 5:
        parts[at] = (name, header_of((4 * 10**6,))[:-16] + bytes(16 * 10**6))  # a small zip bomb
    else:
        try:
            if name.endswith(".json"):
                parts[at] = (name, to_json(change(random, json.loads(data))))
                return
            array = npy.read_array(io.BytesIO(data), allow_pickle=False)
            parts[at] = (name, packed(change_array(random, array)))
        except (ValueError, EOFError, OSError, MemoryError, RecursionError, TokenError):
            # It has been changed before.
            parts[at] = (name, noise(random, data))


def clean(name: str) -> str:
    """Return a name that Python's zip files can hold."""
    return name.encode("utf-8", "replace").decode()


TOKENS = (
    b"0", b"-1", b"1", b"2147483647", b"2147483648", b"99999999999999999999", b"1e309", b"nan",
    b"-inf", b"0x10", b"1_000", b"1.5", b"", b"%", b"#", b'"', b"'", b",", b"\t", b"\r", b"\x00",
    b"\xff", b"\xef\xbb\xbf", "\u0661".encode(), b"<script>", b"x" * 5000, b"9" * 5000,
)  # fmt: skip


def change_text(random: Random, data: bytes) -> bytes:
    """Return a text in which some words or lines have changed."""
    if random.random() < 0.2:
        return noise(random, data)
    for _ in range(random.choice((1, 1, 2, 5))):
        if random.random() < 0.7:
            words = re.split(rb"([\s,:\[\]]+)", data)
            at = random.randrange(len(words))
            words[at] = random.choice((*TOKENS, random.choice(words)))
            data = b"".join(words)
        else:
            lines = data.splitlines(keepends=True) or [b""]
            at, to = random.randrange(len(lines)), random.randrange(len(lines) + 1)
            line = lines.pop(at) if random.random() < 0.5 else lines[at]
            lines[to:to] = [line] * random.choice((0, 1, 1, 2, 300))
            data = b"".join(lines)[: 1 << 20]
    return data
