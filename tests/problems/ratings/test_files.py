"""Ratings through every format, from graphs, and bad files with name, line and cause."""

import gzip
import io
import json
import threading
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse
from scipy.io import mmwrite

from gpucore.datasets import bundled, catalogue
from gpucore.datasets import names as dataset_names
from gpucore.errors import Cancelled, GraphError
from gpucore.io.files import save
from gpucore.limits import Limits
from gpucore.loading import load, load_bytes
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.bipartite.prepare import permute_sides
from gpucore.problems.ratings.load import load_rating_dataset, load_ratings
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.rebuild import rebuild
from support.graph_strategies import relaxed
from support.ratings_strategies import ratings

HEAD = "%%MatrixMarket matrix coordinate {} {}\n"


def matrix_market(field, symmetry, body):
    return (HEAD.format(field, symmetry) + body).encode()


def of(data, name="m.mtx", **options):
    return load_bytes(name, data, kind="ratings", **options)


@relaxed
@given(found=ratings())
@pytest.mark.parametrize(
    "ending", [".mtx", ".mtx.gz", ".npz", ".csv", ".csv.gz", ".tsv", ".txt", ".edges"]
)
def test_files_give_the_ratings_back(tmp_path, ending, found):
    path = tmp_path / f"ratings{ending}"
    save(found, path)
    assert load_ratings(path) == load_ratings(str(path)) == found
    assert load_bytes(path.name, path.read_bytes(), kind="ratings") == found


def test_an_archive_keeps_everything(tmp_path):
    found = permute_sides(load_ratings("sample_ratings"), seed=3)
    save(found, tmp_path / "r.npz")
    for read in (load(tmp_path / "r.npz"), load_bipartite(tmp_path / "r.npz"),
                 load_ratings(tmp_path / "r.npz")):  # fmt: skip
        assert isinstance(read, Ratings)
        assert read == found
        assert (read.name, read.names, read.source) == (found.name, found.names, found.source)
        assert rebuild(read.source) == found


def test_metis_is_refused(tmp_path):
    with pytest.raises(GraphError, match=r"METIS has no place for ratings; save them as .csv"):
        save(load_ratings("sample_ratings"), tmp_path / "r.graph")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("layout", ["csr", "csc", "coo"])
def test_scipys_archives(tmp_path, layout):
    matrix = sparse.random_array((7, 30), density=0.2, rng=3).asformat(layout)
    matrix.data[0] = 0  # a stored zero is a rating
    sparse.save_npz(tmp_path / "m.npz", matrix)
    found = load_ratings(tmp_path / "m.npz")
    assert found == Ratings.from_matrix(matrix)
    assert found.num_ratings == matrix.nnz
    packed = gzip.compress((tmp_path / "m.npz").read_bytes())
    assert of(packed, "m.npz.gz") == found


def test_repeats_in_scipys_archives(tmp_path):
    matrix = sparse.coo_array(([1.0, 4.0], ([0, 0], [1, 1])), shape=(2, 2))
    sparse.save_npz(tmp_path / "m.npz", matrix)
    with pytest.raises(GraphError, match=r"m.npz: user 0 rates item 1 in the entries 0 and 1"):
        load_ratings(tmp_path / "m.npz")
    assert load_ratings(tmp_path / "m.npz", duplicates="mean").values.tolist() == [2.5]


@pytest.mark.parametrize("field", ["real", "integer", "double"])
def test_values_are_ratings(field):
    found = of(matrix_market(field, "general", "2 3 3\n1 1 0\n2 3 -4\n2 1 5\n"))
    assert repr(found) == "Ratings('m', users=2, items=3, ratings=3)"
    assert found.values.tolist() == [0, 5, -4]
    assert found.source == {"kind": "file", "name": "m.mtx", "format": "matrix_market", "first": 1}


def test_patterns_and_symmetric_matrices():
    assert of(matrix_market("pattern", "general", "1 2 1\n1 2\n")).values.tolist() == [1]
    both = of(matrix_market("real", "symmetric", "3 3 2\n1 1 5\n3 1 4\n"))
    assert both.to_matrix().toarray().tolist() == [[5, 0, 4], [0, 0, 0], [4, 0, 0]]
    skew = of(matrix_market("integer", "skew-symmetric", "2 2 1\n2 1 -4\n"))
    assert skew.to_matrix().toarray().tolist() == [[0, 4], [-4, 0]]


def test_files_of_scipys_writer(tmp_path):
    matrix = sparse.random_array((40, 30), density=0.1, rng=3, dtype=np.float32)
    mmwrite(tmp_path / "m.mtx", matrix)
    assert load_ratings(tmp_path / "m.mtx") == Ratings.from_matrix(matrix)


