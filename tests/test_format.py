"""Bytes and seconds are written in a unit that suits them."""

import pytest

from gpucore.format import human_bytes, human_time


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0 B"),
        (1023, "1023 B"),
        (1536, "1.5 KiB"),
        (200_000, "195 KiB"),
        (32 << 20, "32 MiB"),
        (5 << 40, "5 TiB"),
    ],
)
def test_bytes(size, text):
    assert human_bytes(size) == text


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (3e-9, "3 ns"),
        (4.5e-6, "4.5 µs"),
        (9.99999e-4, "1 ms"),
        (0.00123, "1.23 ms"),
        (2.5, "2.5 s"),
        (130, "130 s"),
        (1234.5, "1,234 s"),
    ],
)
def test_seconds(seconds, text):
    assert human_time(seconds) == text
