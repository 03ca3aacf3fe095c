"""Bad edge lists, METIS files and archives: one error each, with line, cause and fix."""

import gzip
import io as std_io
import re
import zipfile

import numpy as np
import pytest
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.io.files import save
from gpucore.limits import Limits
from gpucore.loading import load, load_bytes
from gpucore.problems.graph.convert import from_scipy

LIMITS = Limits(max_bytes=1 << 30)


def refused(name, data, **options):
    """Return the one-line message with which the bytes are refused, without the name."""
    options.setdefault("limits", LIMITS)
    with pytest.raises(GraphError) as caught:
        load_bytes(name, data, **options)
    message = str(caught.value)
    assert message.startswith(name)
    assert "\n" not in message
    return message.removeprefix(name)


LISTS = {
    "empty": (b"", {}, " holds no edges; a line of an edge list is 'u v .weight.'"),
    "comments": (b"# only\n\n# comments\n", {}, " holds no edges"),
    "titles": (b"source,target\n", {}, " holds no edges"),
    "one column": (b"1\n2\n", {}, ", line 1: 2 or 3 columns are expected"),
    "four columns": (b"1 2 3 4\n", {}, ", line 1: 2 or 3 columns .* there are 4"),
    "column missing": (b"1 2 5\n# c\n2 3\n", {}, ", line 3: 3 numbers are expected .* are 2"),
    "column more": (b"1 2\n2 3 9\n", {}, ", line 2: 2 numbers are expected here, there are 3"),
    "matrix": (b"0,2,5\n2,0,7\n5,7,0\n", {}, ": this looks like a matrix of three rows"),
    "directed matrix": (b"0 1 0\n0 0 1\n1 0 0\n", {}, ": this looks like a matrix"),
    "word": (b"a b\n1 2\nx 3\n", {}, ", line 3: 'x' is not a whole number"),
    "words": (b"source,target\n1,2\nc,d\n", {}, ", line 3: 'c' is not a whole number, as the"),
    "fraction": (b"1 2\n1.5 3\n", {}, ", line 2: '1.5' is not a whole number"),
    "weight": (b"1 2 3\n2 3 heavy\n", {}, ", line 2: 'heavy' is not a number"),
    "nan": (b"1 2 3\n\n2 3 nan\n", {}, ", line 3: the weight is not finite: '2 3 nan'"),
    "inf": (b"1 2 3\n2 3 1e399\n", {}, ", line 2: the weight is not finite"),
    "negative": (b"1 2\n2 -3\n", {}, ", line 2: a vertex number is negative: '2 -3'"),
    "not 1-based": (b"0 1\n", {"base": 1}, ": a vertex 0 occurs, so base=1 is wrong"),
    "no weights": (b"# c\n1 2\n", {"weights": True}, ", line 2: there is no third column"),
    "gaps": (b"1 5000000000\n", {"compact": False}, ": the largest vertex .* compact=True does"),
    "large": (b"1 2000000000\n", {"compact": False}, ": a graph of 2000000000 vertices .* memory"),
    "too long": (b"1 99999999999999999999\n", {}, ", line 1: 9+ is too large for a vertex"),
    "garbage": (bytes(range(256)) * 40, {}, ", line "),
    "text": (b"1 2\n2 \x003\n", {}, ", line 2: it holds bytes that are not text"),
    "latin": (b"1 2\n2 3\xff\n", {}, ", line 2: it holds bytes that are not text"),
    "limits": (
        b"1 2\n" * 2_000,
        {"limits": Limits(max_entries=1000)},
        ", line 1: 2000 entries are more than the 1000",
    ),
}


@pytest.mark.parametrize("case", LISTS)
def test_edge_lists(case):
    data, options, cause = LISTS[case]
    for name, stored in (("list.txt", data), ("list.txt.gz", gzip.compress(data))):
        message = refused(name, stored, **options)
        assert re.match(cause, message), message


def test_options():
    with pytest.raises(GraphError, match='base must be 0, 1 or "auto", not 2'):
        load_bytes("a.txt", b"1 2\n", base=2)
    with pytest.raises(GraphError, match="format metis has no option 'base'; it has none"):
        load_bytes("a.graph", b"1 0\n\n", base=0)
    with pytest.raises(GraphError, match="there is no format 'gml'; there are matrix_market"):
        load_bytes("a.gml", b"1 0\n\n", form="gml")


