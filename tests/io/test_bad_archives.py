"""NumPy archives with indices, sizes or headers that no sound one has, and files that fail."""

import io
import json
import os
import re
import subprocess
import sys
import zipfile

import numpy as np
import pytest

import gpucore
from gpucore.errors import GraphError
from gpucore.io.npz import save_npz
from gpucore.limits import Limits
from gpucore.loading import load, load_bytes
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.preferences.load import load_preferences
from gpucore.problems.roommates.load import load_roommates

KINDS = ("graph", "bipartite", "preferences", "ratings")
COO = {
    "format": np.array(b"coo"),
    "shape": np.array([3, 3]),
    "row": np.array([0]),
    "col": np.array([1]),
    "data": np.array([1.0]),
}
CSR = {
    "format": np.array(b"csr"),
    "shape": np.array([2, 2]),
    "indices": np.array([1, 0]),
    "indptr": np.array([0, 1, 2]),
    "data": np.array([1.0, 1.0]),
}
COO_CASES = {
    "row fraction": ({"row": [0.5]}, "'row' holds float64, not whole numbers"),
    "row real": ({"row": [1.0]}, "'row' holds float64, not whole numbers"),
    "row bool": ({"row": [True]}, "'row' holds bool, not whole numbers"),
    "row text": ({"row": ["1"]}, "'row' holds <U1, not whole numbers"),
    "row complex": ({"row": [1j]}, "'row' holds complex128, not whole numbers"),
    "row negative": ({"row": [-1]}, "'row' holds -1, which is out of range"),
    "row large": ({"row": [3]}, "'row' holds 3, which is more than 2"),
    "row huge": ({"row": np.array([2**63], np.uint64)}, "'row' holds 9223372036854775808, which"),
    "row flat": ({"row": [[0]]}, r"'row' has shape \(1, 1\), but one dimension"),
    "row scalar": ({"row": 0}, r"'row' has shape \(\), but one dimension"),
    "row long": ({"row": [0, 1]}, "'row' has 2 numbers, not 1"),
    "row missing": ({"row": None}, "'row' is missing"),
    "col large": ({"col": [7]}, "'col' holds 7, which is more than 2"),
    "data text": ({"data": ["x"]}, "'data' holds <U1, not numbers"),
    "data date": ({"data": np.array(["2020"], "M8[Y]")}, r"'data' holds datetime64\[Y\], not numb"),
    "shape fraction": ({"shape": [3.5, 3.5]}, "'shape' holds float64, not whole numbers"),
    "shape text": ({"shape": ["3", "3"]}, "'shape' holds <U1, not whole numbers"),
    "shape negative": ({"shape": [-3, 3]}, "'shape' holds -3, which is out of range"),
    "shape short": ({"shape": [3]}, "'shape' has 1 numbers, not 2"),
    "shape long": ({"shape": [3, 3, 3]}, "'shape' has 3 numbers, not 2"),
    "shape scalar": ({"shape": 3}, r"'shape' has shape \(\)"),
    "shape huge": ({"shape": [2**62, 2**62]}, "vertices are more than"),
    "shape large": ({"shape": [2**29, 2**29]}, "needs about .* of memory"),
    "format missing": ({"format": None}, "'format' is missing"),
    "format number": ({"format": 3}, "'format' is missing, or it is no word"),
    "format two": ({"format": [b"coo", b"coo"]}, "'format' is missing, or it is no word"),
    "format bytes": ({"format": np.array(b"\xff")}, "the matrix is in format"),
    "dia": ({"format": np.array(b"dia")}, "in format 'dia'; save matrix.tocoo"),
    "bsr": ({"format": np.array(b"bsr")}, "in format 'bsr'; save matrix.tocoo"),
}
CSR_CASES = {
    "indptr fraction": ({"indptr": [0, 0.5, 2]}, "'indptr' holds float64, not whole numbers"),
    "indptr text": ({"indptr": ["0", "1", "2"]}, "'indptr' holds <U1, not whole numbers"),
    "indptr negative": ({"indptr": [0, -1, 2]}, "'indptr' holds -1, which is out of range"),
    "indptr falling": ({"indptr": [0, 2, 1]}, "'indptr' must rise from 0 to .* .2. without"),
    "indptr short": ({"indptr": [0, 2]}, "'indptr' has 2 numbers, not 3"),
    "indptr long": ({"indptr": [0, 1, 2, 2]}, "'indptr' has 4 numbers, not 3"),
    "indptr begin": ({"indptr": [1, 1, 2]}, "'indptr' must rise from 0"),
    "indptr end": ({"indptr": [0, 1, 3]}, "'indptr' holds 3, which is more than 2"),
    "indptr empty": ({"indptr": []}, "'indptr' has 0 numbers, not 3"),
    "indices fraction": ({"indices": [1.5, 0.0]}, "'indices' holds float64, not whole numbers"),
    "indices bool": ({"indices": [True, False]}, "'indices' holds bool, not whole numbers"),
    "indices negative": ({"indices": [-1, 0]}, "'indices' holds -1, which is out of range"),
    "indices large": ({"indices": [2, 0]}, "'indices' holds 2, which is more than 1"),
    "indices short": ({"indices": [1]}, "'indices' has 1 numbers, not 2"),
    "data short": ({"data": [1.0]}, "'indices' has 2 numbers, not 1"),
    "data flat": ({"data": [[1.0, 2.0]]}, r"'data' has shape \(1, 2\)"),
    "shape huge": ({"shape": [2**40, 2]}, "vertices are more than"),
}
CSC = CSR | {"format": np.array(b"csc")}
CASES = {
    f"{base['format'].item().decode()} {name}": (base | changes, cause)
    for base, cases in ((COO, COO_CASES), (CSR, CSR_CASES), (CSC, CSR_CASES))
    for name, (changes, cause) in cases.items()
}
LIMITS = Limits(max_bytes=1 << 30)


