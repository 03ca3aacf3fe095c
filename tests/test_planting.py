"""A test of a planted mistake runs in a copy of the process, which may die of it."""

import ctypes
import os
import signal

import pytest

from support.planting.apart import in_a_copy

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no copies of processes")


def test_a_copy_that_passes_leaves_this_process_as_it_was():
    seen = []
    in_a_copy(seen.append)(os.getpid())
    assert seen == []


def test_a_failure_has_the_text_of_the_copy():
    def fails(number):
        assert number == 4, "this is in the copy"

    with pytest.raises(AssertionError, match="this is in the copy"):
        in_a_copy(fails)(3)


def test_a_copy_that_writes_where_it_must_not_has_shown_the_mistake():
    in_a_copy(lambda: ctypes.memset(1, 0, 1))()


def test_any_other_end_is_a_failure():
    with pytest.raises(AssertionError, match="ended with code 3"):
        in_a_copy(lambda: os._exit(3))()
    with pytest.raises(AssertionError, match="ended with code -9"):
        in_a_copy(lambda: os.kill(os.getpid(), signal.SIGKILL))()
