"""The threaded methods for stable marriage have no data race, and the tests would notice one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from support.racing import (
    PLAIN,
    WATCHED,
    build,
    fails,
    reports_a_race,
    run,
    run_until,
    source,
)

#: The code that changes partners.
MARKET = "marriage_market.h"
#: The code of the threads.
TEAM = "marriage_team.h"
METHODS = ("gale_shapley_omp.cpp", "mcvitie_wilson_omp.cpp")
RIGHT = [Path(__file__).parent / "race_driver.cpp", source("mcvitie_wilson.cpp")]
build = partial(build, RIGHT, METHODS)


def test_no_data_race(sanitized_folder):
    done = run(build(sanitized_folder, WATCHED), repeats=4)
    assert "ThreadSanitizer" not in done.stderr, done.stderr[:4000]
    assert done.returncode == 0, done.stdout


def test_a_note_that_does_not_come_with_the_offer_is_seen(sanitized_folder):
    """Whoever displaces a man reads where he was in his list."""
    order = "std::memory_order_acq_rel"
    done = run_until(
        reports_a_race,
        build(sanitized_folder, WATCHED, {MARKET: {order: "std::memory_order_relaxed"}}),
        repeats=5,
    )
    assert "data race" in done.stderr


WAIT = "std::this_thread::yield();"
THREADS = {"#include <atomic>": "#include <atomic>\n#include <thread>"}
EXCHANGE = """if (cell.compare_exchange_strong(*held, offer, std::memory_order_acq_rel,
                                             std::memory_order_relaxed)) {"""
PLANTED = {
    "no compare": {EXCHANGE: f"{WAIT} cell.store(offer); {{"},
    "too late for good": {"while (offer < *held) {": f"if (offer < *held) {{ {WAIT}"},
}


@pytest.mark.parametrize("bug", PLANTED)
def test_planted_bugs_give_wrong_marriages(bug, plain_folder):
    done = run_until(
        fails, build(plain_folder, PLAIN, {MARKET: PLANTED[bug] | THREADS}), repeats=40
    )
    assert done.returncode == 1, f"{bug}: {done.stdout}{done.stderr}"


MEETINGS = {
    "before all are prepared": "all.wait([] {});\n        const int ended",
    "before all have ended": "all.wait([] {});\n        if (status",
}


@pytest.mark.parametrize("bug", MEETINGS)
def test_a_thread_that_does_not_wait_gives_a_wrong_marriage(bug, plain_folder):
    call = MEETINGS[bug]
    alone = call.partition(";\n")[2].lstrip()
    done = run_until(fails, build(plain_folder, PLAIN, {TEAM: {call: alone}}), repeats=40)
    assert done.returncode == 1, f"{bug}: {done.stdout}{done.stderr}"
