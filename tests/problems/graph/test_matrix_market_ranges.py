"""Each rank reads a range of a Matrix Market file; together they have the ordinary graph."""

import gzip
import itertools

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gpucore import datasets
from gpucore.errors import GraphError
from gpucore.io.ranges import RangeReader, line_starts
from gpucore.io.stream import Source
from gpucore.loading import load, load_bytes
from gpucore.problems.graph import prepare
from gpucore.problems.graph.distributed.matrix_market import read_part
from gpucore.problems.graph.distributed.prepare import for_matching, row_numbers
from gpucore.problems.graph.part import cut
from support.graph_strategies import relaxed
from support.rank_threads import failure_of, on_ranks

RANKS = [1, 2, 3, 4, 7]


def assert_equal_parts(found, graph):
    """The parts are those that the whole graph is cut into."""
    for part, expected in zip(found, cut(graph, len(found)), strict=True):
        assert part.bounds.tolist() == expected.bounds.tolist()
        for name in ("indptr", "indices", "weights"):
            array, right = getattr(part, name), getattr(expected, name)
            assert array.dtype == right.dtype, name
            assert array.tobytes() == right.tobytes(), name
        for name in ("n", "rank", "name", "weighted", "num_edges"):
            assert getattr(part, name) == getattr(expected, name), name
        # No rank has all weights to count those that rounding makes equal.
        assert dict(part.source) == {k: v for k, v in expected.source.items() if k != "notes"}


def read(source, ranks):
    return on_ranks(ranks, lambda rank: read_part(source, rank))


def read_prepared(source, ranks, seed=3):
    return on_ranks(ranks, lambda rank: for_matching(read_part(source, rank), rank, seed=seed))


NAMES = ["karate", "karate_weighted", "netscience", "minnesota", "email-eu-core", "bcsstk13"]


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory):
    """Return a function that decompresses the file of a data set."""
    folder = tmp_path_factory.mktemp("matrices")

    def unpack(name):
        path = folder / f"{name}.mtx"
        if not path.exists():
            path.write_bytes(gzip.decompress(datasets.file_of(name, "mtx.gz").read_bytes()))
        return path

    return unpack


@pytest.mark.parametrize("ranks", RANKS)
@pytest.mark.parametrize("name", NAMES)
def test_bundled_graphs(unpacked, name, ranks):
    path = unpacked(name)
    graph = load(path)
    assert_equal_parts(read(path, ranks), graph)
    assert_equal_parts(read_prepared(path, ranks), prepare.for_matching(graph, seed=3))


FIELDS = {
    "pattern": st.just(""),
    "integer": st.integers(-3, 3).map(str),
    "real": st.sampled_from(["1.5", "-1.5", "0", "-0.0", "1e-3", "2", "+3.25E1", "-2"]),
}


@st.composite
def files(draw):
    """Draw a sound file: fields, symmetries, blanks, comments, kinds of line ends."""
    n = draw(st.integers(0, 9))
    field = draw(st.sampled_from(sorted(FIELDS)))
    symmetry = draw(st.sampled_from(["general", "symmetric", "skew-symmetric"]))
    least = {"general": -n, "symmetric": 0, "skew-symmetric": 1}[symmetry]
    cells = [(i, j) for i in range(n) for j in range(n) if i - j >= least]
    chosen = draw(st.lists(st.sampled_from(cells), unique=True, max_size=40)) if cells else []
    blank = draw(st.sampled_from([" ", "  ", "\t"]))
    lines = [f"{i + 1}{blank}{j + 1}{blank}{draw(FIELDS[field])}".rstrip() for i, j in chosen]
    for extra in draw(st.lists(st.sampled_from(["", "% more", " ", "  "]), max_size=4)):
        lines.insert(draw(st.integers(0, len(lines))), extra)
    head = [f"%%MatrixMarket matrix coordinate {field} {symmetry}", "% a comment"]
    end = draw(st.sampled_from(["\n", "\r\n"]))
    last = draw(st.sampled_from(["", end]))
    return (end.join([*head, f"{n} {n} {len(chosen)}", *lines]) + last).encode()


SKEW = b"%%MatrixMarket matrix coordinate real skew-symmetric\n"


@relaxed
@example(SKEW + b"2 2 1\n2 1 -0.0", 1)  # a zero keeps its sign
@example(SKEW + b"3 3 2\n2 1 -0.0\n3 1 -2\n", 2)
@given(files(), st.sampled_from(RANKS))
def test_any_sound_file(text, ranks):
    source = Source("drawn.mtx", text)
    graph = load_bytes("drawn.mtx", text)
    assert_equal_parts(read(source, ranks), graph)
    assert_equal_parts(read_prepared(source, ranks), prepare.for_matching(graph, seed=3))


SMALL = (
    b"%%MatrixMarket matrix coordinate real symmetric\r\n% about it\n4 4 5\r\n"
    b"2 1 0.5\r\n\n% between\n3 1 12.25\n4 1 -7\r\n3 2 1e1\n4 4 3"
)


def test_every_boundary_of_a_small_file(monkeypatch):
    """The cut between two ranks lies before, inside and behind every character."""
    graph = load_bytes("small.mtx", SMALL)
    source = Source("small.mtx", SMALL)
    begin = SMALL.index(b"2 1 0.5")
    beginnings = {
        begin,
        *(at + 1 for at in range(begin, len(SMALL)) if SMALL[at] == 10),
        len(SMALL),
    }
    met = set()
    for place in range(begin, len(SMALL) + 1):
        start = min(one for one in beginnings if one >= place)
        starts = [begin, start, len(SMALL)]
        monkeypatch.setattr(
            "gpucore.problems.graph.distributed.matrix_market.line_starts",
            lambda *_, starts=starts: starts,
        )
        assert_equal_parts(read(source, 2), graph)
        met.add(start)
    assert met == beginnings


