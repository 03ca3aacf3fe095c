"""The threaded methods have no data race, and the tests would notice one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from support.racing import PLAIN, WATCHED, build, fails, reports_a_race, run, run_until

METHODS = ("greedy.cpp", "suitor_omp.cpp", "ld_omp.cpp", "redblue_omp.cpp")
build = partial(build, [Path(__file__).parent / "race_driver.cpp"], METHODS)


def test_no_data_race(sanitized_folder):
    done = run(build(sanitized_folder, WATCHED), repeats=4)
    assert "ThreadSanitizer" not in done.stderr, done.stderr[:4000]
    assert done.returncode == 0, done.stdout


def test_a_planted_data_race_is_seen(sanitized_folder):
    """Two vertices that match in the same round take the same place in the queue."""
    changes = {
        "ld_omp.cpp": {
            "const int place = tail_.fetch_add(2, std::memory_order_relaxed);": "const int place = "
            "size(); std::this_thread::yield(); tail_.store(place + 2, std::memory_order_relaxed);"
        }
    }
    done = run_until(reports_a_race, build(sanitized_folder, WATCHED, changes), repeats=5)
    assert "data race" in done.stderr


def test_a_word_with_two_users_is_seen(sanitized_folder):
    """A red vertex marks its blue mate as matched while another thread reads the mate's colour."""
    line = "task_->mate[blue] = v;"
    changes = {"redblue_omp.cpp": {line: f"{line} state_[blue] = kMatched;"}}
    done = run_until(reports_a_race, build(sanitized_folder, WATCHED, changes), repeats=5)
    assert "data race" in done.stderr


PLANTED = {
    "no lock": {
        "suitor_omp.cpp": {
            "shared.locks[partner].lock();": "",
            "shared.locks[partner].unlock();": "",
            "const bool better = offer > held;": "const bool better = offer > held;\n"
            "    std::this_thread::yield();",
        }
    },
    "line 28 as printed": {
        "suitor_omp.cpp": {
            "shared.locks[partner].lock();": "std::this_thread::yield();\n"
            "    shared.locks[partner].lock();",
            "from_suitor = found != start;": "from_suitor = found != start;\n"
            "            current = u;",
        }
    },
    "a matched vertex looks again": {"ld_omp.cpp": {"== u && !matched(v))": "== u)"}},
    "ties by whoever comes first": {
        "ld_omp.cpp": {"make_offer(weight, t) <= best) ": "weight <= offer_weight(best)) "}
    },
}


@pytest.mark.parametrize("bug", PLANTED)
def test_planted_bugs_give_wrong_matchings(bug, plain_folder):
    done = run_until(fails, build(plain_folder, PLAIN, PLANTED[bug]), repeats=40)
    assert done.returncode == 1, f"{bug}: {done.stdout}{done.stderr}"
