"""Token buckets: what is above the rate waits; the number of keys is bounded."""

import asyncio
import io
import logging
import re
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from warplens.app.site.channels import ChannelsHandler, rates_of_page
from warplens.app.site.log import BoundedStream, DropRepeats, bound_stderr
from warplens.app.site.places import Place, Visitor
from warplens.app.site.rates import Bucket, Buckets, Shares


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


def test_shares_of_a_class_behind_one_address():
    """Thirty visitors with cookies do not pay for one without, nor for each other."""
    clock = Clock()
    shares = Shares(2, 10, clock=clock)
    for _ in range(6000):
        assert shares.take(None, "school").wait <= 1  # a debt has a ceiling of seconds
        assert shares.take("greedy", "school").wait <= 1
    assert shares.take(None, "school").wait > 0
    assert all(shares.take(f"phone {i}", "school").wait == 0 for i in range(30))
    assert shares.take("elsewhere", "other").wait == 0


def test_what_was_not_used_is_given_back_and_no_more():
    clock = Clock()
    shares = Shares(2, 10, clock=clock)
    for _ in range(1000):
        shares.take("gone", "address").give_back()
    assert shares.take("gone", "address", 10).wait == 0
    turns = [shares.take("many", "address") for _ in range(400)]
    for turn in turns:
        turn.give_back()
        turn.give_back()
    served = sum(shares.take("many", "address").wait == 0 for _ in range(100))
    assert served == 10  # the burst, not what was asked for


@pytest.fixture
def restored():
    before = sys.stderr, sys.__stderr__
    yield
    sys.stderr, sys.__stderr__ = before


def test_handlers_that_exist_are_bounded_too(restored, monkeypatch):
    out = io.StringIO()
    monkeypatch.setattr(sys, "stderr", out)
    log = logging.getLogger("test.bounded")
    log.propagate = False
    log.addHandler(logging.StreamHandler())
    bound_stderr(0.001, 1000)
    for i in range(500):
        log.error("a line of a library, number %d", i)
        print("a traceback that no logger sees", file=sys.stderr)
    assert 900 < len(out.getvalue()) <= 1000


def test_a_stream_for_a_log_is_bounded():
    """Whatever is written in whatever pieces, the log holds the burst, and says what is missing."""
    out = io.StringIO()
    stream = BoundedStream(out, rate=0.001, burst=1000)
    for _ in range(500):
        stream.writelines(["Traceback\n", "x" * 90, "\n"])
    assert 900 < len(out.getvalue()) <= 1000
    stream._bucket.give_back(1000)
    stream.write("next\n")
    end = out.getvalue()[-100:]
    assert re.search(r"\(\d{5} characters of the log were left out\)\nnext\n$", end)


def test_the_debt_of_a_page_ends_however_often_it_connects():
    messages, content = rates_of_page(32 << 20)
    for _ in range(2000):
        messages.take()
        content.take(32 << 20)
    assert messages.owed() <= 1
    assert content.owed() <= 8


def test_a_message_whose_page_has_gone_waits_no_longer():
    async def wait_for_its_turn():
        handler = ChannelsHandler.__new__(ChannelsHandler)
        handler.initialize(1, 1)
        handler._place = Place(Visitor("ann", "10.0.0.1"))
        handler._messages = handler._bytes = Bucket(rate=0.001, burst=0)
        waiting = asyncio.create_task(handler.on_message(b"x"))
        await asyncio.sleep(0)
        handler.on_close()
        await asyncio.wait_for(waiting, 10)  # its turn is 1,000 seconds away

    with ThreadPoolExecutor(1) as pool:  # other tests of this process may have a loop
        pool.submit(asyncio.run, wait_for_its_turn()).result()


def test_a_page_that_goes_while_it_connects_is_no_error():
    handler = ChannelsHandler.__new__(ChannelsHandler)
    handler.initialize(1, 1)
    handler._place = Place(Visitor("ann", "10.0.0.1"))
    handler.connection = None  # as it is when Tornado has closed the websocket
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, handler.open("kernel")).result()
    assert not handler._place.was_connected
