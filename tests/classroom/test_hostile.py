"""A live class and strangers who know its code, or who want to; a real server."""

from __future__ import annotations

import itertools
import json
import time
from contextlib import suppress

import psutil
import pytest
import websocket

from support.classroom import (
    QUESTION,
    VOTE,
    Class,
    closed_with,
    closing,
    heard,
    request,
)
from support.serving import Server
from support.visitor import is_quick
from support.waiting import wait_until
from warplens.app.classroom.rooms import MOST_LECTURERS, MOST_OF_ADDRESS, MOST_ROOMS
from warplens.app.classroom.seats import MOST_OF_SEAT

TOKEN = {"Authorization": "token chalk"}
SHARE = 30
LECTURERS = itertools.count(100)


@pytest.fixture(scope="module")
def school(tmp_path_factory):
    """A server on which thirty students of one address may follow; no more than 1,024 files."""
    folder = tmp_path_factory.mktemp("school")
    options = ("--classroom", "--token", "chalk", "--students-per-address", str(SHARE))
    options = (*options, "--allow-host", "school.example", "--pool", "0")
    running = Server(folder, *options, files=1024)
    yield running
    assert running.stop() == 0, running.output
    assert "Traceback" not in running.output, running.output


@pytest.fixture
def lesson(school):
    """A class with a question, and its lecturer's connection."""
    found = Class(school, "chalk", f"203.0.113.{next(LECTURERS)}")  # ten classes an address begin
    lecturer = found.lead()
    lecturer.send(json.dumps(QUESTION))
    heard(lecturer, lambda message: message["question"] == 1)
    yield found, lecturer
    request(school, f"class/{found.code}", method="DELETE", headers={"X-Warplens": found.secret})
    lecturer.close()


def counts(lecturer, expected):
    return heard(lecturer, lambda message: message["counts"] == expected)


def refused(lesson, **more):
    """Return whether one more student is refused, before or after the websocket opens."""
    try:
        connection = lesson.connect(**more)
    except websocket.WebSocketBadStatusException as error:
        return error.status_code == 503
    kind, data = connection.recv_data()
    connection.close()
    return kind == websocket.ABNF.OPCODE_CLOSE and data[:2] == (4403).to_bytes(2, "big")


def is_served(school, address):
    """Return whether another visitor is answered quickly."""
    headers = {**TOKEN, "X-Forwarded-For": address}
    return is_quick(lambda: request(school, "", headers=headers)[0] == 200)


def test_thirty_phones_behind_one_address_reload_and_sleep(lesson):
    found, lecturer = lesson
    seats = [found.seat("192.0.2.1") for _ in range(30)]
    with closing([found.connect(seat, address="192.0.2.1") for seat in seats]) as phones:
        for phone in phones:
            phone.send(json.dumps(VOTE))
        counts(lecturer, [0, 30])
        for number in range(2):  # two reloads
            for k, seat in enumerate(seats):
                phones[k].close()
                status, again, _ = request(found.server, f"class/{found.code}", cookie=seat)
                assert status == 200
                phones[k] = found.connect(again, address="192.0.2.1")
                state = heard(phones[k], lambda message: message["kind"] == "state")
                assert state["question"]["yours"] == 1, (number, k)
        # A phone that slept left its connection open, comes from another network, and is itself.
        awake = found.connect(seats[4], address="198.51.100.9")
        assert heard(awake, lambda message: message["kind"] == "state")["question"]["yours"] == 1
        awake.send(json.dumps({**VOTE, "choice": 0}))
        assert counts(lecturer, [1, 29])["students"] == 30
        awake.close()


def test_one_seat_has_one_vote(lesson):
    found, lecturer = lesson
    seat = found.seat()
    for k in range(20):
        phone = found.connect(seat, query=f"?student=forged-{k:08}")
        phone.send(json.dumps(VOTE))
        phone.close()
    assert counts(lecturer, [0, 1])["students"] <= 1
    for cookie in ("", seat[:-4] + "AAAA", f"{seat.partition('=')[0]}=forged"):
        code, reason = closed_with(found.connect(cookie, query="?student=abcdefgh"))
        assert (code, "reload the page" in reason) == (4403, True)