def archive(arrays):
    buffer = io.BytesIO()
    np.savez(buffer, **{key: np.asarray(a) for key, a in arrays.items() if a is not None})
    return buffer.getvalue()


def refused(data, kind="graph", limits=LIMITS):
    with pytest.raises(GraphError, match=r"^bad\.npz") as caught:
        load_bytes("bad.npz", data, kind, limits=limits)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_matrices_of_scipy(case, kind):
    arrays, cause = CASES[case]
    message = refused(archive(arrays), kind)
    assert re.search(cause, message), message


def test_the_same_matrices_when_they_are_sound():
    for arrays in (COO, CSR, CSC):
        assert load_bytes("good.npz", archive(arrays)).num_edges == 1


def header_of(shape, dtype="<i4", data=b""):
    """Return an array whose header declares anything."""
    text = f"{{'descr': {dtype!r}, 'fortran_order': False, 'shape': {shape}, }}".encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


HEADERS = {
    "negative": ("(-1, -1)", "<i4", bytes(4)),
    "two negatives": ("(-2, -3)", "<i4", bytes(24)),
    "empty and huge": (f"(0, {10**30})", "<i4", b""),
    "empty and large": (f"(0, {2**62})", "<i4", b""),
    "huge": (f"({10**40},)", "<i4", b""),
    "bool": ("(True,)", "<i4", bytes(4)),
    "no bytes": ("(1000000000000,)", "|V0", b""),
    "empty texts": ("(10,)", "|S0", b""),
    "arrays in it": ("(1,)", ("<i4", (2,)), bytes(8)),
    "many dimensions": (f"({'1,' * 70})", "<i4", bytes(4)),
    "nested": ("(" * 500, "<i4", b""),
    "signs": (f"({'-' * 9000}1,)", "<i4", bytes(4)),
}


