"""Stable matchings of matrices of ranks: against Gale and Shapley, both forms, refusals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import gpucore
from gpucore.arrays import entries_of
from gpucore.device import get_device
from gpucore.errors import GraphError, ParameterError, WarplensError
from gpucore.families.marriage import for_scipy
from gpucore.problems.preferences.entries import rows_of_entries
from gpucore.problems.preferences.preferences import Preferences
from gpucore.record import Record


@st.composite
def ranks(draw, least=0):
    """Return both matrices of ranks, and which pairs each of them has."""
    shape = draw(st.integers(least, 9)), draw(st.integers(least, 9))
    rng = np.random.default_rng(draw(st.integers(0, 999)))
    his, hers = (
        rng.permuted(np.arange(1, 1 + np.prod(shape))),
        rng.permuted(np.arange(np.prod(shape))),
    )
    share = draw(st.sampled_from([0.3, 0.8, 1.0]))
    kept = [rng.random(shape) < share for _ in range(2)]
    return his.reshape(shape), hers.reshape(shape), *kept


def sparse_of(table, kept, form):
    rows, columns = np.nonzero(kept)
    coo = sparse.coo_array((table[rows, columns], (rows, columns)), shape=table.shape)
    return coo.asformat(form)


def by_hand(his, hers, he_lists, she_lists):
    """Gale and Shapley's algorithm: the column of each row."""
    both = he_lists & she_lists
    lists = [[j for j in np.argsort(row) if ok[j]] for row, ok in zip(his, both, strict=True)]
    husband, free = {}, list(range(len(lists)))
    while free:
        man = free.pop()
        if not lists[man]:
            continue
        woman = lists[man].pop(0)
        rival = husband.get(woman)
        if rival is not None and hers[rival, woman] < hers[man, woman]:
            free.append(man)
            continue
        husband[woman] = man
        if rival is not None:
            free.append(rival)
    wife = np.full(len(lists), -1)
    for woman, man in husband.items():
        wife[man] = woman
    return wife


@settings(max_examples=60, deadline=None)
@given(ranks(), st.sampled_from(["csr", "csc", "coo"]))
def test_the_best_for_either_side(tables, form):
    his, hers, he, she = tables
    given_ones = sparse_of(his, he, form), sparse_of(hers, she, form)
    wife = gpucore.stable_matching(*given_ones, "column", device="cpu", certify=True)
    assert wife.dtype == np.int32
    assert wife.tolist() == by_hand(his, hers, he, she).tolist()
    husband = gpucore.stable_matching(*given_ones, proposers="columns", device="cpu", certify=True)
    assert husband.tolist() == by_hand(hers.T, his.T, she.T, he.T).tolist()


@settings(max_examples=20, deadline=None)
@given(ranks(), st.sampled_from(["rows", "columns"]))
def test_the_way_of_a_card_on_the_host_executor(tables, proposers):
    his, hers, he, she = tables
    given_ones = sparse_of(his, he, "coo"), sparse_of(hers, she, "coo")
    entries = [entries_of(matrix, zeros=True) for matrix in given_ones]
    wife, husband = for_scipy.marry_on(get_device("host"), *entries, proposers, "refuse")
    words = {"proposers": proposers, "device": "cpu"}
    assert wife.tolist() == gpucore.stable_matching(*given_ones, "column", **words).tolist()
    assert husband.tolist() == gpucore.stable_matching(*given_ones, **words).tolist()


@settings(max_examples=20, deadline=None)
@given(ranks(least=1))
def test_dense_ranks_make_the_lists_of_from_ranks(tables):
    his, hers, _, _ = tables
    expected = Preferences.from_ranks(his, hers.T)
    rows = rows_of_entries(*(entries_of(table, zeros=True) for table in (his, hers)))
    assert rows.indptr.tolist() == expected.indptr.tolist()
    assert rows.women.tolist() == expected.women.tolist()
    assert rows.her_rank.tolist() == expected.her_rank.tolist()


def test_ties_are_refused_or_broken_by_number():
    equal = [[1, 1], [1, 1]]
    with pytest.raises(GraphError, match="row 0 gives columns 0 and 1 the same rank"):
        gpucore.stable_matching(equal, [[1, 1], [2, 2]])
    with pytest.raises(GraphError, match="column 0 gives rows 0 and 1 the same rank"):
        gpucore.stable_matching([[1, 2], [1, 2]], equal)
    assert gpucore.stable_matching(equal, equal, ties="index", device="cpu").tolist() == [0, 1]


@pytest.mark.parametrize(
    ("his", "hers", "words"),
    [
        ([[1, 2]], [[1], [2]], "shapes"),
        ([[1, np.nan]], [[1, 2]], "row_ranks: ranks must be finite"),
        ([[1, 2]], [[1, np.inf]], "column_ranks: ranks must be finite"),
        (sparse.coo_array(([1, 2], ([0, 0], [0, 0])), (1, 1)), [[1]], "given twice"),
        ([1, 2], [[1, 2]], "rows and columns"),
    ],
)
def test_what_are_no_ranks_is_refused(his, hers, words):
    with pytest.raises(GraphError, match=words):
        gpucore.stable_matching(his, hers)


@pytest.mark.parametrize(
    "word", [{"proposers": "men"}, {"ties": "random"}, {"perm_type": "rows"}, {"device": "tpu"}]
)
def test_unknown_words_are_refused(word):
    with pytest.raises(ParameterError):
        gpucore.stable_matching([[1]], [[1]], **word)


def test_a_record_of_the_run(tmp_path):
    path = tmp_path / "run.npz"
    rng = np.random.default_rng(2)
    gpucore.stable_matching(rng.random((6, 6)), rng.random((6, 6)), record=path, certify=True)
    assert len(Record.load(path).events)


def test_a_wrong_matching_is_not_returned():
    problem = Preferences.from_ranks([[1]], [[1]])
    with pytest.raises(WarplensError, match="wrong"):
        for_scipy._check(problem, np.array([-1]), "men")


@pytest.mark.gpu
def test_ranks_on_a_card_stay_there(monkeypatch, tmp_path):
    import cupy
    from cupyx.scipy import sparse as card_sparse

    rng = np.random.default_rng(5)
    his, hers = rng.random((200, 180)), rng.random((200, 180))
    kept = rng.random(his.shape) < 0.1
    forms = [
        ([cupy.asarray(his), cupy.asarray(hers)], (his, hers)),
        (
            [card_sparse.csr_matrix(sparse.csr_matrix(kept * table)) for table in (his, hers)],
            [sparse.csr_array(kept * table) for table in (his, hers)],
        ),
    ]
    copied = []
    to_host = cupy.asnumpy
    monkeypatch.setattr(cupy, "asnumpy", lambda a: copied.append(a.size) or to_host(a))
    for on_card, on_host in forms:
        for proposers in ("rows", "columns"):
            found = gpucore.stable_matching(*on_card, proposers=proposers)
            assert isinstance(found, cupy.ndarray)
            assert max(copied) < 100, "only flags are read"
            expected = gpucore.stable_matching(*on_host, proposers=proposers, device="cpu")
            assert found.get().tolist() == expected.tolist()
    certified = gpucore.stable_matching(*forms[1][0], certify=True, record=tmp_path / "run.npz")
    assert isinstance(certified, cupy.ndarray)
    with pytest.raises(GraphError, match="on a card"):
        gpucore.stable_matching(forms[0][0][0], hers)
