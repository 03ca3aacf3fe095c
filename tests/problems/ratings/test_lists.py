"""Lists of ratings as people publish them, and every line that is none."""

import gzip
import random
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.loading import load_bytes
from gpucore.problems.ratings.load import load_ratings
from gpucore.problems.ratings.ratings import Ratings
from support.graph_strategies import relaxed

#: Users 7 and 10, items 3, 20 and 100.
EXPECTED = {("7", "3"): 4.5, ("10", "100"): 1, ("10", "20"): 3, ("7", "20"): 0.5}
TEXTS = {
    "csv": ("r.csv", "7,3,4.5\n10,100,1\n10,20,3\n7,20,.5\n"),
    "titles": (
        "ratings.csv",
        "userId,movieId,rating,timestamp\n7,3,4.5,1112486027\n10,100,1.0,1\n10,20,3,2\n7,20,.5,3\n",
    ),
    "quoted titles": ("r.csv", '"user","item","stars"\n7,3,4.5\n10,100,1\n10,20,3\n7,20,.5\n'),
    "ml-100k": ("u.data", "7\t3\t4.5\t881250949\n10\t100\t1\t8\n10\t20\t3\t8\n7\t20\t.5\t8\n"),
    "ml-1m": ("ratings.dat", "7::3::4.5::978300760\n10::100::1::9\n10::20::3::9\n7::20::.5::9\n"),
    "semicolons": ("r.csv", "7;3;4.5\n10;100;1\n10;20;3\n7;20;5e-1\n"),
    "blanks": ("r.txt", "7 3 4.5\n  10   100 1\n10\t20 3\n7 20 .5\n"),
    "spaced": ("r.csv", "7, 3, 4.5\n10 ,100,1\n10,20,3\n7,20,.5\n"),
    "quoted": ("r.csv", '"7","3","4.5"\n"10","100","1"\n"10","20","3"\n"7","20",".5"\n'),
    "windows": ("r.csv", "\ufeff7,3,4.5\r\n10,100,1\r\n\r\n10,20,3\r\n7,20,.5"),
    "comments": ("r.tsv", "# of films\n\n7\t3\t4.5\n% half\n10\t100\t1\n\n10\t20\t3\n7\t20\t.5\n"),
    "zeros": ("r.csv", "7,3,04.5\n10,100,01\n10,20,3\n7,20,.5\n"),
    "signs": ("r.csv", "7,+3,4.5\n10,100,1\n10,20,3\n+7,20,.5\n"),
    "dates": ("r.csv", "7,3,4.5,2020-01-01\n10,100,1,\n10,20,3,x y\n7,20,.5,\u00e9\n"),
}


def of(text, name="r.csv", **options):
    data = text if isinstance(text, bytes) else text.encode()
    return load_bytes(name, data, kind="ratings", **options)


def by_name(found):
    users, items = found.entries()
    names = found.names
    pairs = [(names[u], names[found.num_users + i]) for u, i in zip(users, items, strict=True)]
    return dict(zip(pairs, found.values.tolist(), strict=True))


@pytest.mark.parametrize("block", [9, 30, 1 << 20])
@pytest.mark.parametrize("case", TEXTS)
def test_lists(monkeypatch, case, block):
    monkeypatch.setattr("gpucore.io.stream.BLOCK", block)
    name, text = TEXTS[case]
    found = of(text, name)
    assert by_name(found) == EXPECTED
    assert found.names == ("7", "10", "3", "20", "100")
    assert found.source == {"kind": "file", "name": name, "format": "rating_list"}
    assert of(gzip.compress(text.encode()), f"{name}.gz") == found


@pytest.mark.parametrize("block", [12, 1 << 20])
@pytest.mark.parametrize("mark", [",", "::", "\t", " ", ", "])
def test_digits_that_begin_with_a_zero_are_names(monkeypatch, block, mark):
    monkeypatch.setattr("gpucore.io.stream.BLOCK", block)
    lines = [("9", "439893577", "4"), ("10", "0439893578", "5"), ("10", "439893577", "05")]
    found = of("\n".join(map(mark.join, lines)), "books.txt")
    assert found.names == ("9", "10", "0439893578", "439893577")
    assert by_name(found)["10", "439893577"] == 5


@pytest.mark.parametrize("text", ["7,3,1\n007,3,2\n", "a,10,1\nb,010,1\nc,7,2\n"])
def test_zeros_that_may_make_two_names_of_one_are_refused(text):
    with pytest.raises(GraphError, match=r"^r.csv: (7 and 007|10 and 010) differ only in zeros"):
        of(text)


