"""The benchmark ratings are the published draws."""

import numpy as np
import pytest

from gpucore.bench import cache
from gpucore.errors import GraphError
from gpucore.problems.ratings import benchmarks
from gpucore.problems.ratings.benchmarks import SIZES, draw, generate_ratings
from gpucore.problems.ratings.ratings import Ratings


def published(users, items, draws):
    """Return the draws as the published times' own program makes them."""
    rng = np.random.default_rng(6)

    def power(size, exponent):
        bounds = np.cumsum((np.arange(size) + 10.0) ** -exponent)
        order = rng.permutation(size)
        return order[np.searchsorted(bounds, rng.random(draws) * bounds[-1])]

    i, j = power(users, 0.6), power(items, 0.9)
    x, y = (rng.normal(0, 0.5, (size, 8)).astype("f4") for size in (users, items))
    values = np.empty(draws, "f4")
    for start in range(0, draws, 1 << 20):
        part = slice(start, start + (1 << 20))
        noise = rng.normal(0, 0.5, len(i[part])).astype("f4")
        values[part] = 3.6 + np.einsum("ij,ij->i", x[i[part]], y[j[part]]) + noise
    return i, j, np.clip(np.rint(values), 1, 5)


@pytest.mark.parametrize("size", [(2_400, 4_442, 100_000), (900, 300, (1 << 20) + 5)])
def test_draws_are_the_published_ones(size):
    for ours, theirs in zip(draw(*size), published(*size), strict=True):
        assert np.array_equal(ours, theirs)


def test_the_last_draw_of_a_pair_counts():
    found = generate_ratings("ratings100k")
    size = SIZES["ratings100k"]
    users, items, values = draw(*size[:3])
    last = dict(zip(zip(users.tolist(), items.tolist(), strict=True), values, strict=True))
    assert found.num_ratings == len(last) == size.ratings
    assert found.shape == size[:2]
    users, items = found.entries()
    kept = [last[pair] for pair in zip(users.tolist(), items.tolist(), strict=True)]
    assert found.values.tolist() == kept
    assert found.range == (1, 5)


def test_other_names_and_other_draws_are_errors(monkeypatch):
    with pytest.raises(GraphError, match=r"no benchmark ratings 'ratings'; there are ratings20m"):
        generate_ratings("ratings")
    monkeypatch.setitem(
        benchmarks.SIZES, "ratings100k", SIZES["ratings100k"]._replace(ratings=94_085)
    )
    with pytest.raises(GraphError, match=r"94086 ratings instead of 94085: this NumPy draws other"):
        generate_ratings("ratings100k")


def test_the_cache_gives_ratings_back(tmp_path):
    first = cache.load_graph("ratings100k", tmp_path)
    assert isinstance(first, Ratings)
    assert first == cache.load_graph("ratings100k", tmp_path) == generate_ratings("ratings100k")
    assert (first.name, first.source) == (
        "ratings100k", {"kind": "benchmark", "spec": "ratings100k"}
    )  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["ratings100k.npz"]
