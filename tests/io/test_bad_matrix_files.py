"""Every kind of bad Matrix Market file gets one error with its name, line, cause and fix."""

import gzip
import re
import threading
import tracemalloc
import zlib

import numpy as np
import pytest

from gpucore.errors import Cancelled, GraphError
from gpucore.limits import Limits
from gpucore.loading import load, load_bytes

SYMMETRIC = "%%MatrixMarket matrix coordinate {} symmetric\n% comment\n4 4 3\n"
GENERAL = "%%MatrixMarket matrix coordinate {} general\n4 4 3\n"
REAL, PATTERN, INTEGER = (SYMMETRIC.format(field) for field in ("real", "pattern", "integer"))

# name: (text, what the error says after the file's name)
BODIES = {
    "too few": (REAL + "2 1 5\n3 1 5\n", "line 5: the file ends after 2 of the 3 entries .*trunc"),
    "too many": (REAL + "2 1 5\n3 1 5\n3 2 5\n4 2 5\n", "line 7: the size line declares 3 entries"),
    "cut in a line": (REAL + "2 1 5\n3 1 5\n4", "line 6: 3 numbers are expected here, there are 1"),
    "row too large": (
        REAL + "2 1 5\n5 1 5\n4 2 1\n",
        "line 5: row 5 is out of range, .* has 4 rows",
    ),
    "column too large": (GENERAL.format("pattern") + "2 1\n1 5\n1 2\n", "line 4: column 5 is out"),
    "row zero": (REAL + "2 1 5\n0 1 5\n4 2 1\n", "line 5: row 0 is out of range.* from 1"),
    "negative": (REAL + "2 1 5\n-1 1 5\n4 2 1\n", "line 5: row -1 is out of range"),
    "nan": (REAL + "2 1 5\n3 1 nan\n4 2 1\n", "line 5: the weight nan is not a finite number"),
    "inf": (REAL + "2 1 5\n3 1 -inf\n4 2 1\n", "line 5: the weight -inf is not a finite number"),
    "overflow": (REAL + "2 1 5\n3 1 1e999\n4 2 1\n", "line 5: the weight 1e999 is not a finite"),
    "word": (REAL + "2 1 5\nthree 1 5\n4 2 1\n", "line 5: 'three' is not a whole number"),
    "word as weight": (REAL + "2 1 5\n3 1 heavy\n4 2 1\n", "line 5: 'heavy' is not a number"),
    "digits and letters": (REAL + "2 1 5\n3 1 5x\n4 2 1\n", "line 5: '5x' is not a number"),
    "two points": (REAL + "2 1 5\n3 1 1.2.3\n4 2 1\n", "line 5: '1.2.3' is not a number"),
    "bare exponent": (REAL + "2 1 5\n3 1 5e\n4 2 1\n", "line 5: '5e' is not a number"),
    "hexadecimal": (REAL + "2 1 5\n3 1 0x10\n4 2 1\n", "line 5: '0x10' is not a number"),
    "underscore": (REAL + "2 1 5\n3 1 1_0\n4 2 1\n", "line 5: '1_0' is not a number"),
    "fraction in integers": (INTEGER + "2 1 5\n3 1 1.5\n4 2 1\n", "line 5: '1.5' is not a whole"),
    "fraction as row": (REAL + "2 1 5\n3.5 1 1\n4 2 1\n", "line 5: '3.5' is not a whole number"),
    "no weight": (REAL + "2 1 5\n3 1\n4 2 1\n", "line 5: 3 numbers are expected here, there are 2"),
    "weight in a pattern": (PATTERN + "2 1\n3 1 5\n4 2\n", "line 5: 2 numbers are expected here"),
    "two in a line": (PATTERN + "2 1\n3 1 4 1\n4 2\n", "line 5: 2 numbers .* there are 4"),
    "commas": (REAL + "2,1,5\n3,1,5\n4,2,1\n", "line 4: 3 numbers are expected here, there are 1"),
    "above the diagonal": (
        REAL + "2 1 5\n1 3 5\n4 2 1\n",
        "line 5: entry .1, 3. is above the diag",
    ),
    "asymmetric": (REAL + "2 1 5\n1 2 7\n4 2 1\n", "line 5: .* header must say general"),
    "skew diagonal": (
        GENERAL.format("real").replace("general", "skew-symmetric") + "2 1 5\n3 3 1\n4 2 1\n",
        "line 4: entry .3, 3. is on the diagonal, but a skew-symmetric file",
    ),
    "twice": (REAL + "2 1 5\n\n3 1 5\n2 1 5\n", "line 7: entry .2, 1. is given a second time.* 4"),
    "twice in general": (
        GENERAL.format("real") + "2 1 5\n1 2 5\n2 1 5\n",
        "line 5: entry .2, 1. is given a second time, after line 3",
    ),
    "huge integer": (INTEGER + f"2 1 5\n3 1 {10**20}\n4 2 1\n", "line 5: 10+ is too large for 64"),
    "huge row": (REAL + f"2 1 5\n{10**20} 1 1\n4 2 1\n", "line 5: row 10+ is out of range"),
    "bytes in a line": (
        REAL + "2 1 5\n3 \x01 5\n4 2 1\n",
        "line 5: it holds bytes that are not text",
    ),
}
HEADERS = {
    "another format": ("1 2\n2 3\n", "line 1: a Matrix Market file begins with %%MatrixMarket"),
    "few words": ("%%MatrixMarket matrix coordinate\n", "line 1: the header must read"),
    "vector": ("%%MatrixMarket vector coordinate real general\n", "line 1: the header must read"),
    "dense": (
        "%%MatrixMarket matrix array real general\n",
        "line 1: the layout is 'array'.*mmwrite",
    ),
    "complex": (
        "%%MatrixMarket matrix coordinate complex general\n",
        "line 1: .*'complex'.* absol",
    ),
    "field": (
        "%%MatrixMarket matrix coordinate quaternion general\n",
        "line 1: the field is 'quat",
    ),
    "symmetry": ("%%MatrixMarket matrix coordinate real hermitian\n", "line 1: the symmetry is"),
    "no sizes": ("%%MatrixMarket matrix coordinate real general\n% c\n", "line 2: .* size line"),
    "two sizes": (REAL.replace("4 4 3", "4 3"), "line 3: the size line must hold three whole num"),
    "word": (REAL.replace("4 4 3", "4 4 many"), "line 3: .* not '4 4 many'"),
    "negative": (REAL.replace("4 4 3", "4 4 -3"), "line 3: the size line must hold three whole"),
    "not square": (REAL.replace("4 4 3", "4 5 3"), "line 3: a symmetric matrix must be square, "),
    "huge sizes": (REAL.replace("4 4 3", f"{2**40} {2**40} 3"), "line 3: .* 32-bit integers"),
    "many vertices": (REAL.replace("4 4 3", "2000000000 2000000000 3"), "line 3: .* memory, more"),
    "many entries": (REAL.replace("4 4 3", f"4 4 {10**15}"), "line 3: 10+ entries are more than"),
}
LIMITS = Limits(max_bytes=1 << 30)