@pytest.mark.parametrize("block", [12, 1 << 20])
def test_texts_are_labels_too(monkeypatch, block):
    monkeypatch.setattr("gpucore.io.stream.BLOCK", block)
    found = of('1,2,3\n10,1,4\nBo,"Oz, the Wizard",5\n"the ""1""",10,2\n')
    assert found.names == ("1", "10", "Bo", 'the "1"', "1", "10", "2", "Oz, the Wizard")
    assert by_name(found)[("Bo", "Oz, the Wizard")] == 5
    one_side = of("a,10,1\nb,9,2\na,9,3\n")
    assert one_side.names == ("a", "b", "9", "10")
    assert one_side.to_matrix().toarray().tolist() == [[3, 1], [2, 0]]
    assert of("1.0,1,2\n2.0,1,3\n").names == ("1.0", "2.0", "1")
    assert of(f"{2**63},1,2\n5,1,3\n").names == ("5", str(2**63), "1")
    assert of("-3,1,2\n5,1,3\n").names == ("-3", "5", "1")
    assert of("Zo\u00eb Z;\u30ab;2\n", "r.csv").names == ("Zo\u00eb Z", "\u30ab")


def test_large_gaps_between_numbers():
    found = of(f"{2**62},5,1\n-{2**62},{2**33},2\n")
    assert found.names == (str(-(2**62)), str(2**62), "5", str(2**33))
    assert found.to_matrix().toarray().tolist() == [[0, 2], [1, 0]]


def test_declared_numbers_are_kept():
    found = of("# Users: 4 Items: 3\n2,0,5\n0,1,1\n")
    assert found == Ratings.from_entries([2, 0], [0, 1], [5, 1], (4, 3))
    assert found.names is None
    with pytest.raises(GraphError, match=r"r.csv: entry 0 .4, 0.: user 4 is out of range"):
        of("# Users: 4 Items: 3\n4,0,5\n")
    with pytest.raises(
        GraphError, match=r"r.csv: a comment declares 4 users and 3 items, so they m"
    ):
        of("# Users: 4 Items: 3\nx,0,5\n")
    with pytest.raises(GraphError, match="allowed here"):
        of("# Users: 40 Items: 3\n0,0,5\n", limits=Limits(max_vertices=20))
    with pytest.raises(GraphError, match=r"allowed here|32-bit"):
        of("# Users: 99999999999 Items: 3\n0,0,5\n")


def test_repeated_ratings():
    text = "user,item,rating\n5,5,1\n# again\n6,5,2\n\n5,5,3\n"
    with pytest.raises(GraphError, match=r"r.csv, line 6: the user has rated .* in line 2; keep"):
        of(text)
    assert of(text, duplicates="last").values.tolist() == [3, 2]
    assert of(text, duplicates="mean").values.tolist() == [2, 2]


