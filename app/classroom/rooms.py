"""The classes of a server: what the lecturer shows, who follows, who answered what.

Independent of the network: a connection is anything with ``send(message)``.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Protocol

#: Letters of a code that are not mistaken for others on a blackboard.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 6
#: Classes at the same time, students of one, bytes of its page, seconds without its lecturer.
MOST_ROOMS, MOST_STUDENTS, MOST_PAGE_BYTES, LIFETIME = 8, 400, 24 << 20, 2 * 3600
#: Longest text of a question or an answer, and most answers.
MOST_CHARACTERS, MOST_CHOICES = 500, 12


class ClassError(ValueError):
    """A message that does not fit; its text is for whoever sent it."""


class Connection(Protocol):
    """Where messages for one browser go."""

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; never waits."""


@dataclass
class Question:
    """A question to the class.

    Attributes
    ----------
    number : int
        Given by the lecturer's page. Answers name it, so that a late one does not count for the
        next question; a page that lost its connection asks with it again, and no answer is lost.
    ask : str
    choices : list of str
    answers : dict of str to int
        The last choice of each student.
    verdict : dict
        The right choice and the reason, once the lecturer has shown them.
    """

    number: int
    ask: str
    choices: list[str]
    answers: dict[str, int] = field(default_factory=dict)
    verdict: dict[str, Any] = field(default_factory=dict)

    def counts(self) -> list[int]:
        """Return how many students chose each answer."""
        given = list(self.answers.values())
        return [given.count(choice) for choice in range(len(self.choices))]


class Room:
    """One class.

    Parameters
    ----------
    code, secret : str
        What students and the lecturer's page know.
    page : bytes
        The static page of the run.
    """

    def __init__(self, code: str, secret: str, page: bytes) -> None:
        self.code, self.secret, self.page = code, secret, page
        self.run = 0
        self.step = 0
        self.question: Question | None = None
        self.last = monotonic()
        self._lecturers: set[Connection] = set()
        self._students: dict[Connection, str] = {}

    # The lecturer

    def lead(self, connection: Connection) -> None:
        """Connect a page of the lecturer."""
        self.last = monotonic()
        self._lecturers.add(connection)
        self._report()

    def show(self, page: bytes) -> None:
        """Replace the run. A question stays: the lecturer's page says when it ends."""
        self.page, self.step = page, 0
        self.run += 1
        self._update_all()

    def command(self, message: dict[str, Any]) -> None:
        """Do what the lecturer's page asks for.

        Raises
        ------
        ClassError
            The message does not fit.
        """
        self.last = monotonic()
        kind = message.get("kind")
        if kind == "step":
            self.step = _whole(message.get("step"), 1 << 53)
            self._broadcast({"kind": "step", "step": self.step})
        elif kind == "ask":
            self._ask(message)
        elif kind == "reveal" and self.question is not None:
            right = _whole(message.get("right"), len(self.question.choices) - 1)
            self.question.verdict = {"right": right, "because": _text(message.get("because"))}
            self._update_all()
        elif kind == "quiet":
            self.question = None
            self._update_all()
        else:
            raise ClassError("a lecturer's message of an unknown kind")
        if kind != "step":
            self._report()

    def _ask(self, message: dict[str, Any]) -> None:
        choices = message.get("choices")
        if not isinstance(choices, list) or not 2 <= len(choices) <= MOST_CHOICES:
            raise ClassError(f"a question has 2 to {MOST_CHOICES} choices")
        number = _whole(message.get("number"), 1 << 53)
        if self.question is not None and self.question.number == number:
            return
        self.question = Question(number, _text(message.get("ask")), [*map(_text, choices)])
        self._update_all()

    # The students

    def join(self, connection: Connection, student: str) -> None:
        """Connect a student's page, and bring it to where the class is.

        Raises
        ------
        ClassError
            The class is full.
        """
        if len(self._students) >= MOST_STUDENTS:
            raise ClassError(f"this class is full: it has {MOST_STUDENTS} students")
        self._students[connection] = student
        connection.send(self._state(student))
        self._report()

    def answer(self, connection: Connection, message: dict[str, Any]) -> None:
        """Count a student's answer; a second one replaces the first until the answer is shown.

        Raises
        ------
        ClassError
            The message does not fit.
        """
        question, student = self.question, self._students[connection]
        choice = message.get("choice")
        if message.get("kind") != "answer":
            raise ClassError("a student's message of an unknown kind")
        if question is None or question.verdict or message.get("question") != question.number:
            return  # too late
        question.answers[student] = _whole(choice, len(question.choices) - 1)
        connection.send(self._state(student))
        self._report()

    def leave(self, connection: Connection) -> None:
        """Forget a connection; what its student answered still counts."""
        self._lecturers.discard(connection)
        if self._students.pop(connection, None) is not None:
            self._report()

    def end(self) -> None:
        """Say that the class is over."""
        self._broadcast({"kind": "over"})

    # Messages

    def _state(self, student: str) -> dict[str, Any]:
        question = self.question
        asked = None
        if question is not None:
            asked = {
                "number": question.number,
                "ask": question.ask,
                "choices": question.choices,
                "yours": question.answers.get(student),
                **question.verdict,
                **({"counts": question.counts()} if question.verdict else {}),
            }
        return {"kind": "state", "run": self.run, "step": self.step, "question": asked}

    def _update_all(self) -> None:
        for connection, student in list(self._students.items()):
            connection.send(self._state(student))

    def _broadcast(self, message: dict[str, Any]) -> None:
        for connection in list(self._students):
            connection.send(message)

    def _report(self) -> None:
        """Say to the lecturer how many follow and what they answered."""
        question = self.question
        message = {
            "kind": "class",
            "students": len(set(self._students.values())),
            "question": None if question is None else question.number,
            "choices": [] if question is None else question.choices,
            "counts": [] if question is None else question.counts(),
            "right": None if question is None else question.verdict.get("right"),
        }
        for connection in list(self._lecturers):
            connection.send(message)


class Rooms:
    """All classes of a server.

    Parameters
    ----------
    clock : callable
        Seconds.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._rooms: dict[str, Room] = {}
        self._clock = clock

    def open(self, page: bytes) -> Room:
        """Begin a class.

        Raises
        ------
        ClassError
            There are too many, or the page is too large.
        """
        self.sweep()
        if len(self._rooms) >= MOST_ROOMS:
            raise ClassError(f"{MOST_ROOMS} classes are under way; end one of them")
        check_page(page)
        code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
        room = Room(code, secrets.token_urlsafe(24), page)
        self._rooms[code] = room
        return room

    def find(self, code: str) -> Room | None:
        """Return the class with a code, or None."""
        return self._rooms.get(code.lower())

    def close(self, room: Room) -> None:
        """End a class."""
        if self._rooms.pop(room.code, None) is not None:
            room.end()

    def sweep(self) -> None:
        """End classes whose lecturer has sent nothing for long."""
        for room in list(self._rooms.values()):
            if self._clock() - room.last > LIFETIME:
                self.close(room)


def check_page(page: bytes) -> None:
    """Raise ClassError if a page is empty or too large."""
    if not page or len(page) > MOST_PAGE_BYTES:
        raise ClassError(f"a run for a class has at most {MOST_PAGE_BYTES >> 20} MiB")


def _whole(value: Any, most: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ClassError("a number does not fit")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > MOST_CHARACTERS:
        raise ClassError(f"a text has at most {MOST_CHARACTERS} characters")
    return value