@pytest.mark.budget("votes")
def test_an_address_has_its_share_of_votes_and_seats(school, lesson):
    found, lecturer = lesson
    phones = []
    with closing(phones):
        for _ in range(SHARE):
            phones.append(found.connect(found.seat("192.0.2.1"), address="192.0.2.1"))
            phones[-1].send(json.dumps(VOTE))
        for _ in range(10):
            assert refused(found, cookie=found.seat("192.0.2.1"), address="192.0.2.1")
        counts(lecturer, [0, SHARE])
        other = found.connect(found.seat("192.0.2.2"), address="192.0.2.2")
        other.send(json.dumps({**VOTE, "choice": 0}))
        counts(lecturer, [1, SHARE])
        other.close()
        assert is_served(school, "192.0.2.1")
        assert is_served(school, "192.0.2.3")


@pytest.mark.budget("class sockets")
def test_sockets_of_classes_count_and_files_do_not_run_out(school, lesson):
    found, _ = lesson
    process = psutil.Process(school.process.pid)
    opened, refusals = [], 0
    with closing(opened):
        for k in range(400):
            address = f"198.51.100.{k % 200}"
            try:
                opened.append(found.connect(found.seat(address), address=address))
            except websocket.WebSocketBadStatusException as error:
                assert error.status_code == 503
                refusals += 1
                if refusals == 5:
                    break
        assert refusals == 5
        assert process.num_fds() < 700
        assert is_served(school, "198.51.100.1")
        assert is_served(school, "203.0.113.1")
    # Places come back, as soon as the server has noted what was closed.
    seat = found.seat("203.0.113.1")
    wait_until(lambda: not refused(found, cookie=seat, address="203.0.113.1"))
    phone = found.connect(seat, address="203.0.113.1")
    heard(phone, lambda message: message["kind"] == "state")
    phone.close()


def test_tabs_of_a_seat_and_pages_of_a_lecturer_give_way(lesson):
    found, lecturer = lesson
    seat = found.seat()
    with closing([found.connect(seat) for _ in range(MOST_OF_SEAT + 1)]) as tabs:
        assert closed_with(tabs[0])[0] == 4409
        heard(tabs[-1], lambda message: message["kind"] == "state")
    with closing([found.lead() for _ in range(MOST_LECTURERS)]) as pages:
        assert closed_with(lecturer)[0] == 4409
        heard(pages[-1], lambda message: message["kind"] == "class")


@pytest.mark.parametrize(
    "message",
    [
        "[" * 16000,
        '{"a":' * 3000,
        json.dumps({**VOTE, "x": [[[[[1]]]]]}),
        "9" * 9000,
        '{"kind": "answer", "question": 1, "choice": 1e400}',
        b"\xff\xfe",
        "null",
    ],
)
def test_a_message_that_does_not_fit_is_refused_with_a_sentence(lesson, message):
    found, _ = lesson
    phone = found.connect(found.seat())
    (phone.send_binary if isinstance(message, bytes) else phone.send)(message)
    code, reason = closed_with(phone)
    assert code == 4400
    assert reason.startswith(("a message ", "a number "))


def test_messages_are_bounded_in_size_and_rate(lesson):
    found, _ = lesson
    phone = found.connect(found.seat())
    phone.send("x" * 17000)
    assert closed_with(phone)[0] == 1009
    seat, codes = found.seat(), []
    for _ in range(120):  # new connections bring no new rate
        phone = found.connect(seat)
        kind, data = phone.recv_data()
        codes.append(data[:2] if kind == websocket.ABNF.OPCODE_CLOSE else b"")
        with suppress(OSError, websocket.WebSocketException):  # closed by the server meanwhile
            for _ in range(10):  # too few for a rate of their own
                phone.send(json.dumps(VOTE))
        phone.close()
        if codes[-1]:
            break
    assert (codes[0], codes[-1]) == (b"", (4429).to_bytes(2, "big"))
    phone = found.connect(found.seat())
    for _ in range(100):
        phone.send(json.dumps(VOTE))
    assert closed_with(phone)[0] == 4429