BAD = {
    "empty": ("", "r.csv holds no ratings; a line of a list is 'user,item,rating'"),
    "comments": ("# a\n\n% b\n", "r.csv holds no ratings"),
    "titles": ("user,item,rating\n", "r.csv holds no ratings"),
    "two titles": ("user,item,rating\nuser,item,rating\n", "line 2: the rating 'rating' is not a"),
    "two fields": ("1,2\n", "line 1: 3 or 4 fields are expected .*, there are 2"),
    "one field": ("word\n", "line 1: 3 or 4 fields .*, there are 1"),
    "five fields": ("1,2,3,4,5\n", "line 1: 3 or 4 fields .*, there are 5"),
    "short": ("1,2,3\n1,3\n", "line 2: 3 fields are expected here, there are 2"),
    "long": ("1,2,3\n1,3,4\n2,2,2,2\n", "line 3: 3 fields are expected here, there are 4"),
    "no time": ("1,2,3,4\n1,3,4\n", "line 2: 4 fields are expected here, there are 3"),
    "balanced": ("1,2,3,4\n1,3,4\n1,4,4,4,4\n", "line 2: 4 fields are expected here, there are 3"),
    "word": ("1,2,3\n1,3,good\n", "line 2: the rating 'good' is not a number"),
    "first word": ("1,2,good\n", "line 1: the rating 'good' is not a number"),
    "no rating": ("1,2,\n", "line 1: the rating '' is not a number"),
    "underscore": ("1,2,1_0\n", "line 1: the rating '1_0' is not a number"),
    "hexadecimal": ("1,2,0x1\n", "line 1: the rating '0x1' is not a number"),
    "nan": ("1,2,3\n\n1,4,nan\n", "line 3: the rating 'nan' is not a finite number$"),
    "infinite": ("1,2,-inf\n", "line 1: the rating '-inf' is not a finite number$"),
    "overflow": ("1,2,1e999\n", "line 1: the rating '1e999' is not a finite number$"),
    "large": ("1,2,1e39\n", "line 1: the rating '1e39' is not a finite number in single precision"),
    "user": ("1,2,3\n,2,3\n", "line 2: the user is empty"),
    "item": ("1,2,3\n1, ,3\n", "line 2: the item is empty"),
    "quote": ('1,2,3\n"1,2,3\n', "line 2: unexpected end of data"),
    "first quote": ('"1,2,3\n', "line 1: unexpected end of data"),
    "separators": ("1,2,3\n1;2;3\n", "line 2: 3 fields are expected here, there are 1"),
    "binary": (
        b"1,2,3\n\x00\x01,2,3\n",
        "line 2: it holds bytes that are not text in UTF-8; save it in",
    ),
    "latin": (b"1,2,3\n\xe9,2,3\n", "line 2: it holds bytes that are not text"),
    "first latin": (b"\xe9,2,3\n", "line 1: it holds bytes that are not text"),
    "long label": (f"1,2,3\n{'a' * 1001},2,3\n", "line 2: the user has 1001 characters, more than"),
    "long line": ("1,2," + "3" * (1 << 21), "line 1: the line is longer than|more than"),
    "gzip": (gzip.compress(b"1,2,3\n" * 9)[:-9], "after line .*truncated"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_lists(case):
    text, message = BAD[case]
    with pytest.raises(GraphError, match=message) as caught:
        of(text)
    assert str(caught.value).startswith("r.csv")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("block", [16, 100])
def test_lines_are_counted_across_blocks(monkeypatch, block):
    monkeypatch.setattr("gpucore.io.stream.BLOCK", block)
    lines = [f"{n},{n},1" for n in range(50)]
    for at, bad in ((30, "x,y"), (44, "3,4,five"), (49, "4,4,1")):
        with pytest.raises(GraphError, match=f"r.csv, line {at + 1}: "):
            of("\n".join([*lines[:at], bad, *lines[at + 1 :]]))


LINES = st.one_of(
    st.sampled_from(
        ["1,2,3", "u,i,r", "", "#", "7,7,7,7", "a,b,1.5", "1::2::3", "9\t9\t9", "5 5 5"]
    ),
    st.text(alphabet='0123456789,;:\t .-+eE#%"naif_\x00é\r', max_size=12),
)


@relaxed
@given(st.lists(LINES, max_size=6), st.sampled_from(["r.csv", "r.txt", "u.data", "r.csv.gz"]))
def test_any_text_is_a_list_or_one_error(lines, name):
    try:
        found = of("\n".join(lines), name)
    except GraphError as error:
        assert "\n" not in str(error)
    else:
        assert 1 <= found.num_ratings <= len(lines) * 2
        assert len(found.names or ()) in (0, found.num_vertices)


def test_damaged_bytes_are_a_list_or_one_error():
    text = TEXTS["titles"][1].encode()
    random.seed(3)
    for _ in range(400):
        data = bytearray(text)
        for _ in range(random.randint(1, 4)):
            data[random.randrange(len(data))] = random.randrange(256)
        try:
            of(bytes(data))
        except GraphError as error:
            assert str(error).startswith("r.csv")


def test_fast_and_careful_parsing_agree(monkeypatch, tmp_path):
    rng = np.random.default_rng(4)
    pairs = rng.permutation(300 * 40)[:5000]
    values = rng.integers(1, 11, 5000) / 2
    lines = [f"{p // 40},{p % 40},{v}" for p, v in zip(pairs, values, strict=True)]
    plain, careful = "\n".join(lines), "\n".join(line.replace(",", " , ") for line in lines)
    expected = Ratings.from_entries(pairs // 40, pairs % 40, values, (300, 40))
    for size in (1000, 1 << 20):
        monkeypatch.setattr("gpucore.io.stream.BLOCK", size)
        assert of(plain) == of(careful) == expected
    (tmp_path / "r.csv").write_text(plain)
    assert load_ratings(tmp_path / "r.csv") == expected


def test_limits_and_memory(monkeypatch):
    monkeypatch.setattr("gpucore.io.stream.BLOCK", 1 << 16)
    text = "\n".join(f"{n % 997},{n},{n % 5}" for n in range(50_000))
    with pytest.raises(GraphError, match=r"r.csv, line \d+: \d+ entries are more than the 10000"):
        of(text, limits=Limits(max_entries=10_000))
    with pytest.raises(GraphError, match=r"r.csv: 50997 vertices are more than the 50000"):
        of(text, limits=Limits(max_vertices=50_000))
    tracemalloc.start()
    of(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 96 * 50_000 + 300 * 51_000  # names are texts