def refused(name, data, **options):
    """Return the one-line message with which the bytes are refused, without the name."""
    with pytest.raises(GraphError) as caught:
        load_bytes(name, data, limits=LIMITS, **options)
    message = str(caught.value)
    assert message.startswith(name)
    assert "\n" not in message
    return message.removeprefix(name)


@pytest.mark.parametrize("case", [*BODIES, *HEADERS])
@pytest.mark.parametrize("ending", [".mtx", ".mtx.gz"])
def test_text(case, ending):
    text, cause = (BODIES | HEADERS)[case]
    data = gzip.compress(text.encode()) if ending.endswith(".gz") else text.encode()
    message = refused(f"bad{ending}", data)
    assert re.match(f", {cause}", message), message


@pytest.mark.parametrize("case", BODIES)
def test_text_in_many_blocks(case, monkeypatch):
    """Lines are counted across blocks."""
    monkeypatch.setattr("gpucore.io.stream.BLOCK", 7)
    text, cause = BODIES[case]
    assert re.match(f", {cause}", refused("bad.mtx", text.encode()))


def test_plain_text_that_is_too_short_for_its_header():
    text = REAL.replace("4 4 3", "4 4 1000000") + "2 1 5\n"
    assert "declares 1,000,000 entries, but the file is too short" in refused(
        "short.mtx", text.encode()
    )


def test_empty():
    assert refused("empty.mtx", b"") == " is empty; a Matrix Market file begins with a header line"
    assert "is empty" in refused("empty.mtx.gz", gzip.compress(b""))


def test_binary_garbage():
    noise = np.random.default_rng(0).bytes(5000)
    assert "line 1: a Matrix Market file begins with" in refused("noise.mtx", noise)
    assert "line 1: the line is longer than" in refused("zeros.mtx", bytes(1 << 21))
    assert "unless it is a binary file" in refused("mixed.mtx", REAL.encode() + noise)


def star_text(repeat=1):
    rows = "".join(f"{row} 1\n" for row in range(2, 2 + 5000 * repeat))
    m = 5000 * repeat
    return (
        f"%%MatrixMarket matrix coordinate pattern symmetric\n{m + 1} {m + 1} {m}\n{rows}".encode()
    )