def test_the_weights_of_a_graphs_file_are_ratings(tmp_path):
    weighted = load("karate_weighted")
    for ending in (".mtx", ".npz", ".graph"):
        save(weighted, tmp_path / f"g{ending}")
        found = load_ratings(tmp_path / f"g{ending}")
        assert (found.to_matrix() != weighted.to_scipy()).nnz == 0
        assert found.num_ratings == 156
    save(load_bipartite("southern_women"), tmp_path / "w.npz")
    assert set(load_ratings(tmp_path / "w.npz").values) == {1}
    with pytest.raises(GraphError, match="no ratings"):
        of(b"3 0\n\n\n\n", "empty.graph")


@pytest.mark.parametrize("spec", ["karate", "southern_women", "grid:rows=3,columns=5"])
def test_graphs_get_made_up_ratings(spec):
    found = load_ratings(spec, seed=5)
    assert (
        found.to_matrix().astype(bool) != load_bipartite(spec).to_matrix().astype(bool)
    ).nnz == 0
    assert np.unique(found.values).size == found.num_ratings
    assert 2.5 < found.mean < 4.7
    assert found == load_ratings(spec, seed=5) != load_ratings(spec, seed=6)
    again = rebuild(found.source)
    assert isinstance(again, Ratings)
    assert again == found
    assert json.loads(json.dumps(found.source)) == found.source


@pytest.mark.parametrize("name", bundled("ratings"))
def test_data_sets(name):
    found, info = load_ratings(name), catalogue()[name]
    assert (found.shape, found.num_ratings) == (info.shape, info.edges)
    assert found.num_vertices == info.vertices
    assert found.max_degree == info.answers["max_degree"]
    rank = sparse.csgraph.structural_rank(load_bipartite_pattern(found))
    assert rank == info.answers["max_matching"]
    assert (found.num_silent_users, found.num_silent_items) == (0, 0)
    assert rebuild(found.source) == found
    assert found.names is None or len(set(found.names)) == found.num_vertices


def load_bipartite_pattern(found):
    matrix = found.to_matrix()
    return sparse.csr_array((np.ones(matrix.nnz), matrix.indices, matrix.indptr), matrix.shape)


def test_what_the_data_sets_hold():
    assert dataset_names("ratings") == ("sample_ratings", "insteval", "un_votes")
    assert bundled("ratings") == ("sample_ratings", "un_votes")
    votes = load_ratings("un_votes")
    assert np.bincount(votes.values.astype(int)).tolist() == [0, 693664, 110897, 65548]
    assert (votes.names[0], votes.names[200]) == ("Afghanistan", "roll call 3")
    with pytest.raises(GraphError, match=r"insteval is a matrix of ratings, .*kind=\"ratings\""):
        load("insteval")
    with pytest.raises(GraphError, match="no ratings data set 'karate'; there are sample_r"):
        load_rating_dataset("karate")


