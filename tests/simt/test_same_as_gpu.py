"""The executor and a GPU give the same results for the same source, which NVRTC compiles."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gpucore.device.host import HostDevice

from . import model, torture
from .card import KERNELS, Card

Host = Callable[..., HostDevice]

CASES = 40


@pytest.mark.parametrize("path", sorted(KERNELS.glob("*.cu")), ids=lambda path: path.stem)
def test_kernels_compile_for_a_gpu(path: Any) -> None:
    pytest.importorskip("cuda.bindings.nvrtc", reason="needs the packages of the test extra")
    from gpucore.device.nvrtc import compile_file

    assert compile_file(path, arch="sm_90").cubin


def random_masks(rng: np.random.Generator) -> np.ndarray:
    label = rng.integers(0, rng.integers(1, 7), 32)
    groups = [model.bits(np.flatnonzero(label == mine).tolist()) for mine in label]
    return np.array(groups, np.uint32)


def random_bits(rng: np.random.Generator, count: int, dtype: str) -> np.ndarray:
    return np.frombuffer(rng.bytes(count * np.dtype(dtype).itemsize), dtype).copy()


def both(host: Host, source: str, name: str, inputs: list[Any], outputs: list[np.ndarray]) -> None:
    """Launch one warp on both; all outputs have to be the same bits."""
    here, there = ([array.copy() for array in outputs] for _ in range(2))
    host().kernel(source, name)(1, 32, [*inputs, *here])
    Card().kernel(source, name)(1, 32, [*inputs, *there])
    for a, b in zip(here, there, strict=True):
        assert a.tobytes() == b.tobytes()


@pytest.mark.gpu
def test_torture(host: Host) -> None:
    assert torture.run(Card()) == torture.run(host())


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32", "float64"])
@pytest.mark.parametrize("kind", range(4), ids=["idx", "up", "down", "xor"])
def test_shuffles(host: Host, kind: int, dtype: str) -> None:
    rng = np.random.default_rng(kind)
    for _ in range(CASES):
        masks = random_masks(rng)
        width = int(rng.choice([1, 2, 4, 8, 16, 32]))
        offsets = rng.integers(0 if kind in (1, 2) else -70, 71, 32).astype(np.int32)
        # what a lane outside the mask gives is not defined: read from the own lane instead
        for lane in range(32):
            source = model.shuffle_source(kind, lane, int(offsets[lane]), width)
            if not int(masks[lane]) >> source & 1:
                offsets[lane] = lane if kind == 0 else 0
        values = random_bits(rng, 32, dtype)
        inputs = [kind, masks, values, offsets, np.full(32, width, np.int32)]
        both(host, "collectives", f"shuffle_{dtype}", inputs, [np.zeros(32, dtype)])


@pytest.mark.gpu
@pytest.mark.parametrize("dtype", ["int32", "uint32", "int64", "uint64", "float32", "float64"])
def test_matches(host: Host, dtype: str) -> None:
    rng = np.random.default_rng(5)
    for _ in range(CASES):
        values = random_bits(rng, 3, dtype)[rng.integers(0, 3, 32)]
        words, flags = np.zeros(32, np.uint32), np.zeros(32, np.int32)
        inputs = [random_masks(rng), values]
        both(host, "collectives", f"match_{dtype}", inputs, [words, words, flags])


@pytest.mark.gpu
def test_zeros_and_nans_match_as_on_the_gpu(host: Host) -> None:
    values = np.tile(np.array([0.0, -0.0, np.nan, np.inf], np.float32), 8)
    words, flags = np.zeros(32, np.uint32), np.zeros(32, np.int32)
    masks = np.full(32, 0xFFFFFFFF, np.uint32)
    both(host, "collectives", "match_float32", [masks, values], [words, words, flags])


@pytest.mark.gpu
def test_votes_and_reductions(host: Host) -> None:
    rng = np.random.default_rng(6)
    words, numbers = np.zeros(32, np.uint32), np.zeros(32, np.int32)
    for _ in range(CASES):
        masks = random_masks(rng)
        predicates = rng.integers(-1, 2, 32).astype(np.int32)
        both(host, "collectives", "vote", [masks, predicates], [words, numbers, numbers])
        signed, unsigned = random_bits(rng, 32, "int32"), random_bits(rng, 32, "uint32")
        both(host, "collectives", "reduce_int32", [masks, signed], [numbers] * 3)
        both(host, "collectives", "reduce_uint32", [masks, unsigned], [words] * 6)


@pytest.mark.gpu
@pytest.mark.parametrize(
    "name",
    [
        "add_int32", "add_uint64", "add_float32", "add_float64", "sub_int32", "sub_uint32",
        "min_int32", "min_int64", "max_uint64", "and_uint32", "or_uint64", "xor_int32",
        "exch_float32", "inc_uint32", "dec_uint32",
    ],
)  # fmt: skip
def test_atomics_of_one_thread(host: Host, name: str) -> None:
    dtype = name.split("_")[1]
    rng = np.random.default_rng(7)
    for _ in range(CASES // 4):
        if dtype.startswith("float"):
            cells, values = rng.normal(size=4).astype(dtype), rng.normal(size=50).astype(dtype)
        elif name.startswith(("inc", "dec")):
            cells, values = (rng.integers(0, 4, n).astype(dtype) for n in (4, 50))
        else:
            cells, values = random_bits(rng, 4, dtype), random_bits(rng, 50, dtype)
        where = rng.integers(0, 4, 50).astype(np.int32)
        here, there = ([cells.copy(), np.zeros_like(values)] for _ in range(2))
        host().kernel("atomics", name)(1, 1, [50, here[0], where, values, here[1]])
        Card().kernel("atomics", name)(1, 1, [50, there[0], where, values, there[1]])
        assert here[0].tobytes() == there[0].tobytes()
        assert here[1].tobytes() == there[1].tobytes()


@pytest.mark.gpu
def test_small_functions(host: Host) -> None:
    rng = np.random.default_rng(8)
    wide = random_bits(rng, 32, "uint64")
    wide[:3] = [0, 1, 2**64 - 1]
    outputs = [np.zeros(32 * 6, np.int32), np.zeros(64, np.uint64)]
    both(host, "builtins", "bits", [wide], outputs)
    inputs = [random_bits(rng, 32, "int32"), random_bits(rng, 32, "uint32")]
    inputs += [rng.normal(size=32).astype(np.float32), rng.normal(size=32)]
    outputs = [np.zeros(64, np.uint32), np.zeros(64), np.zeros(32, np.int32)]
    both(host, "builtins", "extremes", inputs, outputs)


@pytest.mark.gpu
def test_barriers_with_predicates(host: Host) -> None:
    rng = np.random.default_rng(9)
    for _ in range(CASES // 4):
        leaves = (rng.random(96) < 0.2).astype(np.int32)
        values = (rng.random(96) < rng.choice([0.02, 0.5, 0.99])).astype(np.int32)
        here, there = ([np.zeros(96, np.int32) for _ in range(3)] for _ in range(2))
        host().kernel("barriers", "predicates")(1, 96, [leaves, values, *here])
        Card().kernel("barriers", "predicates")(1, 96, [leaves, values, *there])
        assert [a.tolist() for a in here] == [a.tolist() for a in there]
