"""Generated ratings: sizes, degrees, values, determinism, and what is refused."""

import hashlib
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.errors import GraphError
from gpucore.limits import Limits
from gpucore.problem import kinds
from gpucore.problems.ratings.cells import distinct_cells, power_law
from gpucore.problems.ratings.generate import RATINGS_GENERATORS, road, scale_free, uniform_ratings
from gpucore.problems.ratings.load import load_ratings
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.rebuild import rebuild
from support.graph_strategies import relaxed

# Digests of pattern and rounded values: they must not depend on the platform.
SPECS = {
    "scale_free:users=200,items=50,ratings=2000": "af814f4e575409da",
    "uniform_ratings:users=60,items=90,ratings=1500,seed=4": "3829f610d6c77303",
    "road:rows=20,columns=30": "84b29961699e342d",
}


@pytest.mark.parametrize("spec", SPECS)
def test_a_seed_gives_the_same_ratings_everywhere(spec):
    found = load_ratings(spec)
    assert found == load_ratings(spec) == rebuild(found.source)
    assert found != load_ratings(f"{spec.replace(',seed=4', '')},seed=9")
    indptr, items, values = found.by_user()
    arrays = (indptr.astype("<i8"), items.astype("<i4"), np.rint(values * 1000).astype("<i4"))
    digest = hashlib.sha256(b"".join(array.tobytes() for array in arrays)).hexdigest()
    assert digest[:16] == SPECS[spec]


def test_every_generator_is_tested_and_has_a_name_of_its_own():
    assert {spec.split(":")[0] for spec in SPECS} == set(RATINGS_GENERATORS)
    names = [name for kind in kinds().values() for name in kind.load_generators()]
    assert len(set(names)) == len(names)


