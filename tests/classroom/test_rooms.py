"""The classes of a server, without a network."""

from __future__ import annotations

import json
import random
import sys

import pytest

from warplens.app.classroom import rooms, seats
from warplens.app.classroom.messages import parse
from warplens.app.classroom.rooms import ClassError, Rooms

QUESTION = {"kind": "ask", "number": 1, "ask": "Which suitor?", "choices": ["1", "2", "3"]}


class Browser:
    """Keeps what it was sent."""

    def __init__(self):
        self.heard = []
        self.dropped = ""

    def send(self, message):
        self.heard.append(message)

    def drop(self, reason):
        self.dropped = reason

    @property
    def last(self):
        return self.heard[-1]


@pytest.fixture
def room():
    return Rooms().open(b"page")


def join(room, *names):
    browsers = [Browser() for _ in names]
    for browser, name in zip(browsers, names, strict=True):
        room.join(browser, name)
    return browsers


def test_steps_reach_all_who_follow_and_late_ones_too(room):
    (one,) = join(room, "student1")
    room.command({"kind": "step", "step": 7})
    (two,) = join(room, "student2")
    assert one.last == {"kind": "step", "step": 7}
    assert two.last == {"kind": "state", "run": 0, "step": 7, "question": None}


POINT = {"kind": "point", "caption": "1 pushes 8 out.", "vertices": [1, 8], "edges": [[1, 2]]}
HEARD = {**POINT, "warps": [], "lanes": None}


def test_what_the_lecturer_points_at_reaches_all_until_another_run(room):
    lecturer = Browser()
    room.lead(lecturer)
    (one,) = join(room, "student1")
    reports = len(lecturer.heard)
    room.command(parse(json.dumps(POINT)))
    (two,) = join(room, "student2")
    assert one.last == HEARD
    assert [message["kind"] for message in two.heard] == ["state", "point"]
    assert two.last == HEARD
    assert len(lecturer.heard) == reports + 1  # of the student, none of the pointing
    room.show(b"other")
    (three,) = join(room, "student3")
    assert [message["kind"] for message in three.heard] == ["state"]


@pytest.mark.parametrize(
    "change",
    [
        {"caption": "x" * 2001},
        {"caption": None},
        {"vertices": list(range(65))},
        {"vertices": 7},
        {"vertices": [-1]},
        {"vertices": [True]},
        {"vertices": [1 << 31]},
        {"edges": [[1, 2, 3]]},
        {"edges": [7]},
        {"edges": [["1", 2]]},
        {"warps": ["<b>"]},
        {"lanes": -1},
    ],
)
def test_pointing_that_does_not_fit(room, change):
    (student,) = join(room, "student1")
    with pytest.raises(ClassError):
        room.command({**POINT, **change})
    assert room.pointing is None
    assert [message["kind"] for message in student.heard] == ["state"]


def test_thirty_answers_are_counted_once_each(room):
    lecturer = Browser()
    room.lead(lecturer)
    students = join(room, *(f"student{k}" for k in range(30)))
    room.command(QUESTION)
    number = students[0].last["question"]["number"]
    for k, student in enumerate(students):
        room.answer(student, {"kind": "answer", "question": number, "choice": 0})
        room.answer(student, {"kind": "answer", "question": number, "choice": k % 3})
    assert lecturer.last["counts"] == [10, 10, 10]
    assert "counts" not in students[0].last["question"]  # before the answer is shown
    # Who loses the connection comes back as the same student.
    room.leave(students[4])
    assert lecturer.last["counts"] == [10, 10, 10]
    (again,) = join(room, "student4")
    assert again.last["question"]["yours"] == 1
    room.answer(again, {"kind": "answer", "question": number, "choice": 2})
    assert lecturer.last["counts"] == [10, 9, 11]
    assert lecturer.last["students"] == 30

    room.command({"kind": "reveal", "right": 2, "because": "Its bid is the best."})
    room.answer(again, {"kind": "answer", "question": number, "choice": 0})  # too late
    assert lecturer.last["counts"] == [10, 9, 11]
    assert students[0].last["question"]["counts"] == [10, 9, 11]
    assert students[0].last["question"]["right"] == 2
    room.command({**QUESTION, "number": 2})
    room.answer(again, {"kind": "answer", "question": number, "choice": 0})  # to the last one
    assert lecturer.last["counts"] == [0, 0, 0]


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"kind": "step"},
        {"kind": "step", "step": -1},
        {"kind": "step", "step": True},
        {**QUESTION, "choices": ["one"]},
        {**QUESTION, "choices": "abc"},
        {**QUESTION, "ask": 3},
        {**QUESTION, "ask": "x" * 501},
        {**QUESTION, "number": "1"},
        {"kind": "reveal", "right": 0, "because": ""},  # nothing was asked
    ],
)
def test_a_lecturers_message_that_does_not_fit(room, message):
    with pytest.raises(ClassError):
        room.command(message)
    assert (room.step, room.question) == (0, None)


