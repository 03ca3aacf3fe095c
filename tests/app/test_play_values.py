"""The playground, which has no NumPy, reads arguments as the command line does."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.device.signature import Parameter as Native
from gpucore.device.signature import Signature
from gpucore.errors import WarplensError
from gpucore.watching.launches import given
from warplens.app.play import values
from warplens.app.play.engine import EXECUTOR, executor_digest
from warplens.app.play.generator import Generator

KINDS = {"b": 0, "i": 1, "u": 2, "f": 3}


def both(text, dtype, *, array=True, const=False):
    """Return what NumPy and the playground make of an argument."""
    kind = np.dtype(dtype)
    native = Native(kind, array, const, kind.itemsize)
    own = values.Parameter(KINDS[kind.kind], kind.itemsize, int(array), int(const))
    ((wanted,), empty) = given.read_arguments(Signature((native,)), [text], 96)
    (found,) = values.read_arguments([own], [text], 96)
    return wanted, found, bool(empty)


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("iota:int32:64", "i4"),
        ("iota:int8:300", "i1"),
        ("iota:uint8:300", "u1"),
        ("zeros:float32:12", "f4"),
        ("ones:float64:12", "f8"),
        ("ones:bool:12", "b1"),
        ("empty:int64:12", "i8"),
        ("random:float32:64:7", "f4"),
        ("random:float64:64", "f8"),
        ("random:int32:100:12345", "i4"),
        ("random:uint8:1000:3", "u1"),
        ("random:int8:1000:3", "i1"),
        ("random:int64:1:3", "i8"),
        ("list:int32:3,-1,2", "i4"),
        ("list:float32:0.5,1e3,-2", "f4"),
        ("iota:16", "i2"),
        ("auto", "f4"),
    ],
)
def test_an_array_has_the_same_bytes(text, dtype):
    wanted, found, empty = both(text, dtype)
    assert (found.dtype, found.array, found.empty) == (str(wanted.dtype), True, empty)
    if not empty:
        assert found.data == wanted.tobytes()


@pytest.mark.parametrize(("text", "dtype"), [("auto", "i4"), ("auto", "i1"), ("auto", "f8")])
def test_an_automatic_number_is_the_same(text, dtype):
    wanted, found, _ = both(text, dtype, array=False)
    assert found.data == np.asarray(wanted, dtype).tobytes()


@pytest.mark.parametrize("seed", [0, 1, 12345, 2**40 + 3, 2**200 + 7])
def test_random_numbers_are_numpys(seed):
    numpy = np.random.default_rng(seed)
    own = Generator(seed)
    assert [*own.floats(5)] == numpy.random(5).tolist()
    for bound in (1, 7, 64, 3_000_000_000):
        assert [*own.integers(bound, 33)] == numpy.integers(0, bound, 33).tolist()


@pytest.mark.parametrize(
    "text", ["iota:int32:999999999999", "list:int32:1,x", "iota:int31:4", "7x"]
)
def test_what_is_no_argument_is_refused_in_words(text):
    with pytest.raises(WarplensError, match=r"argument"):
        values.read_arguments([values.Parameter(1, 4, 1, 0)], [text], 64)


def test_the_executor_is_built_from_these_sources():
    digest = EXECUTOR.with_suffix(".txt").read_text().strip()
    assert digest == executor_digest(), "run python tools/playground.py"
