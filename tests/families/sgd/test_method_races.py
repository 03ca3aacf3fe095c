"""DSGD has no data race and a result that timing does not change; the tests would notice both."""

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

METHOD = "sgd_dsgd_omp.cpp"
BARRIER = "barrier.wait([&] { cancelled = cancel.raised(); });"
COLUMN = "const long long column = (rank + stratum) % threads;"
PLANTED = {
    "no barrier": {BARRIER: ""},
    "one column for all": {COLUMN: "const long long column = stratum;"},
}


RIGHT = [
    Path(__file__).parent / "race_driver.cpp",
    source("sgd_update.cpp"),
    source("sgd_serial.cpp"),
]
build = partial(build, RIGHT, [METHOD])


def test_no_data_race(sanitized_folder):
    done = run(build(sanitized_folder, WATCHED), repeats=20)
    assert "ThreadSanitizer" not in done.stderr, done.stderr[:4000]
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("bug", PLANTED)
def test_planted_bugs_are_seen(bug, sanitized_folder):
    done = run_until(
        reports_a_race, build(sanitized_folder, WATCHED, {METHOD: PLANTED[bug]}), repeats=20
    )
    assert "data race" in done.stderr


def test_one_column_for_all_gives_other_vectors(plain_folder):
    bug = PLANTED["one column for all"]
    done = run_until(fails, build(plain_folder, PLAIN, {METHOD: bug}), repeats=40)
    assert done.returncode == 1, f"{done.stdout}{done.stderr}"
