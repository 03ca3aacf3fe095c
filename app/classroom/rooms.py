"""The classes of a server: what the lecturer shows, who follows, who answered what.

Independent of the network: a connection is anything with ``send`` and ``drop``. What a message
costs does not grow with the class, except where the class hears it.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from time import monotonic
from typing import Any, Protocol

from .messages import ClassError, whole
from .pointing import pointing_of
from .question import Question
from .seats import Seats

#: Letters of a code that are not mistaken for others on a blackboard.
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH = 6
#: Classes at the same time, students of one, bytes of its page, seconds without its lecturer.
MOST_ROOMS, MOST_STUDENTS, MOST_PAGE_BYTES, LIFETIME = 8, 400, 24 << 20, 2 * 3600
#: Classes of one lecturer's browser, and of one network address.
MOST_OF_LECTURER, MOST_OF_ADDRESS = 2, 4
#: Pages of the lecturer that lead one class; older ones give way.
MOST_LECTURERS = 4
#: Students of one network address in a class: a school often has one address.
STUDENTS_OF_ADDRESS = 100
#: Seconds until a class without lecturer and students ends: one never led, and one that was.
NEVER_LED, DESERTED = 120, 900


class Connection(Protocol):
    """Where messages for one browser go."""

    def send(self, message: dict[str, Any]) -> None:
        """Send a message; never waits."""

    def drop(self, reason: str) -> None:
        """Close the connection: another one takes its place."""


class Room:
    """One class.

    Parameters
    ----------
    code, secret : str
        What students and the lecturer's page know.
    page : bytes
        The static page of the run.
    owner : tuple of str
        The lecturer's browser and network address.
    students_of_address : int
        Students of one network address.
    clock : callable
        Seconds.
    """

    def __init__(
        self,
        code: str,
        secret: str,
        page: bytes,
        *,
        owner: tuple[str, str] = ("", ""),
        students_of_address: int = STUDENTS_OF_ADDRESS,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.code, self.secret, self.page, self.owner = code, secret, page, owner
        self.run = 0
        self.step = 0
        self.question: Question | None = None
        #: What the lecturer points at; None before the first time.
        self.pointing: dict[str, Any] | None = None
        self.last = self._seen = clock()
        self._clock = clock
        self._led = False
        #: In the order in which they came.
        self._lecturers: dict[Connection, None] = {}
        self._seats = Seats(lambda: MOST_STUDENTS, students_of_address)

    # The lecturer

    def lead(self, connection: Connection) -> None:
        """Connect a page of the lecturer; the oldest gives way if there are too many."""
        self.last = self._clock()
        self._led = True
        if len(self._lecturers) >= MOST_LECTURERS:
            oldest = next(iter(self._lecturers))
            del self._lecturers[oldest]
            oldest.drop("newer pages lead the class")
        self._lecturers[connection] = None
        self._report(connection)

    def show(self, page: bytes) -> None:
        """Replace the run. A question stays: the lecturer's page says when it ends."""
        self.page, self.step, self.pointing = page, 0, None
        self.run += 1
        self._update_all()

    def command(self, message: dict[str, Any]) -> None:
        """Do what the lecturer's page asks for.

        Raises
        ------
        ClassError
            The message does not fit.
        """
        self.last = self._clock()
        kind = message.get("kind")
        if kind == "step":
            self.step = whole(message.get("step"), 1 << 53)
            self._broadcast({"kind": "step", "step": self.step})
        elif kind == "point":
            self.pointing = pointing_of(message)
            self._broadcast(self.pointing)
        elif kind == "ask":
            self._ask(message)
        elif kind == "reveal" and self.question is not None:
            self.question.show(message)
            self._update_all()
        elif kind == "quiet":
            self.question = None
            self._update_all()
        else:
            raise ClassError("a lecturer's message of an unknown kind")
        if kind not in ("step", "point"):
            self._report()

    def _ask(self, message: dict[str, Any]) -> None:
        asked = Question.of(message)
        if self.question is not None and self.question.number == asked.number:
            return
        self.question = asked
        self._update_all()

    # The students

    def join(self, connection: Connection, student: str, address: str = "") -> None:
        """Connect a student's page, and bring it to where the class is.

        Raises
        ------
        ClassError
            The class is full, or the address has its share.
        """
        answered = () if self.question is None else self.question.answers
        before = self._seats.followed
        self._seats.take(connection, student, address, answered)
        connection.send(self._state(student))
        if self.pointing is not None:
            connection.send(self.pointing)
        if self._seats.followed != before:
            self._report()

    def has_seat(self, student: str) -> bool:
        """Return whether a student has been here."""
        return student in self._seats

    def answer(self, connection: Connection, message: dict[str, Any]) -> None:
        """Count a student's answer; a second one replaces the first until the answer is shown.

        Raises
        ------
        ClassError
            The message does not fit.
        """
        question, student = self.question, self._seats.of(connection)
        if message.get("kind") != "answer":
            raise ClassError("a student's message of an unknown kind")
        if question is None or question.verdict or message.get("question") != question.number:
            return  # too late
        if student is None:
            return  # its connection gave way to a newer one
        question.answer(student, message.get("choice"))
        for tab in self._seats.connections_of(student):
            tab.send(self._state(student))
        self._report()

    def leave(self, connection: Connection) -> None:
        """Forget a connection; what its student answered still counts."""
        self._lecturers.pop(connection, None)
        if self._seats.leave(connection):
            self._report()
        if self.is_deserted:
            self._seen = self._clock()

    @property
    def is_deserted(self) -> bool:
        """Whether there are no lecturer and no students."""
        return not self._lecturers and not self._seats.followed

    @property
    def is_over(self) -> bool:
        """Whether its lecturer has sent nothing for long, or it has been empty for a while."""
        now = self._clock()
        patience = DESERTED if self._led else NEVER_LED
        return now - self.last > LIFETIME or (self.is_deserted and now - self._seen > patience)

    def end(self) -> None:
        """Say that the class is over, and close its connections."""
        self._broadcast({"kind": "over"})
        connections = [*self._lecturers, *(one for one, _ in self._seats.connections())]
        self._lecturers.clear()
        self._seats = Seats(lambda: 0, 0)
        for connection in connections:
            connection.drop("the class is over")

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
        for connection, student in self._seats.connections():
            connection.send(self._state(student))

    def _broadcast(self, message: dict[str, Any]) -> None:
        for connection, _ in self._seats.connections():
            connection.send(message)

    def _report(self, only: Connection | None = None) -> None:
        """Say to the lecturer how many follow and what they answered."""
        question = self.question
        message = {
            "kind": "class",
            "students": self._seats.followed,
            "question": None if question is None else question.number,
            "choices": [] if question is None else question.choices,
            "counts": [] if question is None else question.counts(),
            "right": None if question is None else question.verdict.get("right"),
        }
        for connection in [only] if only is not None else list(self._lecturers):
            connection.send(message)


