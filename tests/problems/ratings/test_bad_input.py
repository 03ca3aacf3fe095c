"""Every way to make ratings refuses what is none, and takes users and items without ratings."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from scipy import sparse

from gpucore.errors import GraphError
from gpucore.loading import load_bytes
from gpucore.problems.ratings.ratings import Ratings

SHAPE = (4, 3)
#: User 1 and item 2 have no ratings.
GOOD = [(0, 0, 5.0), (2, 1, 3.0), (3, 0, 1.5)]


def lines(entries, sign=","):
    return "".join(f"{u}{sign}{i}{sign}{value}\n" for u, i, value in entries)


def as_list(name, sign):
    """Return a function that reads entries from a list whose comment has the numbers of both."""

    def read(entries):
        head = "" if sign == "::" else f"# Users: {SHAPE[0]} Items: {SHAPE[1]}\n"
        return load_bytes(name, (head + lines(entries, sign)).encode(), kind="ratings")

    return read


def as_matrix_market(entries):
    head = f"%%MatrixMarket matrix coordinate real general\n{SHAPE[0]} {SHAPE[1]} {len(entries)}\n"
    body = "".join(f"{u + 1} {i + 1} {value}\n" for u, i, value in entries)
    return load_bytes("r.mtx", (head + body).encode(), kind="ratings")


def as_archive(entries):
    """Return what our own archive of these entries gives, written without any check."""
    users, items, values = map(np.array, zip(*entries, strict=True))
    u, v = np.r_[users, items + SHAPE[0]], np.r_[items + SHAPE[0], users]
    order = np.lexsort((v, u))
    header = {"format": "warplens-graph", "version": 1, "name": "", "weighted": False,
              "source": {}, "num_users": SHAPE[0]}  # fmt: skip
    counts = np.bincount(u, minlength=sum(SHAPE))
    with np.errstate(over="ignore"):
        single = values.astype(np.float32)
    stream = io.BytesIO()
    np.savez(
        stream,
        header=np.frombuffer(json.dumps(header).encode(), np.uint8),
        indptr=np.r_[0, np.cumsum(counts)].astype(np.int64),
        indices=v[order].astype(np.int32),
        weights=np.ones(len(u), np.float32),
        values=single,
    )
    return load_bytes("r.npz", stream.getvalue(), kind="ratings")


def matrix_of(entries):
    users, items, values = map(np.array, zip(*entries, strict=True))
    return sparse.coo_array((values, (users, items)), shape=SHAPE)


def as_scipy_archive(entries):
    stream = io.BytesIO()
    sparse.save_npz(stream, matrix_of(entries))
    return load_bytes("r.npz", stream.getvalue(), kind="ratings")


def as_entries(entries):
    users, items, values = zip(*entries, strict=True)
    return Ratings.from_entries(users, items, values, SHAPE)


LOADERS = {
    "csv": as_list("r.csv", ","),
    "tsv": as_list("r.tsv", "\t"),
    "edge list": as_list("r.txt", " "),
    "MovieLens": as_list("ratings.dat", "::"),
    "Matrix Market": as_matrix_market,
    "archive": as_archive,
    "SciPy archive": as_scipy_archive,
    "SciPy matrix": lambda entries: Ratings.from_matrix(matrix_of(entries)),
    "entries": as_entries,
}
everywhere = pytest.mark.parametrize("load", LOADERS.values(), ids=LOADERS)


@everywhere
@pytest.mark.parametrize("value", ["nan", "inf", "-inf", "1e39"])
def test_ratings_that_are_no_numbers(load, value):
    with pytest.raises(GraphError, match=r"finite|too large") as caught:
        load([*GOOD, (3, 1, float(value))])
    assert "\n" not in str(caught.value)


@everywhere
def test_a_second_rating_of_an_item(load):
    with pytest.raises(GraphError, match=r"rated|rates|second time|twice|more than once"):
        load([*GOOD, (3, 0, 4.0)])


@everywhere
def test_users_and_items_without_ratings(load):
    found = load(GOOD)
    if found.names is not None:  # a list without declared numbers has only those that it names
        assert (found.num_silent_users, found.num_silent_items) == (0, 0)
        assert found.num_ratings == 3
        return
    assert found == Ratings.from_entries(*zip(*GOOD, strict=True), SHAPE)
    assert (found.num_silent_users, found.num_silent_items) == (1, 1)


def test_a_dense_matrix():
    dense = np.full(SHAPE, np.nan)
    for user, item, value in GOOD:
        dense[user, item] = value
    assert Ratings.from_matrix(dense) == as_entries(GOOD)
    dense[1, 1] = np.inf
    with pytest.raises(GraphError, match=r"is inf, which is not a finite"):
        Ratings.from_matrix(dense)