@pytest.mark.parametrize("ranks", range(1, 120))
def test_ranges_begin_at_lines_and_hold_every_byte_once(ranks):
    """With more ranges than bytes, every byte is a place to cut at."""
    begin = SMALL.index(b"2 1 0.5")
    source = Source("small.mtx", SMALL)
    starts = line_starts(source, begin, ranks)
    assert starts[0] == begin
    assert starts[-1] == len(SMALL)
    assert starts == sorted(starts)
    assert all(SMALL[at - 1] == 10 for at in starts[1:-1] if at < len(SMALL))
    places = [begin + (len(SMALL) - begin) * number // ranks for number in range(ranks)]
    for place, start in zip(places, starts, strict=False):
        assert b"\n" not in SMALL[place : start - 1]  # the next beginning of a line
    lines = 0
    for start, stop in itertools.pairwise(starts):
        with RangeReader(source, start, stop) as reader:
            lines += reader.count_lines()
    assert lines == SMALL[begin:].count(b"\n") + 1


def test_ranges_of_long_lines():
    """A line can be longer than the pieces in which its end is searched."""
    text = b"% " + b"x" * 200_000 + b"\n1 2\n"
    assert line_starts(Source("long", text), 0, 3) == [0, 200_003, 200_003, len(text)]
    assert line_starts(Source("long", text[:-5]), 0, 3) == [0, 200_002, 200_002, 200_002]


HEAD = "%%MatrixMarket matrix coordinate real general\n5 5 6\n"
GOOD = ["1 2 0.5", "2 3 1", "3 4 1", "4 5 1", "5 1 1", "1 3 2"]
BAD = {
    "word": (5, "x 3 1", "rank 2: bad.mtx, line 8: 'x' is not a whole number"),
    "range": (0, "1 9 1", "rank 0: bad.mtx, line 3: column 9 is out of range"),
    "value": (3, "4 5 inf", "rank 1: bad.mtx, line 6: the weight inf is not a finite number"),
    "twice": (4, "2 3 7", "bad.mtx, line 7: entry (2, 3) is given a second time, after line 4"),
    "more": (5, "1 3 2\n4 1 1", "rank 2: bad.mtx, line 9: the size line declares 6 entries, here"),
    "fewer": (5, "% 1 3 2", "bad.mtx, line 8: the file ends after 5 of the 6 entries"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_lines_are_one_error_on_all_ranks(case):
    at, line, message = BAD[case]
    text = (HEAD + "\n".join([*GOOD[:at], line, *GOOD[at + 1 :]]) + "\n").encode()
    source = Source("bad.mtx", text)
    found = failure_of(3, lambda rank: read_part(source, rank))
    assert found.startswith(message)
    with pytest.raises(GraphError) as ordinary:
        load_bytes("bad.mtx", text)
    assert found.removeprefix("rank ").lstrip("012: ") == str(ordinary.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "bad.mtx is empty"),
        (b"%%MatrixMarket matrix array real general\n", "bad.mtx, line 1: the layout is 'array'"),
        (HEAD.replace("5 5", "5 4").encode() + b"1 1 1\n" * 6, "bad.mtx: a 5 x 4 matrix is no"),
        (b"\x1f\x8b rest", "bad.mtx, line 0: a compressed file has no ranges to read"),
    ],
)
def test_bad_headers_name_no_rank(text, message):
    found = failure_of(3, lambda rank: read_part(Source("bad.mtx", text), rank))
    assert found.startswith(message)


def test_symmetric_files_with_a_repeated_entry():
    text = b"%%MatrixMarket matrix coordinate pattern symmetric\n3 3 3\n2 1\n3 2\n2 1\n"
    found = failure_of(2, lambda rank: read_part(Source("bad.mtx", text), rank))
    with pytest.raises(GraphError) as ordinary:
        load_bytes("bad.mtx", text)
    assert found == str(ordinary.value)
    assert "line 5: entry (2, 1) is given a second time, after line 3" in found


def test_missing_file(tmp_path):
    found = failure_of(2, lambda rank: read_part(tmp_path / "none.mtx", rank))
    assert "there is no file" in found


def test_a_rank_that_runs_out_of_memory_stops_all(monkeypatch):
    def no_memory(*_):
        raise MemoryError

    monkeypatch.setattr("gpucore.problems.graph.distributed.matrix_market.read_body", no_memory)
    found = failure_of(2, lambda rank: read_part(Source("small.mtx", SMALL), rank))
    assert "not enough memory for this rank's part" in found


def test_random_weights_come_from_the_middle_of_the_stream():
    """An odd number of edges before a rank: half a draw of the stream is left out."""
    graph = load("gnp:n=40,p=0.2,seed=5")
    upper = [np.count_nonzero(row_numbers(part) < part.indices) for part in cut(graph, 7)]
    assert any(count % 2 for count in np.cumsum(upper[:-1]))
    found = on_ranks(7, lambda rank: for_matching(cut(graph, 7)[rank.rank], rank, seed=11))
    assert_equal_parts(found, prepare.for_matching(graph, seed=11))