def test_a_students_message_that_does_not_fit(room):
    (student,) = join(room, "student1")
    room.command(QUESTION)
    for choice in (3, -1, "0", None):
        with pytest.raises(ClassError):
            room.answer(student, {"kind": "answer", "question": 1, "choice": choice})
    with pytest.raises(ClassError):
        room.answer(student, {"kind": "step", "step": 3})
    assert room.question.counts() == [0, 0, 0]


def test_another_run_begins_at_its_start(room):
    (student,) = join(room, "student1")
    room.command({"kind": "step", "step": 7})
    room.show(b"other")
    assert student.last == {"kind": "state", "run": 1, "step": 0, "question": None}
    assert room.page == b"other"


def test_what_is_asked_twice_keeps_its_answers(room):
    (student,) = join(room, "student1")
    room.command(QUESTION)
    room.answer(student, {"kind": "answer", "question": 1, "choice": 2})
    room.show(b"other")
    room.command(QUESTION)  # from a page that connects again
    assert room.question.counts() == [0, 0, 1]
    room.command({"kind": "reveal", "right": 2, "because": "It is."})
    room.command(QUESTION)
    assert room.question.verdict["right"] == 2
    room.command({**QUESTION, "number": 2})
    assert room.question.counts() == [0, 0, 0]
    assert room.question.verdict == {}