def test_odd_queries_leave_no_traceback(lesson):
    found, _ = lesson
    for query in ("?secret=%ff%fe", "?secret=x", "?secret=%C3%A9", "?student=%ff"):
        assert closed_with(found.connect(query=query))[0] == 4403


@pytest.mark.budget("rooms (live classes)")
def test_all_classes_cannot_be_taken_from_one_address(school):
    mine, theirs = [], []
    try:
        mine.extend(Class(school, "chalk", "192.0.2.77") for _ in range(MOST_OF_ADDRESS))
        headers = {"X-Warplens": "1", "X-Forwarded-For": "192.0.2.77", **TOKEN}
        status, _, text = request(school, "class", method="POST", body=b"x", headers=headers)
        assert (status, "this network" in text) == (409, True)
        assert MOST_OF_ADDRESS < MOST_ROOMS
        theirs.append(Class(school, "chalk", "192.0.2.78"))
        assert is_served(school, "192.0.2.77")
        assert is_served(school, "192.0.2.78")
    finally:
        for found in mine + theirs:
            headers = {"X-Warplens": found.secret}
            request(school, f"class/{found.code}", method="DELETE", headers=headers)


@pytest.mark.budget("guesses of a code")
def test_codes_are_slow_to_guess_and_who_has_the_right_one_comes_in(school, lesson):
    found, _ = lesson
    guesser = {"X-Forwarded-For": "192.0.2.99"}
    seat = found.seat("192.0.2.99")
    found.connect(seat, address="192.0.2.99").close()
    codes = map("".join, itertools.product("xyz", repeat=6))

    def answered(code, status, headers=guesser, cookie=""):
        return request(school, f"class/{code}", headers=headers, cookie=cookie)[0] == status

    def seconds_of(act):
        began = time.monotonic()
        assert act()
        return time.monotonic() - began

    def guess():
        return seconds_of(lambda: answered(next(codes), 403))

    assert min(guess() for _ in range(20)) < 0.5
    # A guess that a busy machine answers slowly is partly forgotten by the next.
    slow = [0.0]
    while len(slow) < 60 and min(slow[-5:]) <= 0.8:
        slow.append(guess())
    assert min(slow[-5:]) > 0.8
    # The right code is as slow as a wrong one, on a page and on a websocket.
    assert seconds_of(lambda: answered(found.code, 200)) > 0.5
    live = lambda: closed_with(found.connect(address="192.0.2.99", code=next(codes)))  # noqa: E731
    assert seconds_of(lambda: live()[0] == 4404) > 0.5
    for others in ((guesser, seat), ({"X-Forwarded-For": "192.0.2.98"},)):  # who do not wait
        guess()
        assert is_quick(lambda others=others: answered(found.code, 200, *others), 0.5)
    assert is_served(school, "192.0.2.99")
    assert is_served(school, "192.0.2.98")


def test_a_class_that_is_over_leaves_no_connection(school):
    found = Class(school, "chalk", "203.0.113.99")
    phone, lecturer = found.connect(found.seat()), found.lead()
    headers = {"X-Warplens": found.secret}
    assert request(school, f"class/{found.code}", method="DELETE", headers=headers)[0] == 200
    for connection in (phone, lecturer):
        assert closed_with(connection) == (4409, "the class is over")


def test_two_hundred_phones_behind_one_address_fit_by_one_option(tmp_path):
    options = ("--classroom", "--students-per-address", "200", "--pool", "0", "--max-pages", "2")
    running = Server(tmp_path, *options)
    try:
        found = Class(running)
        lecturer = found.lead()
        lecturer.send(json.dumps(QUESTION))
        with closing([found.connect(found.seat()) for _ in range(200)]) as phones:
            for phone in phones:
                phone.send(json.dumps(VOTE))
            assert counts(lecturer, [0, 200])["students"] == 200
            assert refused(found, cookie=found.seat())
    finally:
        assert running.stop() == 0, running.output
    assert "Traceback" not in running.output, running.output
