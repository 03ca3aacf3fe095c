"""Places: shares of a visitor and of an address, and the queue."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warplens.app.site.places import LONGEST_QUEUE, SECONDS_IN_QUEUE, NoPlace, Places, Visitor


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


def visitors(number):
    return [Visitor(f"v{i}", f"10.0.0.{i}") for i in range(number)]


def reason(places, visitor):
    with pytest.raises(NoPlace) as refused:
        places.take(visitor)
    return refused.value.reason, refused.value.position


def test_one_visitor_has_a_share_only(clock):
    places = Places(16, 8, 12, clock)
    ann, bob = visitors(2)
    taken = [places.take(ann) for _ in range(8)]
    assert reason(places, ann) == ("visitor", 0)
    places.take(bob)
    places.release(taken[0])
    places.take(ann)


def test_new_cookies_do_not_make_a_new_share(clock):
    places = Places(16, 8, 12, clock)
    for i in range(12):
        places.take(Visitor(f"cookie {i}", "10.0.0.1"))
    assert reason(places, Visitor("another cookie", "10.0.0.1")) == ("address", 0)
    places.take(Visitor("elsewhere", "10.0.0.2"))


def test_the_page_that_lost_its_browser_first_is_found(clock):
    places = Places(16, 8, 12, clock)
    ann, bob = visitors(2)
    starts, open_, late, early = (places.take(ann) for _ in range(4))
    places.take(bob).was_connected = True
    assert places.lost_of(ann) is None
    for place in (open_, late, early):
        place.was_connected = True
    open_.sockets.append("a websocket")
    late.seen = 1.0
    assert places.lost_of(ann) is early
    places.release(early)
    places.release(late)
    assert places.lost_of(ann) is None
    assert starts in places


def test_the_queue_is_served_in_its_order(clock):
    places = Places(1, 1, 1, clock)
    first, second, third = visitors(3)
    place = places.take(first)
    assert reason(places, second) == ("full", 1)
    assert reason(places, third) == ("full", 2)
    assert reason(places, second) == ("full", 1)
    places.release(place)
    assert reason(places, third) == ("full", 2)
    place = places.take(second)
    assert reason(places, third) == ("full", 1)
    places.release(place)
    places.release(place)
    assert places.used == 0
    places.take(third)


def test_who_does_not_ask_again_leaves_the_queue(clock):
    places = Places(1, 1, 1, clock)
    first, second, third = visitors(3)
    place = places.take(first)
    reason(places, second)
    clock.now += SECONDS_IN_QUEUE / 2
    reason(places, third)
    places.release(place)
    clock.now += SECONDS_IN_QUEUE / 2 + 1
    places.take(third)


def test_the_queue_is_bounded(clock):
    places = Places(1, 1, 1, clock)
    places.take(Visitor("inside", "10.0.0.0"))
    crowd = [Visitor(f"v{i}", f"10.1.0.{i}") for i in range(LONGEST_QUEUE)]
    for position, visitor in enumerate(crowd, 1):
        assert reason(places, visitor) == ("full", position)
    assert reason(places, Visitor("late", "10.2.0.0")) == ("queue", 0)


def test_one_address_cannot_fill_the_queue(clock):
    places = Places(1, 1, 1, clock)
    places.take(Visitor("inside", "10.0.0.0"))
    answers = [reason(places, Visitor(f"v{i}", "10.0.0.1")) for i in range(10)]
    assert answers == [("full", 1), ("full", 2), ("full", 3), ("full", 4), *[("queue", 0)] * 6]


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.booleans()), max_size=60))
def test_no_share_is_exceeded(steps):
    clock = Clock()
    places, taken = Places(4, 2, 3, clock), []
    for name, address, gives_back in steps:
        clock.now += 3
        if gives_back and taken:
            places.release(taken.pop(0))
            continue
        try:
            taken.append(places.take(Visitor(f"v{name}", f"10.0.0.{address}")))
        except NoPlace as none:
            assert none.position >= 0
        assert places.used == len(taken) <= 4
        for place in taken:
            mine = [p for p in taken if p.visitor.name == place.visitor.name]
            near = [p for p in taken if p.visitor.address == place.visitor.address]
            assert len(mine) <= 2
            assert len(near) <= 3
