"""Errors of callbacks reach the page, without internal details."""

import errno
import logging

import pytest

from gpucore.errors import Cancelled, GraphError, KernelError, ParameterError
from warplens.app.errors import Reporter, describe


class Page:
    def __init__(self):
        self.shown = []

    def show_error(self, title, text):
        self.shown.append((title, text))


@pytest.fixture
def page():
    return Page()


def test_our_errors_are_shown_as_they_are(page):
    @Reporter(page).guard
    def callback():
        raise GraphError("line 3: vertex 9 is outside")

    assert callback() is None
    assert page.shown == [("The graph cannot be used", "Line 3: vertex 9 is outside.")]


def test_other_errors_keep_their_secrets(page, caplog):
    @Reporter(page).guard
    def callback():
        raise ValueError("/home/someone/secret")

    with caplog.at_level(logging.ERROR, logger="warplens.app"):
        callback()
    ((title, text),) = page.shown
    assert "ValueError" in text
    assert "secret" not in title + text
    assert "secret" in caplog.text
    assert "Traceback" in caplog.text


def test_our_errors_leave_no_traceback_in_the_log(page, caplog):
    with caplog.at_level(logging.WARNING, logger="warplens.app"):
        Reporter(page).report(ParameterError("seed must be a number"))
    assert "Seed must be a number." in caplog.text
    assert "Traceback" not in caplog.text


def test_a_guarded_callback_takes_and_returns_what_it_did(page):
    def callback(one, *, two):
        """Add."""
        return one + two

    guarded = Reporter(page).guard(callback)
    assert guarded(1, two=2) == 3
    assert guarded.__doc__ == "Add."
    assert page.shown == []


@pytest.mark.parametrize(
    ("error", "title"),
    [
        (Cancelled(), "Stopped"),
        (KernelError("deadlock at line 7"), "The kernel failed"),
        (MemoryError(), "Out of memory"),
    ],
)
def test_titles(error, title):
    assert describe(error)[0] == title


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("cannot read /data/runs/a.npz", "Cannot read a.npz."),
        ("see 'C:\\Users\\me\\graph.mtx'", "See 'graph.mtx'."),
        ("3/4 of https://example.org/a/b is read", "3/4 of https://example.org/a/b is read."),
        ("too large; take less (in Python: f(x) does) or wait", "Too large; take less or wait."),
        ("it is damaged; save it (on the command line: --record F)", "It is damaged; save it."),
        ("the name\n\x1b[2J\u202etxt", "The name [2J txt."),
    ],
)
def test_neither_folders_of_the_server_nor_control_characters_are_shown(page, text, shown, caplog):
    Reporter(page).report(GraphError(text))
    assert page.shown == [("The graph cannot be used", shown)]
    assert caplog.messages == [f"The graph cannot be used: {shown}"]


def test_a_full_disk_has_a_sentence():
    title, text = describe(OSError(errno.ENOSPC, "No space left on device", "/secret/place"))
    assert title == "The server's disk is full"
    assert "secret" not in text


@pytest.mark.parametrize("error", [MemoryError(), OSError(errno.ENOSPC, "No space left")])
def test_what_has_a_sentence_leaves_no_traceback_in_the_log(page, error, caplog):
    Reporter(page).report(error)
    (entry,) = caplog.records
    assert entry.exc_info is None
    assert page.shown[0][0] in entry.getMessage()