class Rooms:
    """All classes of a server.

    Parameters
    ----------
    clock : callable
        Seconds.
    students_of_address : int
        Students of one network address in one class.
    """

    def __init__(
        self,
        clock: Callable[[], float] = monotonic,
        students_of_address: int = STUDENTS_OF_ADDRESS,
    ) -> None:
        self._rooms: dict[str, Room] = {}
        self._clock = clock
        self._students_of_address = students_of_address

    def open(self, page: bytes, owner: tuple[str, str] | None = None) -> Room:
        """Begin a class.

        Parameters
        ----------
        page : bytes
            The static page of the run.
        owner : tuple of str, optional
            The lecturer's browser and network address, which have a share of all classes.

        Raises
        ------
        ClassError
            There are too many, or the page is too large.
        """
        self.sweep()
        if len(self._rooms) >= MOST_ROOMS:
            raise ClassError(f"{MOST_ROOMS} classes are under way; end one of them")
        if owner is not None:
            self._check_share(owner)
        check_page(page)
        code = self._new_code()
        room = Room(
            code,
            secrets.token_urlsafe(24),
            page,
            owner=owner or ("", ""),
            students_of_address=self._students_of_address,
            clock=self._clock,
        )
        self._rooms[code] = room
        return room

    def _check_share(self, owner: tuple[str, str]) -> None:
        for place, most, whose in (
            (0, MOST_OF_LECTURER, "this browser"),
            (1, MOST_OF_ADDRESS, "this network"),
        ):
            if sum(room.owner[place] == owner[place] for room in self._rooms.values()) >= most:
                raise ClassError(
                    f"{most} classes of {whose} are under way; end one of them, or wait until one "
                    "that nobody follows has ended"
                )

    def _new_code(self) -> str:
        while True:
            code = "".join(secrets.choice(LETTERS) for _ in range(CODE_LENGTH))
            if code not in self._rooms:
                return code

    def find(self, code: str) -> Room | None:
        """Return the class with a code, or None."""
        self.sweep()
        return self._rooms.get(code.lower())

    def close(self, room: Room) -> None:
        """End a class."""
        if self._rooms.pop(room.code, None) is not None:
            room.end()

    def sweep(self) -> None:
        """End classes that are over."""
        for room in list(self._rooms.values()):
            if room.is_over:
                self.close(room)


def check_page(page: bytes) -> None:
    """Raise ClassError if a page is empty or too large."""
    if not page or len(page) > MOST_PAGE_BYTES:
        raise ClassError(f"a run for a class has at most {MOST_PAGE_BYTES >> 20} MiB")