def test_classes_are_bounded_and_end(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(rooms, "monotonic", lambda: now[0])
    known = Rooms(lambda: now[0])
    first = known.open(b"x")
    (student,) = join(first, "student1")
    for _ in range(rooms.MOST_ROOMS - 1):
        known.open(b"x")
    with pytest.raises(ClassError, match="classes are under way"):
        known.open(b"x")
    now[0] = rooms.LIFETIME + 1
    known.open(b"x")
    assert student.last == {"kind": "over"}
    assert known.find(first.code) is None
    for page in (b"", bytes(rooms.MOST_PAGE_BYTES + 1)):
        with pytest.raises(ClassError, match="MiB"):
            known.open(page)


def test_a_full_class_says_so(room, monkeypatch):
    monkeypatch.setattr(rooms, "MOST_STUDENTS", 1)
    join(room, "student1")
    with pytest.raises(ClassError, match="full"):
        join(room, "student2")


def test_an_address_has_a_share_and_empty_seats_without_an_answer_make_room():
    room = Rooms(students_of_address=2).open(b"page")
    one, two = Browser(), Browser()
    room.join(one, "student1", "here")
    room.join(two, "student2", "here")
    room.command(QUESTION)
    room.answer(one, {"kind": "answer", "question": 1, "choice": 0})
    with pytest.raises(ClassError, match="this network"):
        room.join(Browser(), "student3", "here")
    room.join(Browser(), "student4", "there")
    room.leave(one)
    room.leave(two)
    room.join(Browser(), "student3", "here")  # student2 has not answered
    assert not room.has_seat("student2")
    with pytest.raises(ClassError, match="this network"):
        room.join(Browser(), "student2", "here")
    again = Browser()  # student1 slept, and its answer holds its seat
    room.join(again, "student1", "here")
    assert again.last["question"]["yours"] == 0
    room.command({**QUESTION, "number": 2})
    room.leave(again)
    room.join(Browser(), "student2", "here")  # that answer was to another question


def test_seats_that_come_and_go_leave_nothing():
    room = Rooms(students_of_address=5).open(b"page")
    for k in range(3000):
        browser = Browser()
        room.join(browser, f"student{k}", f"address{k % 200}")
        room.leave(browser)
    assert len(room._seats._seats) <= rooms.MOST_STUDENTS
    assert max(room._seats._of_address.values()) <= 5
    assert sum(room._seats._of_address.values()) == len(room._seats._seats)
    assert room._seats.followed == 0
    assert sum(map(len, room._seats._empty.values())) == len(room._seats._seats)


def test_tabs_of_one_seat_share_a_vote_and_the_oldest_gives_way(room):
    lecturer = Browser()
    room.lead(lecturer)
    tabs = join(room, *["student1"] * (seats.MOST_OF_SEAT + 1))
    assert [bool(tab.dropped) for tab in tabs] == [True, *[False] * seats.MOST_OF_SEAT]
    assert lecturer.last["students"] == 1
    room.command(QUESTION)
    for choice, tab in enumerate(tabs[1:]):
        room.answer(tab, {"kind": "answer", "question": 1, "choice": choice % 3})
    assert lecturer.last["counts"] == [0, 0, 1]
    assert {tab.last["question"]["yours"] for tab in tabs[1:]} == {2}
    heard = len(lecturer.heard)
    room.answer(tabs[0], {"kind": "answer", "question": 1, "choice": 0})  # it is no one any more
    room.leave(tabs[0])
    assert len(lecturer.heard) == heard


def test_the_oldest_page_of_the_lecturer_gives_way(room):
    pages = [Browser() for _ in range(rooms.MOST_LECTURERS + 2)]
    for page in pages:
        room.lead(page)
    assert [bool(page.dropped) for page in pages] == [True] * 2 + [False] * rooms.MOST_LECTURERS
    join(room, "student1")
    assert [page.last["students"] for page in pages[2:]] == [1] * rooms.MOST_LECTURERS
    assert pages[0].last["students"] == 0


def test_what_a_join_costs_does_not_grow_with_the_class(room):
    lecturer = Browser()
    room.lead(lecturer)
    calls = []

    def count(_frame, event, _argument):
        calls.append(event)

    costs = []
    for k in range(rooms.MOST_STUDENTS):
        calls.clear()
        browser = Browser()
        sys.setprofile(count)
        try:
            room.join(browser, f"student{k}")
        except ClassError:
            break
        finally:
            sys.setprofile(None)
        costs.append(len(calls))
    assert len(costs) == rooms.STUDENTS_OF_ADDRESS
    assert costs[-1] <= costs[1]


def test_counts_are_those_of_all_answers(room):
    generator = random.Random(5)
    (*students,) = join(room, *(f"student{k}" for k in range(20)))
    room.command(QUESTION)
    for _ in range(500):
        choice = generator.randrange(3)
        room.answer(generator.choice(students), {"kind": "answer", "question": 1, "choice": choice})
    given = list(room.question.answers.values())
    assert room.question.counts() == [given.count(choice) for choice in range(3)]


def test_classes_are_shared_among_lecturers_and_addresses():
    known = Rooms()
    for _ in range(rooms.MOST_OF_LECTURER):
        known.open(b"x", ("ann", "here"))
    with pytest.raises(ClassError, match="of this browser"):
        known.open(b"x", ("ann", "there"))
    for k in range(rooms.MOST_OF_ADDRESS - rooms.MOST_OF_LECTURER):
        known.open(b"x", (f"stranger{k}", "here"))
    with pytest.raises(ClassError, match="of this network"):
        known.open(b"x", ("stranger", "here"))
    known.open(b"x", ("bob", "there"))


def test_classes_that_nobody_leads_or_follows_end():
    now = [0.0]
    known = Rooms(lambda: now[0])
    never_led, led, followed = (known.open(b"x") for _ in range(3))
    lecturer = Browser()
    led.lead(lecturer)
    led.leave(lecturer)
    followed.lead(lecturer)
    join(followed, "student1")
    followed.leave(lecturer)
    now[0] = rooms.NEVER_LED + 1
    assert known.find(never_led.code) is None
    assert known.find(led.code) is led
    now[0] = rooms.DESERTED + 1
    assert known.find(led.code) is None
    assert known.find(followed.code) is followed  # the lecturer's computer sleeps
    now[0] = rooms.LIFETIME + 1
    assert known.find(followed.code) is None


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("[" * 16000, "nests too deep"),
        ('{"a": [[[[[]]]]]}', "nests too deep"),
        ("[]", "is no JSON object"),
        ("9" * 9000, "is no JSON"),
        (b"\xff\xfe", "is no JSON"),
        ("x" * 20000, "at most 16 KiB"),
    ],
)
def test_a_text_that_is_no_message(message, words):
    with pytest.raises(ClassError, match=words):
        parse(message)


def test_a_lecturers_messages_are_none_of_too_deep_ones():
    assert parse(json.dumps(QUESTION)) == QUESTION


def test_a_class_that_is_over_closes_its_connections():
    known = Rooms()
    room = known.open(b"page")
    lecturer = Browser()
    room.lead(lecturer)
    (student,) = join(room, "student1")
    known.close(room)
    assert student.last == {"kind": "over"}
    assert lecturer.dropped == student.dropped == "the class is over"
    room.leave(student)