BAD = {
    "complex": (("complex", "general", "1 1 1\n1 1 1 1\n"), "line 1: the field is 'complex'"),
    "row": (("real", "general", "2 3 1\n3 1 1\n"), "line 3: row 3 is out of range, .* 2 rows"),
    "nan": (("real", "general", "2 3 1\n1 1 nan\n"), "line 3: the weight nan is not a finite"),
    "large": (("real", "general", "2 3 1\n1 1 1e99\n"), "line 3: the weight 1e.99 is too large"),
    "word": (("integer", "general", "2 3 1\n1 1 x\n"), "line 3: 'x' is not a whole number"),
    "none": (("real", "general", "2 3 0\n"), "there are no ratings"),
    "twice": (
        ("real", "general", "2 3 3\n2 3 1\n%\n1 1 1\n2 3 4\n"),
        r"line 6: entry .2, 3. is given a second time, after line 3; keep one of the ratings",
    ),
    "twice, symmetric": (
        ("real", "symmetric", "3 3 3\n2 1 1\n3 1 1\n3 1 1\n"),
        r"line 5: entry .3, 1. is given a second time, after line 4",
    ),
    "both": (("real", "general", f"{2**30} {2**30} 1\n1 1 1\n"), "line 2: .* (allowed|memory)"),
    "memory": (("real", "general", "900000000 9 1\n1 1 1\n"), "line 2: .* of memory, more than"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_matrix_files(case):
    arguments, cause = BAD[case]
    with pytest.raises(GraphError, match=f"bad.mtx(, |: ){cause}") as caught:
        of(matrix_market(*arguments), "bad.mtx", limits=Limits(max_bytes=1 << 30))
    assert "\n" not in str(caught.value)


def test_repeats_in_matrix_files():
    data = matrix_market("real", "general", "1 2 3\n1 2 1\n1 1 9\n1 2 4\n")
    assert of(data, duplicates="last").values.tolist() == [9, 4]
    assert of(data, duplicates="mean").values.tolist() == [9, 2.5]


def archive(**arrays):
    found = load_ratings("sample_ratings")
    stream = io.BytesIO()
    header = {"format": "warplens-graph", "version": 1, "name": "", "weighted": False,
              "source": {}, "num_users": 6}  # fmt: skip
    given = {
        "header": np.frombuffer(json.dumps(header).encode(), np.uint8),
        "indptr": found.indptr,
        "indices": found.indices,
        "weights": found.weights,
        "values": found.values,
    } | arrays
    np.savez(stream, **{key: value for key, value in given.items() if value is not None})
    return stream.getvalue()


ARCHIVES = {
    "missing": ({"values": None}, "the array 'values' is missing; save it again"),
    "short": ({"values": np.ones(3, np.float32)}, "there are 3 ratings for 12 pairs"),
    "nan": ({"values": np.full(12, np.nan)}, "rating 0 is nan"),
    "text": ({"values": np.full(12, "a")}, "real numbers, not <U1"),
    "flat": ({"values": np.ones((12, 1))}, "one-dimensional"),
    "edges": ({"indices": np.zeros(24, np.int32)}, "a.npz: "),
}


@pytest.mark.parametrize("case", ARCHIVES)
def test_bad_archives(case):
    arrays, cause = ARCHIVES[case]
    assert of(archive(), "a.npz") == load_ratings("sample_ratings")
    with pytest.raises(GraphError, match=cause):
        of(archive(**arrays), "a.npz")


def test_limits():
    wide = matrix_market("real", "general", "2 9 1\n1 1 1\n")
    limits = Limits(max_vertices=10, max_entries=5, max_bytes=1 << 20)
    with pytest.raises(GraphError, match=r"m.mtx, line 2: 11 vertices are more than the 10"):
        of(wide, limits=limits)
    both = matrix_market("real", "symmetric", "4 4 3\n2 1 1\n3 1 1\n4 1 1\n")
    with pytest.raises(GraphError, match=r"line 2: 6 entries are more than the 5 allowed"):
        of(both, limits=limits)
    with pytest.raises(GraphError, match=r"ratings of path: 12 vertices are more"):
        load_ratings("path:n=6", limits=Limits(max_vertices=10))
    with pytest.raises(
        GraphError, match=r"the ratings of un_votes: 6403 vertices are more than the 10"
    ):
        load_ratings("un_votes", limits=limits)
    with pytest.raises(GraphError, match=r"12 entries are more than the 5"):
        of(archive(), "a.npz", limits=limits)
    with pytest.raises(GraphError, match=r"12 vertices are more than the 10"):
        of(b"6 1\n2\n1\n\n\n\n\n", "g.graph", limits=limits)


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
def test_reading_takes_no_more_memory_than_the_limits_reckon(monkeypatch, symmetry):
    monkeypatch.setattr("gpucore.io.stream.BLOCK", 1 << 16)
    rng = np.random.default_rng(2)
    n, m = 5_000, 100_000
    cells = rng.choice(n * (n - 1) // 2, m, replace=False)
    i = ((1 + np.sqrt(1 + 8 * cells)) // 2).astype(int)
    j = cells - i * (i - 1) // 2
    body = "".join(f"{a + 1} {b + 1} {(a + b) % 5}\n" for a, b in zip(i, j, strict=True))
    data = matrix_market("integer", symmetry, f"{n} {n} {m}\n{body}")
    entries = m if symmetry == "general" else 2 * m
    tracemalloc.start()
    of(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 * 2 * n + 96 * entries


def test_options_and_names_of_nothing(tmp_path):
    with pytest.raises(GraphError, match=r"no ratings 'atlantis'.*sample_rat.*scale_free, unif"):
        load_ratings("atlantis")
    with pytest.raises(GraphError, match=r"there is no file .*nowhere.csv; check its name"):
        load_ratings(tmp_path / "nowhere.csv")
    with pytest.raises(GraphError, match="format rating_list has no option 'base' for ratings"):
        of(b"", "r.csv", base=1)
    with pytest.raises(GraphError, match="there is no format 'mat'"):
        of(b"", form="mat")
    for name in ("r.csv", "m.mtx"):
        with pytest.raises(GraphError, match='must be "error", "mean" or "last", not'):
            of(b"1,1,1\n", name, duplicates="first")
    with pytest.raises(
        GraphError, match=r"gale_shapley_3 is an instance of .*, not a matrix of ra"
    ):
        load_ratings("gale_shapley_3")


def test_progress_and_cancel(monkeypatch):
    monkeypatch.setattr("gpucore.io.stream.BLOCK", 100)
    lines = "".join(f"{row},1,5\n" for row in range(1, 201)).encode()
    seen = []
    of(lines, "r.csv", progress=lambda *step: seen.append(step))
    assert seen[0][0] == "reading"
    assert seen[-1] == ("building", 0, 0)
    cancel = threading.Event()
    for name, data in (
        ("r.csv", lines),
        ("m.mtx", matrix_market("real", "general", "1 1 1\n1 1 1\n")),
    ):
        cancel.clear()
        with pytest.raises(Cancelled):
            of(data, name, progress=lambda *step: cancel.set(), cancel=cancel)