METIS = {
    "empty": (b"% only a comment\n", " is empty; a METIS file begins with 'vertices edges'"),
    "header": (b"3\n", ", line 1: the header must be 'vertices edges"),
    "word": (b"3 two\n", ", line 1: the header must be .* not '3 two'"),
    "format": (b"3 2 12\n", ", line 1: the format must be three digits 0 or 1, not '012'"),
    "few vertices": (b"3 1\n2\n1\n", ", line 3: the file ends after 2 of 3 vertices"),
    "many vertices": (
        b"2 1\n2\n1\n1\n",
        ", line 4: .* declares 2 vertices, here is one more",
    ),
    "few edges": (b"3 2\n2\n1\n\n", ", line 4: the header declares 2 edges, so .* there are 2;"),
    "many edges": (b"3 1\n2 3\n1\n1\n", ", line 1: the header declares 1 edge, .* more by line 4"),
    "range": (b"3 2\n2 4\n1\n1\n", ", line 2: neighbour 4 is out of range, .* 1 to 3"),
    "zero": (b"% c\n3 2\n2 3\n0\n1\n", ", line 4: neighbour 0 is out of range"),
    "negative": (b"3 2\n2 3\n-1\n1\n", ", line 3: neighbour -1 is out of range"),
    "fraction": (b"3 2\n2 3\n1.5\n1\n", ", line 3: neighbour 1.5 is out of range"),
    "token": (b"3 2\n2 3\n%c\n1\nx\n", ", line 5: 'x' is not a number"),
    "twisted": (b"3 2\n2 3\n1-1\n1\n", ", line 3: '1-1' is not a number"),
    "no weight": (b"3 2 1\n2 5 3\n1 5\n1 5\n", ", line 2: a neighbour has no weight"),
    "infinite": (b"2 1 1\n2 1e399\n1 1e399\n", ", line 2: 1e399 is too large"),
    "no vertex weight": (b"2 1 10\n1 2\n\n", ", line 3: 1 numbers of the vertex must precede"),
    "one direction": (b"%\n3 2\n2 3\n1\n2\n", ", line 3: vertex 1 lists the neighbour 3, but 3 d"),
    "other weight": (b"2 1 1\n2 5\n1 6\n", ", line 2: vertex 1 .* not list 1 equally; every edge"),
    "twice": (b"2 2\n2 2\n1 1\n", ", line 2: vertex 1 lists the neighbour 2 twice"),
    "gigantic": (b"2000000000 9\n", ", line 1: a graph of 2000000000 vertices .* memory"),
    "short": (
        b"1000 2000\n2\n",
        ", line 1: .* declares 1,000 vertices and 2,000 edges, but",
    ),
    "garbage": (b"2 1\n\xff\xfe\n1\n", ", line 2: .* is not a number"),
}


@pytest.mark.parametrize("case", METIS)
def test_metis(case):
    data, cause = METIS[case]
    message = refused("bad.graph", data)
    assert re.match(cause, message), message


def archive(compress=zipfile.ZIP_DEFLATED, **arrays):
    stream = std_io.BytesIO()
    with zipfile.ZipFile(stream, "w", compress) as packed:
        for name, array in arrays.items():
            member = std_io.BytesIO()
            if isinstance(array, bytes):
                member.write(array)
            else:
                np.save(member, array)
            packed.writestr(f"{name}.npy", member.getvalue())
    return stream.getvalue()


def own(**changes):
    stream = std_io.BytesIO()
    from gpucore.io.npz import save_npz

    save_npz(load("karate"), stream)
    arrays = dict(np.load(std_io.BytesIO(stream.getvalue())))
    arrays |= changes
    return archive(**{name: array for name, array in arrays.items() if array is not None})


def lying_header(shape):
    stream = std_io.BytesIO()
    np.lib.format.write_array_header_1_0(
        stream, {"descr": "<f8", "fortran_order": False, "shape": shape}
    )
    return stream.getvalue()


