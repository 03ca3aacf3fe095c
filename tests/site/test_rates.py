"""Token buckets: what is above the rate waits; the number of keys is bounded."""

import logging

import pytest

from warplens.app.site.log import DropRepeats
from warplens.app.site.rates import Bucket, Buckets


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def test_a_burst_is_free_and_the_rest_waits_in_its_turn():
    clock = Clock()
    bucket = Bucket(10, 5, clock)
    assert [bucket.take() for _ in range(5)] == [0] * 5
    assert bucket.take() == pytest.approx(0.1)
    assert bucket.take() == pytest.approx(0.2)
    assert bucket.wait() == pytest.approx(0.3)
    clock.now = 0.31
    assert bucket.wait() == 0
    clock.now = 100
    assert [bucket.take() for _ in range(5)] == [0] * 5
    assert bucket.take() > 0


def test_strangers_cannot_make_endless_keys():
    clock = Clock()
    buckets = Buckets(1, 1, most=3, clock=clock)
    buckets["kept"].take(2)
    for i in range(10):
        buckets[i].take()
        assert buckets["kept"].wait() > 0
    assert len(buckets) == 3


def test_repeated_lines_of_the_log_are_counted(caplog):
    log = logging.getLogger("test.repeats")
    repeats = DropRepeats()
    log.addFilter(repeats)
    for i in range(1000):
        log.warning("refused %d", i)
    log.warning("another kind")
    assert len(caplog.records) == 11
    assert caplog.records[-1].getMessage() == "another kind"
