"""b-Suitor on several threads has no data race, and the tests would notice one."""

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

METHOD = "bsuitor_omp.cpp"
RIGHT = [Path(__file__).parent / "race_driver.cpp", source("bgreedy.cpp")]
build = partial(build, RIGHT, [METHOD])


def test_no_data_race(sanitized_folder):
    done = run(build(sanitized_folder, WATCHED), repeats=3)
    assert "ThreadSanitizer" not in done.stderr, done.stderr[:4000]
    assert done.returncode == 0, done.stdout


WAIT = "std::this_thread::yield();"
RACES = {
    "no lock": {"locks_[partner].lock();": "", "locks_[partner].unlock();": ""},
    "a list handed over without order": {
        "owed_[v].fetch_sub(1, std::memory_order_acq_rel)": "owed_[v].fetch_sub(1, "
        "std::memory_order_relaxed)",
        "owed_[v].fetch_add(1, std::memory_order_acq_rel)": "owed_[v].fetch_add(1, "
        "std::memory_order_relaxed)",
    },
}


@pytest.mark.parametrize("bug", RACES)
def test_a_planted_data_race_is_seen(bug, sanitized_folder):
    done = run_until(
        reports_a_race, build(sanitized_folder, WATCHED, {METHOD: RACES[bug]}), repeats=2, times=10
    )
    assert "data race" in done.stderr, done.stdout


PLANTED = {
    "accepted by what was seen before the lock": {
        "accepted = suitors.would_accept(partner, offer);": "accepted = true;",
        "locks_[partner].lock();": f"{WAIT} locks_[partner].lock();",
    },
    "refused is forgotten": {
        "if (!accepted) continue;": "if (!accepted) return kNobody;",
        "locks_[partner].lock();": f"{WAIT} locks_[partner].lock();",
    },
    "debts of a round are lost": {
        "int left = market.take_debts(u);": "int left = market.take_debts(u) > 0;"
    },
    "displaced vertices do not propose again": {
        "if (displaced != kNobody && market.charge(displaced)) {": "if (displaced == u) {"
    },
}


@pytest.mark.parametrize("bug", PLANTED)
def test_planted_bugs_give_wrong_b_matchings(bug, plain_folder):
    done = run_until(fails, build(plain_folder, PLAIN, {METHOD: PLANTED[bug]}), repeats=40)
    assert done.returncode == 1, f"{bug}: {done.stdout}{done.stderr}"
