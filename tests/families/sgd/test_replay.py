"""The CPU's update has the kernels' bits, whatever it is compiled for."""

from __future__ import annotations

import ctypes
import subprocess

import numpy as np
import pytest

from gpucore import native
from gpucore.device import get_device
from gpucore.families.sgd.factors import Factors, first_factors
from gpucore.families.sgd.native import SIZES, Rule, State, entries_of, replay
from gpucore.families.sgd.params import SgdParams
from gpucore.families.sgd.run import run
from gpucore.problems.ratings.ratings import Ratings
from gpucore.runner import Context
from support.racing import FOLDERS, source
from support.running import uncertified

MODELS = [{}, {"biases": True}, {"positive": True}]


def made(users=23, items=17, count=120, seed=0):
    rng = np.random.default_rng(seed)
    cells = rng.choice(users * items, count, replace=False)
    values = rng.uniform(-1, 5, count)
    return Ratings.from_entries(cells // items, cells % items, values, (users, items))


def by_kernel(train, first, order, params, sweep):
    """Return the factors after a sweep of the kernel for matchings, one rating a matching."""
    starts, users, values = train.by_item()
    items = np.repeat(np.arange(train.num_items, dtype=np.int32), np.diff(starts))
    p, q = first.users.copy(), first.items.copy()
    biases = [
        np.zeros(0, np.float32) if bias is None else bias.copy()
        for bias in (first.user_bias, first.item_bias)
    ]
    rule, width = Rule.of(params, sweep), min(32, params.padded // 2)
    flags = int(params.biases) | int(params.positive) << 1
    get_device("host").kernel("sgd_offline", "sgd_matchings")(
        1,
        max(32, width),
        [
            *(users, items, values, p, q, params.padded, *biases),
            *(first.mean, rule.rate, rule.decay, flags),
            *(order, np.arange(len(order) + 1, dtype=np.int64), 0, len(order)),
            *(1, np.zeros(4, np.uint32), 0),
        ],
        cooperative=True,
    )
    return Factors(p, q, first.mean, *(biases if params.biases else [None, None]))


def bits(factors):
    arrays = (factors.users, factors.items, factors.user_bias, factors.item_bias)
    return [None if array is None else array.tobytes() for array in arrays]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("k", [8, 13, 16, 24, 33, 64, 100, 128])
def test_a_replay_has_the_kernels_bits(k, model):
    train, params = made(), SgdParams(k=k, rate=0.07, reg=0.03, seed=k, **model)
    ours = theirs = first_factors(train, params)
    rng = np.random.default_rng(k)
    for sweep in range(3):
        order = rng.permutation(train.num_ratings).astype(np.int32)
        ours = replay(train, ours, order, params, sweep)
        theirs = by_kernel(train, theirs, order, params, sweep)
        assert bits(ours) == bits(theirs)


@pytest.mark.parametrize("model", [*MODELS, {"k": 100}, {"schedule": "cumf"}])
@pytest.mark.parametrize(("variant", "order"), [("el_shuffled", "shuffled"), ("el", "items")])
def test_one_thread_has_the_bits_of_one_worker(variant, order, model):
    problem = made()
    params = SgdParams(variant=variant, threads=1, sweeps=3, **model)
    device = get_device("host")
    theirs = run(problem, params, Context(device))
    ours = uncertified("sgd_serial", problem, sweeps=3, order=order, **model)
    for name in ("users", "items", "biases"):
        assert getattr(ours, name).tobytes() == getattr(theirs, name).tobytes(), name
    assert ours.rmse == pytest.approx(theirs.rmse, rel=1e-5)


def test_a_replay_longer_than_a_batch_is_a_sweep():
    problem = made(300, 200, 9_000)
    params = SgdParams(biases=True)
    first = first_factors(problem, params)
    order = np.random.default_rng(1).permutation(9_000)
    starts, users, values = problem.by_item()
    items = np.repeat(np.arange(200, dtype=np.int32), np.diff(starts))
    state = State(first)
    entries = entries_of(users[order], items[order], values[order])
    state.sweep("sgd_serial", entries, Rule.of(params, 0))
    assert bits(replay(problem, first, order, params, 0)) == bits(state.factors())


@pytest.fixture(scope="module")
def plain_code(cxx, tmp_path_factory):
    """Return the native code as it is on processors without wide vectors."""
    folder = tmp_path_factory.mktemp("plain")
    text = source("sgd_update.cpp").read_text()
    assert text.count("#if defined(__x86_64__)") == 1
    changed = folder / "sgd_update.cpp"
    changed.write_text(text.replace("#if defined(__x86_64__)", "#if 0"))
    parts = [source(f"{name}.cpp") for name in ("sgd_serial", "sgd_hogwild_omp")]
    search = [f"-I{path}" for path in FOLDERS]
    flags = ["-std=c++17", "-O3", "-ffp-contract=off", "-shared", "-fPIC", "-pthread"]
    library = folder / "libplain.so"
    subprocess.run([cxx, *flags, *search, changed, *parts, "-o", library], check=True)
    return ctypes.CDLL(str(library))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("k", SIZES)
def test_other_processors_give_the_same_bits(k, model, plain_code, monkeypatch):
    train, params = made(), SgdParams(k=k, rate=0.1, **model)
    first = first_factors(train, params)
    starts, users, values = train.by_item()
    items = np.repeat(np.arange(train.num_items), np.diff(starts))
    entries = entries_of(users, items, values)
    found = []
    for code in (native.load(), plain_code):
        monkeypatch.setattr(native, "load", lambda code=code: code)
        for name in ("sgd_serial", "sgd_hogwild_omp"):
            state = State(first, params.positive)
            state.sweep(name, entries, Rule.of(params, 0))
            found.append(bits(state.factors()))
    assert all(one == found[0] for one in found)