CSR = {
    "format": np.array(b"csr"),
    "shape": [2, 2],
    "indptr": [0, 1, 2],
    "indices": [1, 0],
    "data": [1.0, 1],
}
ARCHIVES = {
    "empty": (b"", " is not a sound .npz archive"),
    "garbage": (b"PK" + bytes(100), " is not a sound .npz archive"),
    "truncated": (own()[:-40], " is not a sound .npz archive"),
    "foreign": (archive(malware=np.zeros(3)), ": the archive holds 'malware.npy', which no graph"),
    "objects": (
        archive(header=np.array([{}], dtype=object)),
        ": the array 'header.npy' holds Python objects, which are never read",
    ),
    "no array": (archive(header=b"hello"), ": the array 'header.npy' has a bad header"),
    "lying size": (
        archive(header=lying_header((10**12,))),
        ": the array 'header.npy' declares 80+ bytes but holds another number",
    ),
    "incomplete": (own(indices=None), ": the archive is incomplete"),
    "no json": (own(header=np.zeros(3, np.uint8)), ": the archive is incomplete"),
    "other header": (
        own(header=np.frombuffer(b'{"format": "x", "version": 9, "name": "", "weighted": true,'
                                 b' "source": {}}', np.uint8)),
        ": the archive is x 9, this program reads warplens-graph 1",
    ),
    "no graph": (own(weights=np.full(156, np.nan, np.float32)), ": weights.0. = nan"),
    "asymmetric": (own(weights=np.arange(156.0)), ": the matrix is not symmetric"),
    "format": (archive(**CSR | {"format": np.array(b"bsr")}), ": the matrix is in format 'bsr'"),
    "shape": (archive(**CSR | {"shape": [2, 3]}), ": a graph takes a square matrix"),
    "range": (archive(**CSR | {"indices": [1, 7]}), ": the array 'indices' holds 7, which is more"),
    "indptr": (archive(**CSR | {"indptr": [0, 5, 2]}), ": the array 'indptr' holds 5, which"),
    "huge": (archive(**CSR | {"shape": [2**31, 2**31]}), ": .* vertices"),
    "complex": (archive(**CSR | {"data": [1j, 1j]}), ": w must be real numbers"),
    "missing": (archive(format=b"csr"), ": the array 'format.npy' has a bad header"),
}  # fmt: skip


@pytest.mark.parametrize("case", ARCHIVES)
def test_archives(case):
    data, cause = ARCHIVES[case]
    message = refused("bad.npz", data)
    assert re.match(cause, message), message


def test_archives_that_are_encrypted_or_packed_strangely():
    encrypted, strange = bytearray(own()), bytearray(own())
    place = encrypted.index(b"PK\x01\x02")
    for at, record in ((0, 6), (place, 8)):  # flags and method, in both headers of a member
        encrypted[at + record] |= 1
        strange[at + record + 2] = 99
    assert "is not a sound .npz archive" in refused("bad.npz", bytes(encrypted))
    assert "is not a sound .npz archive" in refused("bad.npz", bytes(strange))


def test_archives_that_are_bombs():
    data = own(coordinates=np.zeros((40_000_000, 1), np.uint8))
    assert len(data) < 1 << 20
    limits = Limits(max_bytes=64 << 20)
    assert "the archive holds 40" in refused("bomb.npz", data, limits=limits)
    message = refused("bomb.npz.gz", gzip.compress(bytes(64 << 20)), limits=limits)
    assert "(a zip bomb?)" in message or "needs more memory" in message


def test_intact_archives_of_the_same_making():
    assert load_bytes("good.npz", own()) == load("karate")
    assert load_bytes("good.npz", archive(**CSR)).num_edges == 1


def test_bad_saves(tmp_path):
    loop = from_scipy(sparse.eye_array(2))
    with pytest.raises(GraphError, match="METIS knows no self-loops"):
        save(loop, tmp_path / "loop.graph")
    with pytest.raises(GraphError, match="must end in a known format's ending"):
        save(loop, tmp_path / "loop.gml")
    with pytest.raises(GraphError, match="must end in a known format"):
        save(loop, tmp_path / "loop.npz.gz")
    with pytest.raises(GraphError, match=r"cannot be written"):
        save(loop, tmp_path / "nowhere" / "loop.mtx")


@pytest.mark.parametrize("kind", ["graph", "bipartite", "ratings"])
@pytest.mark.parametrize(
    ("spec", "options", "named"),
    [
        ("karate", {"base": 3}, "base"),
        ("path:n=3", {"form": "metis", "compact": True}, "form, compact"),
    ],
)
def test_only_files_take_options_of_formats(kind, spec, options, named):
    with pytest.raises(GraphError, match=f"^{spec} is no file, .*; leave out {named}$"):
        load(spec, kind, **options)