@relaxed
@given(st.data(), st.sampled_from([scale_free, uniform_ratings]), st.integers(0, 2**40))
def test_as_many_different_pairs_as_asked_for(data, make, seed):
    users, items = data.draw(st.integers(1, 30)), data.draw(st.integers(1, 30))
    count = data.draw(st.integers(1, max(1, 3 * users * items // 4)))
    found = make(users, items, count, seed=seed)
    assert (found.shape, found.num_ratings) == ((users, items), count)


def test_popularity():
    busy, even = (make(2000, 500, 40_000) for make in (scale_free, uniform_ratings))
    by_item = np.sort(busy.degrees[2000:])[::-1]
    assert by_item[0] > 8 * np.median(by_item)
    assert even.degrees[2000:].max() < 1.7 * even.degrees[2000:].mean()
    ranks = np.arange(500) + 10
    slope = np.polyfit(np.log(ranks[:200]), np.log(by_item[:200]), 1)[0]
    assert -1 < slope < -0.7  # the law's exponent is -0.9


def test_dense_power_laws_are_filled_up():
    rng = np.random.default_rng(1)
    one = power_law(rng, 40, 8.0)  # nearly always the same few numbers
    i, j = distinct_cells(rng, (40, 40), 1200, one, one)
    cells = i.astype(int) * 40 + j
    assert (np.diff(cells) > 0).all()
    assert cells.size == 1200
    assert (cells.min(), cells.max()) >= (0, 1190)


def test_uniform_cells_are_equally_likely():
    counts = np.zeros(30)
    for seed in range(2000):
        i, j = distinct_cells(np.random.default_rng(seed), (5, 6), 10)
        counts[i * 6 + j] += 1
    assert counts.min() > 540
    assert counts.max() < 800


def test_roads():
    found = road(40, 50)
    matrix = found.to_matrix()
    assert found.shape == (2000, 2000)
    assert ((matrix != 0) != (matrix.T != 0)).nnz == 0
    assert found.max_degree <= 4
    assert 2.3 < found.num_ratings / 2000 < 2.6
    whole = road(3, 4, keep=1, k=0, noise=0)
    assert whole.num_ratings == 34
    assert set(whole.values) == {np.float32(3.6)}


def test_values_have_low_rank_and_noise():
    exact = uniform_ratings(60, 40, 1800, k=2, noise=0)
    users, items = exact.entries()
    full = np.full((60, 40), np.nan)
    full[users, items] = exact.values - np.float32(3.6)
    corner = full[np.ix_(*first_full_block(full))]
    assert np.linalg.matrix_rank(corner, tol=1e-4) == 2
    noisy = uniform_ratings(60, 40, 1800, k=0, noise=2)
    assert noisy.values.std() == pytest.approx(2, rel=0.1)
    assert noisy.mean == pytest.approx(3.6, abs=0.2)
    stars = uniform_ratings(60, 40, 1800, round=1)
    assert set(stars.values.tolist()) == {1, 2, 3, 4, 5}
    assert stars.source["spec"].endswith("k=8,noise=0.5,round=1,seed=1")


def first_full_block(full):
    """Return rows and columns of a block of four columns without gaps."""
    columns = np.arange(4)
    rows = np.flatnonzero(~np.isnan(full[:, columns]).any(axis=1))
    assert rows.size > 4
    return rows, columns


def test_smallest():
    assert scale_free(1, 1, 1).num_ratings == 1
    assert uniform_ratings(1, 9, 2).shape == (1, 9)
    assert road(1, 2, keep=1).entries()[1].tolist() == [1, 0]
    assert isinstance(load_ratings("road:rows=2,columns=2,keep=1"), Ratings)


BAD = {
    "parameter": ("scale_free:size=3", "generator scale_free has no parameter 'size'; it takes"),
    "missing": ("scale_free:users=3", "generator scale_free needs items, ratings"),
    "whole": ("road:rows=two,columns=3", "rows must be a whole number, not 'two'"),
    "users": ("scale_free:users=0,items=3,ratings=1", "users must be between 1 and"),
    "items": ("uniform_ratings:users=3,items=-3,ratings=1", "items must be between 1 and"),
    "ratings": ("scale_free:users=3,items=3,ratings=0", "ratings must be between 1 and"),
    "dense": (
        "scale_free:users=4,items=4,ratings=13",
        "13 ratings are more than three quarters of",
    ),
    "k": ("scale_free:users=4,items=4,ratings=3,k=2000", "k must be between 0 and 1024, not 2000"),
    "noise": ("scale_free:users=4,items=4,ratings=3,noise=-1", "noise must be between 0 and 1e.06"),
    "nan": ("scale_free:users=4,items=4,ratings=3,noise=nan", "noise must be between 0 and"),
    "round": ("scale_free:users=4,items=4,ratings=3,round=2", "round must be between 0 and 1"),
    "seed": (
        "scale_free:users=4,items=4,ratings=3,seed=-1",
        "seed must be a whole number of at le",
    ),
    "keep": ("road:rows=4,columns=3,keep=1.5", "keep must be between 0 and 1"),
    "lonely": ("road:rows=1,columns=1", "road: no ratings came out; take a larger matrix"),
    "no road": ("road:rows=3,columns=3,keep=0", "road: no ratings came out"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_specifications(case):
    spec, message = BAD[case]
    with pytest.raises(GraphError, match=message):
        load_ratings(spec)


@pytest.mark.parametrize(
    "spec",
    [
        "scale_free:users=90000000,items=9,ratings=9",
        "scale_free:users=90000,items=90000,ratings=90000000",
        "uniform_ratings:users=90000,items=90000,ratings=90000000",
        "road:rows=90000,columns=90000",
        "road:rows=2000000000,columns=2000000000",
    ],
)
def test_large_ratings_are_refused_before_memory_is_taken(spec):
    with pytest.raises(GraphError, match=r"more than the .* allowed here"):
        load_ratings(spec, limits=Limits(max_bytes=1 << 30))


@pytest.mark.parametrize(
    "spec",
    [
        "scale_free:users=3000,items=2000,ratings=100000",
        "scale_free:users=500,items=300,ratings=100000,round=1",
        "uniform_ratings:users=500,items=300,ratings=100000",
        "road:rows=150,columns=250,keep=1",
    ],
)
def test_generating_takes_no_more_memory_than_the_limits_reckon(spec):
    load_ratings(spec)  # imports
    tracemalloc.start()
    found = load_ratings(spec)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 40 * found.num_vertices + 128 * found.num_ratings
