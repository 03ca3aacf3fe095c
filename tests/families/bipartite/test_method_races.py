"""The methods on several threads have no data race, and the tests would notice one."""

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

METHODS = ("disjoint_bfs_omp.cpp", "hopcroft_karp_omp.cpp", "pothen_fan_omp.cpp")
OTHERS = source("bipartite.cpp"), source("hopcroft_karp.cpp")
build = partial(build, [Path(__file__).parent / "race_driver.cpp", *OTHERS], METHODS)


def test_no_data_race(sanitized_folder):
    done = run(build(sanitized_folder, WATCHED), repeats=3)
    assert "ThreadSanitizer" not in done.stderr, done.stderr[:4000]
    assert done.returncode == 0, done.stdout


def test_they_find_maximum_matchings_again_and_again(plain_folder):
    done = run(build(plain_folder, PLAIN), repeats=60)
    assert done.returncode == 0, done.stdout


RACES = {
    "mates are read while others write them": {
        "bipartite_team.h": {
            "return __atomic_load_n(matcher_.task().row_match + row, __ATOMIC_RELAXED);": "return "
            "matcher_.task().row_match[row];"
        }
    },
    "two threads may claim a row": {
        "bipartite_team.h": {
            "__atomic_exchange_n(word, phase, __ATOMIC_RELAXED) != phase;": "(std::this_thread::"
            "yield(), __atomic_exchange_n(word, phase, __ATOMIC_RELAXED), true);"
        }
    },
    "levels are plain words": {
        "hopcroft_karp_omp.cpp": {
            "if (__atomic_exchange_n(&level_[row], base_ + depth_, __ATOMIC_RELAXED) > base_)": ""
            "const int old = level_[row]; level_[row] = base_ + depth_; if (old > base_)"
        }
    },
}


@pytest.mark.parametrize("bug", RACES)
def test_a_planted_data_race_is_seen(bug, sanitized_folder):
    program = build(sanitized_folder, WATCHED, RACES[bug])
    done = run_until(reports_a_race, program, repeats=2, times=10)
    assert "data race" in done.stderr, done.stdout


WAIT = "(std::this_thread::yield(), true)"
PLANTED = {
    "two threads may claim a row": RACES["two threads may claim a row"],
    "two threads take one place in the queue": {
        "hopcroft_karp_omp.cpp": {
            "const int place = tail_.fetch_add(mine.count, std::memory_order_relaxed);": "const "
            "int place = tail_.load(); std::this_thread::yield(); tail_.store(place + mine.count);"
        }
    },
    "two paths end at a row": {
        "hopcroft_karp_omp.cpp": {
            "return team_.mate_of_row(row) == kUnmatched &&": "return team_.mate_of_row(row) == "
            f"kUnmatched && {WAIT} && true | "
        }
    },
    "two paths cross": {
        "hopcroft_karp_omp.cpp": {
            "__atomic_exchange_n(&level_[row], kNowhere, __ATOMIC_RELAXED) == base_ + level;": ""
            f"{WAIT} && (__atomic_exchange_n(&level_[row], kNowhere, __ATOMIC_RELAXED), true);"
        }
    },
    "two trees end at a row": {
        "disjoint_bfs_omp.cpp": {
            "if (!claims_.claim(row, team_.phase())) continue;": "if (!claims_.claim(row, "
            f"team_.phase()) && {WAIT} && team_.mate_of_row(row) != kUnmatched) continue;",
            "            augment(row, member);": "            std::this_thread::yield(); "
            "augment(row, member);",
        }
    },
    "an end that another thread claimed": {
        "pothen_fan_omp.cpp": {
            "== kUnmatched && claims_.claim(row, team_.phase());": f"== kUnmatched && {WAIT} && "
            "(claims_.claim(row, team_.phase()), true);"
        }
    },
    "roots of the last phase are not searched again": {
        "bipartite_team.h": {"next_.store(0, std::memory_order_relaxed);": ""}
    },
    "one level too few": {"hopcroft_karp_omp.cpp": {"spreading_ = size_ > 0;": "spreading_ = 0;"}},
}


@pytest.mark.parametrize("bug", PLANTED)
def test_planted_bugs_give_wrong_matchings(bug, plain_folder):
    done = run_until(fails, build(plain_folder, PLAIN, PLANTED[bug]), repeats=40)
    assert done.returncode == 1, f"{bug}: {done.stdout}{done.stderr}"
