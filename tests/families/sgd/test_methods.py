"""The CPU methods for factorisation: the kernels' bits, a plain SGD's numbers, the noise floor."""

from __future__ import annotations

import ctypes
import json
import re
import sys

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpucore.errors import Cancelled, MissingDependency, ParameterError
from gpucore.families.sgd.certificate import certify
from gpucore.families.sgd.factors import Factors, first_factors
from gpucore.families.sgd.log import MOST_GROWTH
from gpucore.families.sgd.methods import METHODS, in_blocks
from gpucore.families.sgd.native import Rule, State, entries_of
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.peers import PEERS
from gpucore.families.sgd.training import in_item_order, shuffled
from gpucore.installing import install_hint
from gpucore.loading import load
from gpucore.problems.ratings.ratings import Ratings
from gpucore.problems.ratings.split import split
from support.cancelling import Later
from support.running import uncertified

RUNNERS = {method.name: method for method in (*METHODS, *PEERS)}
OURS = [method.name for method in METHODS]
HERE = [name for name, method in RUNNERS.items() if method.available() is None]
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def solve(name, ratings, **params):
    """Run a method; its certificate has to hold, and its summary has to be JSON."""
    result = uncertified(name, ratings, **params)
    certificate = RUNNERS[name].certify(ratings, result)
    assert certificate.ok, str(certificate)
    json.dumps([result.summary(), result.params, result.device])
    return result


def made(users=40, items=30, count=300, seed=0, rank=3, noise=0.1):
    """Return ratings of a matrix of low rank, with noise."""
    rng = np.random.default_rng(seed)
    cells = rng.choice(users * items, count, replace=False)
    i, j = cells // items, cells % items
    p, q = rng.normal(0, 1, (users, rank)), rng.normal(0, 1, (items, rank))
    values = 3 + np.einsum("ij,ij->i", p[i], q[j]) * 0.5 + rng.normal(0, noise, count)
    return Ratings.from_entries(i, j, values, (users, items))


