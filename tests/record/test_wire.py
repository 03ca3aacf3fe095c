"""Messages to the browser unpack to what was packed."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from gpucore.errors import RecordError
from gpucore.record.wire import DTYPES, decode, encode


@settings(max_examples=60, deadline=None)
@given(
    meta=st.dictionaries(st.text(), st.text() | st.integers() | st.none(), max_size=3),
    arrays=st.dictionaries(
        st.text(max_size=9),
        st.sampled_from(DTYPES).flatmap(
            lambda name: hnp.arrays(name, hnp.array_shapes(min_dims=0, max_dims=2, min_side=0))
        ),
        max_size=5,
    ),
)
def test_round_trip(meta, arrays):
    message = encode(meta, arrays)
    meta_again, arrays_again = decode(message)
    assert meta_again == meta
    assert arrays_again.keys() == arrays.keys()
    for name, array in arrays.items():
        assert arrays_again[name].dtype == array.dtype
        assert arrays_again[name].shape == array.shape
        assert arrays_again[name].tobytes() == array.tobytes()


def test_arrays_lie_where_browsers_can_map_them():
    message = encode({"a": 1}, {"x": np.zeros(3, np.uint8), "y": np.ones(2, np.float64)})
    length = int.from_bytes(message[4:8], "little")
    content = json.loads(message[8 : 8 + length])
    assert [entry["offset"] % 8 for entry in content["arrays"]] == [0, 0]
    assert message[:4] == b"WSR1"
    assert len(message) % 8 == 0


def test_big_endian_and_strided_arrays():
    arrays = {"big": np.arange(4, dtype=">i4"), "strided": np.arange(10, dtype=np.int32)[::3]}
    decoded = decode(encode({}, arrays))[1]
    assert decoded["big"].tolist() == [0, 1, 2, 3]
    assert decoded["strided"].tolist() == [0, 3, 6, 9]


def test_what_browsers_do_not_know():
    with pytest.raises(RecordError, match="complex128"):
        encode({}, {"z": np.zeros(2, np.complex128)})
    with pytest.raises(ValueError, match="not JSON compliant"):
        encode({"x": float("nan")}, {})


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damaged_messages(data):
    message = bytearray(encode({"n": 3}, {"x": np.arange(3), "y": np.zeros((2, 2), np.float32)}))
    place = data.draw(st.integers(0, len(message) - 1))
    message[place] = data.draw(st.integers(0, 255))
    try:
        decode(bytes(message[: data.draw(st.integers(0, len(message)))]))
    except RecordError as error:
        assert str(error)