def zipped(members, compression=zipfile.ZIP_STORED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as file:
        for name, data in members.items():
            file.writestr(f"{name}.npy", data)
    return buffer.getvalue()


def array_bytes(array):
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


MEMBERS = {name: array_bytes(array) for name, array in COO.items()}


@pytest.mark.parametrize("case", HEADERS)
def test_headers_of_arrays(case):
    message = refused(zipped(MEMBERS | {"row": header_of(*HEADERS[case])}))
    assert "'row.npy' has a bad header" in message or "maximum supported dimension" in message


@pytest.mark.parametrize("compression", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_only_the_usual_compressions_are_read(compression):
    assert "unknown compression" in refused(zipped(MEMBERS, compression))


@pytest.mark.parametrize("compression", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_damaged_archives(compression):
    data = zipped(MEMBERS, compression)
    rng = np.random.default_rng(1)
    for _ in range(300):
        changed = bytearray(data)
        for _ in range(rng.integers(1, 4)):
            changed[rng.integers(len(data))] = rng.integers(256)
        for kind in KINDS:
            try:
                load_bytes("bad.npz", bytes(changed), kind, limits=LIMITS)
            except GraphError as error:
                assert str(error)


TIGHT = """
import resource, sys
from pathlib import Path
import gpucore.problems.graph.load
from gpucore.loading import load
from gpucore.record import Record
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (2 << 20),) * 2)
for read in (load, Record.load):
    try:
        read(sys.argv[1])
    except ValueError as error:
        print(type(error).__name__, error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit of memory")
def test_too_little_memory_is_not_called_damage(tmp_path):
    path = tmp_path / "large.npz"
    np.savez_compressed(path, header=np.zeros(64 << 20, np.uint8))
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:  # what a record begins with
        archive.writestr("header.json", b" " * (4 << 20))
    ran = subprocess.run(
        [sys.executable, "-c", TIGHT, path], capture_output=True, text=True, timeout=120
    )
    assert ran.returncode == 0, ran.stderr
    for kind, line in zip(("GraphError", "RecordError"), ran.stdout.splitlines(), strict=True):
        assert line.startswith(f"{kind} ")
        assert "large.npz: there is not enough memory to read it" in line


def own(**changes):
    """Return an archive of ours with arrays replaced; `header` changes parts of its header."""
    buffer = io.BytesIO()
    save_npz(gpucore.load("karate"), buffer)
    arrays = dict(np.load(io.BytesIO(buffer.getvalue())))
    header = json.loads(arrays["header"].tobytes()) | changes.pop("header", {})
    arrays |= {"header": packed(header), **changes}
    return archive(arrays)


def packed(value):
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


@pytest.mark.parametrize(
    "changes",
    [
        {"names": packed(3)},
        {"names": packed([1] * 34)},
        {"names": packed({str(i): 1 for i in range(34)})},
        {"names": np.frombuffer(b"[" * 5000, np.uint8)},
        {"header": {"name": 3}},
        {"header": {"num_rows": "x"}},
        {"header": {"num_rows": 10**30}},
        {"coordinates": np.array(["x"])},
        {"coordinates": np.zeros((34, 2), complex)},
        {"coordinates": np.zeros((34, 2), "M8[D]")},
        {"indptr": np.array([0.5])},
        {"indices": np.array(["x"])},
    ],
)
def test_our_own_archives(changes):
    refused(own(**changes))


def test_limits_hold_for_our_own_archives():
    many = {"indptr": np.zeros(300_001, np.int64), "indices": np.zeros(0, np.int32)}
    data = own(**many, weights=np.zeros(0, np.float32))
    assert "300000 vertices are more than" in refused(data, limits=Limits.public())


LOADERS = (load, load_bipartite, load_preferences, load_roommates)
ENDINGS = (".npz", ".mtx", ".txt", ".graph", ".json", ".csv", "")


@pytest.mark.parametrize("loader", LOADERS)
def test_files_that_fail_while_they_are_read(loader, tmp_path, monkeypatch):
    """A disk that fails: the first bytes can be read, the others not."""

    def readinto(self, buffer):
        if self.tell() >= 1 << 10:
            raise OSError(5, "Input/output error")
        return io.FileIO.readinto(self, memoryview(buffer)[: 1 << 10])

    monkeypatch.setattr("gpucore.io.stream._File.readinto", readinto)
    for ending in ENDINGS:
        path = tmp_path / f"bad{ending}"
        path.write_bytes(b"% a comment\n" * 1000 if ending != ".npz" else archive(CSR) * 2)
        with pytest.raises(GraphError, match=r"bad"):
            loader(path)


@pytest.mark.skipif(sys.platform != "linux", reason="reads a file that always fails")
@pytest.mark.parametrize("loader", LOADERS)
def test_files_that_cannot_be_read_at_all(loader, tmp_path):
    for ending in ENDINGS:
        path = tmp_path / f"bad{ending}"
        path.symlink_to("/proc/self/mem")
        with pytest.raises(GraphError, match=r"reading .* failed: Input/output error; copy"):
            loader(path)


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize("ending", ENDINGS)
def test_what_is_no_file(loader, ending, tmp_path):
    os.mkfifo(tmp_path / f"pipe{ending}")  # opening it would wait for ever
    with pytest.raises(GraphError, match="a pipe or a device"):
        loader(tmp_path / f"pipe{ending}")
    (tmp_path / f"directory{ending}").mkdir()
    with pytest.raises(GraphError, match="is a directory"):
        loader(tmp_path / f"directory{ending}")
    for name in ("x" * 300, "a\0b"):
        with pytest.raises(GraphError):
            loader(f"{tmp_path}/{name}{ending}")