@st.composite
def ratings(draw):
    """Draw small ratings, also of a single pair, with users and items that have none."""
    users, items = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    cells = draw(st.sets(st.integers(0, users * items - 1), min_size=1, max_size=60))
    values = draw(st.lists(st.floats(-5, 5, width=32), min_size=len(cells), max_size=len(cells)))
    numbers = np.array(sorted(cells))
    return Ratings.from_entries(numbers // items, numbers % items, values, (users, items))


@st.composite
def rules(draw):
    """Draw parameters of the model."""
    kind = draw(st.sampled_from([{}, {"biases": True}, {"positive": True}]))
    return {
        "k": draw(st.sampled_from([8, 11, 16, 24, 64, 128])),
        "rate": draw(st.sampled_from([0.001, 0.01, 0.05])),
        "reg": draw(st.sampled_from([0.0, 0.05, 1.0])),
        "schedule": draw(st.sampled_from(["constant", "inverse", "cumf"])),
        "seed": draw(st.integers(0, 5)),
        "order_seed": draw(st.integers(0, 5)),
        **kind,
    }


def plain_sgd(train, params, order):
    """Return the factors of a plain SGD in double precision."""
    first = first_factors(train, params)
    p, q = first.users.astype(float), first.items.astype(float)
    biases = [np.zeros(train.num_users), np.zeros(train.num_items)] if params.biases else None
    for sweep in range(params.sweeps):
        rate = params.rate_of(sweep)
        for entry in order:
            u, i = entry["user"], entry["item"]
            error = entry["value"] - first.mean - p[u] @ q[i]
            if biases is not None:
                error -= biases[0][u] + biases[1][i]
                for bias, at in zip(biases, (u, i), strict=True):
                    bias[at] += rate * (error - params.reg * bias[at])
            moved = p[u] + rate * (error * q[i] - params.reg * p[u])
            q[i] += rate * (error * p[u] - params.reg * q[i])
            p[u] = moved
            if params.positive:
                np.maximum(p[u], 0, out=p[u])
                np.maximum(q[i], 0, out=q[i])
    return Factors(p, q, first.mean, *(biases or []))


def assert_same_bits(one, other):
    for name in ("users", "items", "biases"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name


@given(problem=ratings(), rule=rules(), order=st.sampled_from(["shuffled", "items"]))
@quick
def test_one_thread_is_a_plain_sgd(problem, rule, order):
    params = SgdParams(sweeps=3, test=0.2, **rule)
    result = solve("sgd_serial", problem, sweeps=3, test=0.2, order=order, **rule)
    train = split(problem, 0.2, 0).train
    entries = in_item_order(train)
    entries = entries if order == "items" else shuffled(entries, params.order_seed)
    expected = plain_sgd(train, params, entries)
    np.testing.assert_allclose(result.users, expected.users, rtol=1e-3, atol=1e-4)
    np.testing.assert_allclose(result.items, expected.items, rtol=1e-3, atol=1e-4)
    if params.biases:
        both = np.concatenate((expected.user_bias, expected.item_bias))
        np.testing.assert_allclose(result.biases, both, rtol=1e-3, atol=1e-4)


@given(problem=ratings(), rule=rules())
@quick
def test_with_one_thread_all_methods_are_the_same(problem, rule):
    one = solve("sgd_serial", problem, sweeps=2, **rule)
    assert_same_bits(one, solve("sgd_hogwild_omp", problem, sweeps=2, threads=1, **rule))
    assert_same_bits(one, solve("sgd_dsgd_omp", problem, sweeps=2, threads=1, **rule))


@given(problem=ratings(), rule=rules(), threads=st.integers(2, 5))
@quick
def test_dsgd_is_deterministic(problem, rule, threads):
    one, other = (
        solve("sgd_dsgd_omp", problem, sweeps=2, threads=threads, **rule) for _ in range(2)
    )
    assert_same_bits(one, other)


@given(problem=ratings(), count=st.integers(1, 7), order_seed=st.integers(0, 9))
@quick
def test_blocks_of_a_stratum_share_no_vector(problem, count, order_seed):
    entries = in_item_order(problem)
    blocks, starts = in_blocks(entries, count, order_seed)
    assert starts[0] == 0 and starts[-1] == len(blocks) and (np.diff(starts) >= 0).all()
    assert np.array_equal(np.sort(blocks, order=["item", "user"]), entries)
    for side, step in (("user", count), ("item", 1)):
        part = np.full(max(problem.shape), -1)
        for block in range(count * count):
            numbers = blocks[side][starts[block] : starts[block + 1]]
            mine = block // count if step == count else block % count
            assert set(part[numbers]) <= {-1, mine}
            part[numbers] = mine


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_parts_of_dsgd_have_about_equally_many_ratings(threads):
    problem = made(400, 300, 20_000)
    _, starts = in_blocks(in_item_order(problem), threads, 0)
    sizes = np.diff(starts).reshape(threads, threads)
    for side in (0, 1):
        assert sizes.sum(axis=side).max() < 1.1 * problem.num_ratings / threads


@given(problem=ratings(), rule=rules())
@quick
def test_errors_are_those_in_double_precision(problem, rule):
    params = SgdParams(**rule)
    factors = first_factors(problem, params)
    state, entries = State(factors, params.positive), in_item_order(problem)
    found = state.rmse(entries)
    expected = factors.rmse(entries["user"], entries["item"], entries["value"])
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-6)
    assert state.rmse(entries[:0]) != state.rmse(entries[:0])  # not a number


def test_errors_do_not_depend_on_the_number_of_threads():
    problem = made(700, 500, 100_000)
    params = SgdParams(k=24, biases=True)
    state, entries = State(first_factors(problem, params)), in_item_order(problem)
    assert len({state.rmse(entries, threads=threads) for threads in (1, 2, 3, 16)}) == 1
    factors = state.factors()
    expected = factors.rmse(entries["user"], entries["item"], entries["value"])
    assert state.rmse(entries) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("name", HERE)
def test_every_method_reaches_the_noise(name, threads):
    problem = made(300, 200, 12_000, noise=0.2)
    result = solve(
        name, problem, threads=threads, k=8, rate=0.1, decay=0.02, reg=0.02, sweeps=60, seed=2
    )
    assert result.rmse < 0.2 < result.test_rmse < 0.27
    figures = result.figures
    assert figures["rmse"] == figures["rmse_by_sweep"][-1]
    assert figures["test_rmse"] == figures["test_rmse_by_sweep"][-1]
    assert figures["sweeps"] == len(figures["seconds_by_sweep"]) == 60
    assert len(figures["rmse_by_sweep"]) == len(figures["test_rmse_by_sweep"]) == 61
    assert figures["ratings"] + figures["test_ratings"] == 12_000
    assert figures["updates_per_second"] == pytest.approx(60 * 10_800 / result.seconds)
    assert result.params["threads"] == (1 if name == "sgd_serial" else threads)


@pytest.mark.parametrize("kind", [{"biases": True}, {"positive": True}, {"schedule": "cumf"}])
@pytest.mark.parametrize("name", OURS)
def test_every_model_learns(name, kind):
    result = solve(name, made(), threads=2, sweeps=100, rate=0.05, **kind)
    assert result.rmse < 0.5 * result.figures["rmse_by_sweep"][0]
    if "positive" in kind:
        assert result.users.min() >= 0 and result.items.min() >= 0


@pytest.mark.parametrize("name", HERE)
def test_without_test_ratings_there_is_no_test_error(name):
    result = solve(name, made(), test=0.0, sweeps=2)
    assert result.test_rmse is None and result.figures["test_rmse_by_sweep"] == []
    assert result.figures["ratings"] == 300


@pytest.mark.parametrize("name", HERE)
def test_another_graph_gets_ratings(name):
    karate = load("karate")
    result = uncertified(name, karate, sweeps=1, test=0.0)
    assert result.figures["ratings"] == 156 and len(result.users) == 34


def test_regularisation_that_leads_to_zero_is_no_divergence():
    """The first vectors fit the only rating by chance; those that follow are smaller."""
    one = Ratings.from_entries([0], [0], [1.0])
    rule = {"k": 16, "rate": 0.01, "reg": 1.0, "schedule": "constant", "seed": 1, "positive": True}
    error = solve("sgd_serial", one, sweeps=3, test=0.2, **rule).figures["rmse_by_sweep"]
    assert error[0] < error[-1] / MOST_GROWTH
    assert error[-1] < 1


@pytest.mark.parametrize("rate", [1.0, 10.0])
@pytest.mark.parametrize("name", HERE)
def test_a_run_that_diverges_is_one_error(name, rate):
    with pytest.raises(ParameterError, match=r"after sweep \d+ .*; take a smaller rate"):
        uncertified(name, made(), rate=rate, sweeps=50, schedule="constant", reg=0.0)


@pytest.mark.parametrize("name", HERE)
@pytest.mark.parametrize(
    "wrong", [{"k": 4}, {"sweeps": 0}, {"rate": 0}, {"test": 0.9}, {"schedule": "no"}, {"seed": -1}]
)
def test_parameters_are_checked(name, wrong):
    with pytest.raises(ParameterError):
        uncertified(name, made(), **wrong)


def test_an_unknown_order_is_an_error():
    with pytest.raises(ParameterError, match="no order 'users'; it has shuffled, items"):
        uncertified("sgd_serial", made(), order="users")


@pytest.mark.parametrize("name", HERE)
@pytest.mark.parametrize("patience", [0, 1])
def test_runs_can_be_cancelled(name, patience):
    with pytest.raises(Cancelled):
        uncertified(name, made(), cancel=Later(patience), sweeps=10_000, threads=2)


@pytest.mark.parametrize("name", [*OURS, "squares", "replay"])
def test_cancelling_stops_a_sweep(name):
    problem = made(400, 300, 20_000)
    entries, flag = in_item_order(problem), ctypes.c_int(1)
    state = State(first_factors(problem, SgdParams()))
    before = state.users.copy()
    with pytest.raises(Cancelled):
        if name == "squares":
            state.rmse(entries, threads=2, flag=flag)
        elif name == "replay":
            arrays = [np.ascontiguousarray(entries[field]) for field in entries.dtype.names]
            state.replay(*arrays, np.arange(len(entries)), Rule(0.1, 0.0), flag=flag)
        else:
            threads = 1 if name == "sgd_serial" else 2
            blocks, starts = in_blocks(entries, threads, 0)
            state.sweep(name, blocks, Rule(0.1, 0.0), threads=threads, starts=starts, flag=flag)
    assert np.array_equal(state.users, before)


def test_vectors_of_other_sizes_are_refused():
    vectors = np.zeros((2, 12), np.float32)
    with pytest.raises(ParameterError, match="12 and 12 components cannot be updated"):
        State(Factors(vectors, vectors))


@pytest.mark.parametrize(
    ("users", "order", "message"),
    [
        ([0, 1], [0, 2], "there is no rating 2; there are 2"),
        ([0, 1], [-1], "there is no rating -1"),
        ([0, 3], [0], "there is no user 3; there are 2"),
    ],
)
def test_a_replay_of_what_is_not_there_is_refused(users, order, message):
    vectors = np.zeros((2, 8), np.float32)
    state = State(Factors(vectors, vectors))
    with pytest.raises(ParameterError, match=message):
        state.replay(
            np.array(users, np.int32),
            np.zeros(2, np.int32),
            np.ones(2, np.float32),
            np.array(order),
            Rule(0.1, 0.0),
        )


def test_the_first_vectors_stay_as_they_are():
    factors = first_factors(made(), SgdParams(biases=True))
    copies = [a.copy() for a in (factors.users, factors.items, factors.user_bias)]
    State(factors).sweep("sgd_serial", in_item_order(made()), Rule(0.1, 0.01))
    for one, other in zip(copies, (factors.users, factors.items, factors.user_bias), strict=True):
        assert np.array_equal(one, other)


def test_a_wrong_result_is_not_certified():
    problem = made()
    result = solve("sgd_serial", problem, sweeps=2)
    result.users[0, 0] += 1
    assert not certify(problem, result).ok


def test_entries_are_read_as_native_code_does():
    entries = entries_of([1, 2], [3, 4], [0.5, 1.5])
    assert entries.itemsize == 12 and entries["item"].tolist() == [3, 4]


class TestCornac:
    """The peer: same vectors, same order, hence almost the same numbers."""

    @pytest.fixture(autouse=True)
    def _installed(self):
        pytest.importorskip("cornac")

    @pytest.mark.parametrize("biases", [False, True])
    def test_it_agrees_with_one_thread(self, biases):
        given = {"sweeps": 5, "k": 11, "biases": biases, "rate": 0.05}
        theirs = solve("cornac_mf", made(), threads=1, **given)
        ours = solve("sgd_serial", made(), **given)
        np.testing.assert_allclose(theirs.users, ours.users, rtol=1e-3, atol=1e-4)
        np.testing.assert_allclose(theirs.biases, ours.biases, rtol=1e-3, atol=1e-4)
        assert "cornac" in theirs.device

    def test_positive_factors_are_refused(self):
        with pytest.raises(ParameterError, match="no positive factors"):
            uncertified("cornac_mf", made(), positive=True)


def test_without_cornac_its_method_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "cornac", None)
    with pytest.raises(MissingDependency, match=re.escape(install_hint("peers"))):
        uncertified("cornac_mf", made())