def test_truncated_gzip():
    data = gzip.compress(star_text())
    message = refused("cut.mtx.gz", data[: len(data) // 2])
    assert "the compressed data ends too early: the file is truncated, get it again" in message
    assert "after line 0" in message


def test_damaged_gzip():
    data = bytearray(gzip.compress(star_text()))
    data[len(data) // 2] ^= 0xFF
    assert "the compressed data is damaged" in refused("bad.mtx.gz", bytes(data))
    checksum = bytearray(gzip.compress(star_text()))
    checksum[-6] ^= 0xFF
    assert "the compressed data is damaged" in refused("bad.mtx.gz", bytes(checksum))
    trailing = gzip.compress(star_text()) + b"garbage"
    assert "the compressed data is damaged" in refused("bad.mtx.gz", trailing)


def test_several_gzip_members_are_one_text():
    text = star_text()
    parts = gzip.compress(text[:1000]) + gzip.compress(text[1000:])
    assert load_bytes("parts.mtx.gz", parts).num_edges == 5000


HEAD = b"%%MatrixMarket matrix coordinate pattern general\n"


def bomb(head, line, megabytes):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    parts = [packer.compress(head)]
    block = line * ((1 << 20) // len(line))
    parts += [packer.compress(block) for _ in range(megabytes)]
    return b"".join([*parts, packer.flush()])


@pytest.mark.parametrize("line", [b"% nothing\n", b"\n"])
def test_zip_bomb_before_the_sizes(line):
    message = refused("bomb.mtx.gz", bomb(HEAD, line, 64))
    assert "1048576 bytes of comments and blank lines, and no data yet" in message


@pytest.mark.parametrize("line", [b"% nothing\n", b"\n"])
def test_zip_bomb_after_the_sizes(line):
    data = bomb(HEAD + b"9 9 2\n1 1\n", line, 64)
    assert len(data) < 1 << 20
    assert "times its size, which no real graph does (a zip bomb?)" in refused("b.mtx.gz", data)


def test_zip_bomb_of_one_line():
    data = bomb(HEAD + b"9 9 2\n", b"1" * 1000, 64)
    assert "line 3: the line is longer than" in refused("b.mtx.gz", data)


def test_more_text_than_the_graph_can_need():
    limits = Limits(max_entries=10, max_ratio=1e9, max_bytes=1 << 20)
    with pytest.raises(GraphError, match=r"bytes of text are more than a graph of 10 entries"):
        load_bytes("b.mtx.gz", bomb(HEAD + b"9 9 2\n", b"\n", 66), limits=limits)


def test_missing_file_directory_and_no_graph_at_all(tmp_path):
    with pytest.raises(GraphError, match=r"there is no file .*nowhere.mtx; check its name"):
        load(tmp_path / "nowhere.mtx")
    (tmp_path / "folder.mtx").mkdir()
    with pytest.raises(GraphError, match=r"folder.mtx is a directory; name a file in it"):
        load(tmp_path / "folder.mtx")
    with pytest.raises(GraphError, match=r"neither a file, nor a data set .*karate.* generator"):
        load("karat")
    with pytest.raises(GraphError, match=r"format of .*graph.xyz is not known by its name"):
        (tmp_path / "graph.xyz").write_text("1 2\n")
        load(tmp_path / "graph.xyz")


def test_limits_are_checked_before_memory_is_taken():
    text = REAL.replace("4 4 3", "300000 300000 3").encode()
    with pytest.raises(GraphError, match=r"line 3: 300000 vertices are more than the 200000"):
        load_bytes("big.mtx", text, limits=Limits.public())
    text = REAL.replace("4 4 3", "3000 3000 2000000").encode()
    with pytest.raises(GraphError, match=r"line 3: 2000000 entries are more than the 1000000"):
        load_bytes("big.mtx", text, limits=Limits.public())
    with pytest.raises(GraphError, match=r"needs about .* of memory, more than the 200 B"):
        load_bytes("big.mtx", REAL.encode(), limits=Limits(max_bytes=200))


def test_progress_counts_compressed_bytes(tmp_path, monkeypatch):
    monkeypatch.setattr("gpucore.io.stream.BLOCK", 10_000)
    path = tmp_path / "star.mtx.gz"
    path.write_bytes(gzip.compress(star_text(10)))
    seen = []
    load(path, progress=lambda *step: seen.append(step))
    done = [step[1] for step in seen if step[0] == "reading"]
    assert len(done) > 10
    assert done == sorted(done)
    assert {step[2] for step in seen if step[0] == "reading"} == {path.stat().st_size}
    assert done[-1] == path.stat().st_size
    assert seen[-1] == ("building", 0, 0)


def test_cancel(monkeypatch):
    monkeypatch.setattr("gpucore.io.stream.BLOCK", 10_000)
    cancel = threading.Event()
    seen = []

    def progress(*step):
        seen.append(step)
        if len(seen) == 3:
            cancel.set()

    with pytest.raises(Cancelled):
        load_bytes("star.mtx", star_text(10), progress=progress, cancel=cancel)
    assert len(seen) == 3


def test_reading_takes_bounded_memory(monkeypatch):
    """Reading never holds the text: its peak is a small multiple of the graph."""
    block = 1 << 17
    monkeypatch.setattr("gpucore.io.stream.BLOCK", block)
    rng = np.random.default_rng(1)
    n, m = 10_000, 200_000
    ends = np.unique(np.sort(rng.integers(1, n + 1, (m, 2))), axis=0)
    lines = "\n".join(f"{v} {u} 0.12345678901234567890" for u, v in ends.tolist())
    head = f"%%MatrixMarket matrix coordinate real symmetric\n{n} {n} {len(ends)}\n"
    data = gzip.compress((head + lines).encode(), 1)
    text = len(lines)
    del lines
    tracemalloc.start()
    graph = load_bytes("big.mtx.gz", data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert graph.indices.size >= 2 * len(ends) - n
    reckoned = 48 * len(ends) + 40 * n  # by Limits
    assert peak < reckoned + 8 * block
    assert peak < graph.nbytes + text
