"""Matchings in SciPy's form: SciPy's answers, all kinds of matrices, both sides, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.sparse import csgraph

import gpucore
from gpucore.arrays import entries_of
from gpucore.device import get_device
from gpucore.errors import GraphError, ParameterError, WarplensError
from gpucore.families.bipartite import for_scipy
from gpucore.families.bipartite.decomposition import DulmageMendelsohn
from gpucore.families.bipartite.on_device import matrix_of_entries
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.record import Record

FORMS = ("csr", "csc", "coo", "lil", "dok", "bsr", "dense", "spmatrix")


@st.composite
def matrices(draw):
    shape = draw(st.integers(0, 12)), draw(st.integers(0, 12))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    return rng.random(shape) < draw(st.sampled_from([0.05, 0.15, 0.4]))


def in_form(dense, form):
    if form == "dense":
        return dense
    if form == "spmatrix":
        return sparse.csr_matrix(dense)
    return sparse.csr_array(dense).asformat(form)


def check_matching(dense, rows, columns):
    """Both sides name the same pairs, and every pair is an entry."""
    assert (rows.shape, columns.shape) == ((dense.shape[0],), (dense.shape[1],))
    assert rows.dtype == columns.dtype == np.int32
    matched = np.flatnonzero(rows >= 0)
    assert dense[matched, rows[matched]].all()
    assert (columns[rows[matched]] == matched).all()
    assert (columns >= 0).sum() == matched.size


@settings(max_examples=60, deadline=None)
@given(matrices(), st.sampled_from(FORMS))
def test_as_many_pairs_as_scipy(dense, form):
    if form == "bsr" and not all(dense.shape):
        form = "csr"
    matrix = in_form(dense, form)
    pattern = sparse.csr_array(dense)
    theirs = csgraph.maximum_bipartite_matching(pattern, "row") if dense.size else np.empty(0)
    columns = gpucore.maximum_bipartite_matching(matrix, device="cpu", certify=True)
    rows = gpucore.maximum_bipartite_matching(matrix, "column", device="cpu")
    check_matching(dense, rows, columns)
    pairs = int((theirs >= 0).sum())
    assert (columns >= 0).sum() == pairs == gpucore.structural_rank(matrix, device="cpu")


@settings(max_examples=25, deadline=None)
@given(matrices())
def test_the_way_of_a_card_on_the_host_executor(dense):
    """The arrays and kernels of a matrix on a card, with NumPy in CuPy's place."""
    entries = entries_of(sparse.coo_array(dense))
    made = matrix_of_entries(np, entries)
    expected = BipartiteGraph.from_matrix(dense)
    assert (made.row_indptr == expected.indptr[: dense.shape[0] + 1]).all()
    assert (made.column_indptr == expected.indptr[dense.shape[0] :]).all()
    assert (made.indices[: 2 * made.entries] == expected.indices).all()
    rows, columns = for_scipy.match_on(get_device("host"), entries)
    check_matching(dense, rows, columns)
    assert (rows >= 0).sum() == csgraph.structural_rank(sparse.csr_array(dense))


@settings(max_examples=25, deadline=None)
@given(matrices())
def test_the_decomposition_is_block_triangular(dense):
    found = gpucore.dulmage_mendelsohn(sparse.csc_array(dense), device="cpu")
    assert isinstance(found, DulmageMendelsohn)
    ordered = dense[found.row_order][:, found.column_order]
    for block in range(found.num_blocks + 1):
        below, left = found.row_starts[block + 1], found.column_starts[block + 1]
        assert not ordered[below:, :left].any()
    assert found.structural_rank == gpucore.structural_rank(dense, device="cpu")
    assert found.largest_block <= found.sizes["square"][0]


def test_stored_zeros_and_repeats_are_entries_once():
    matrix = sparse.coo_array(([0.0, 1.0, 1.0], ([0, 1, 1], [1, 0, 0])), shape=(2, 2))
    assert gpucore.structural_rank(matrix, device="cpu") == 2
    assert matrix_of_entries(np, entries_of(matrix)).entries == 2


class Foreign:
    """An array of another library, which has nothing but DLPack."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **wishes):
        return self.array.__dlpack__(**wishes)


def test_arrays_of_other_libraries_come_by_dlpack():
    assert gpucore.structural_rank(Foreign(np.eye(4)), device="cpu") == 4


def test_a_record_of_the_run(tmp_path):
    path = tmp_path / "run.npz"
    assert gpucore.structural_rank(np.eye(5), record=path, certify=True) == 5
    assert len(Record.load(path).events)


@pytest.mark.parametrize(
    ("matrix", "error", "words"),
    [
        ([1, 2, 3], GraphError, "rows and columns"),
        ([[1, 2], [3]], GraphError, "no matrix"),
        ([["a"]], GraphError, "real numbers"),
        (np.ones((2, 2, 2)), GraphError, "rows and columns"),
    ],
)
def test_what_is_no_matrix_is_refused(matrix, error, words):
    with pytest.raises(error, match=words):
        gpucore.structural_rank(matrix, device="cpu")


def test_unknown_words_are_refused():
    with pytest.raises(ParameterError, match="perm_type"):
        gpucore.maximum_bipartite_matching([[1]], "rows")
    with pytest.raises(ParameterError, match="device"):
        gpucore.structural_rank([[1]], device="tpu")
    with pytest.raises(ParameterError, match="certify"):
        gpucore.dulmage_mendelsohn([[1]], certify="yes")


def test_a_wrong_matching_is_not_returned():
    with pytest.raises(WarplensError, match="wrong"):
        for_scipy._check(BipartiteGraph.from_matrix([[1]]), np.array([-1]), np.array([-1]))


@pytest.mark.gpu
def test_matrices_on_a_card_stay_there(monkeypatch, tmp_path):
    import cupy
    from cupyx.scipy import sparse as card_sparse

    on_host = sparse.random_array((20_000, 18_000), density=2e-4, format="csr", random_state=3)
    rank = csgraph.structural_rank(on_host)
    on_card = card_sparse.csr_matrix(sparse.csr_matrix(on_host))
    copied = []
    to_host = cupy.asnumpy
    monkeypatch.setattr(cupy, "asnumpy", lambda a: copied.append(a.size) or to_host(a))
    for matrix in (on_card, on_card.tocsc(), on_card.tocoo()):
        rows = gpucore.maximum_bipartite_matching(matrix, "column")
        assert isinstance(rows, cupy.ndarray)
        assert gpucore.structural_rank(matrix) == rank == int((rows >= 0).sum())
    assert gpucore.structural_rank(cupy.eye(7)) == 7
    assert max(copied) < on_host.nnz, "only the log of phases is read"
    columns = gpucore.maximum_bipartite_matching(on_card, certify=True)
    assert isinstance(columns, cupy.ndarray)
    assert int((columns >= 0).sum()) == rank
    found = gpucore.dulmage_mendelsohn(on_card)
    assert isinstance(found.row_order, cupy.ndarray)
    assert found.structural_rank == rank
    assert found.sizes == gpucore.dulmage_mendelsohn(on_host).sizes
    assert gpucore.structural_rank(on_card, record=tmp_path / "run.npz") == rank
    with pytest.raises(ParameterError, match="on a card"):
        gpucore.structural_rank(on_card, device="cpu")
