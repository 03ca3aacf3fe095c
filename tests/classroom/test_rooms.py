"""The classes of a server, without a network."""

from __future__ import annotations

import pytest

from warplens.app.classroom import rooms
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
