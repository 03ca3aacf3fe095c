"""Native certificates have no data race, and a test would notice one."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from support.racing import WATCHED, build, reports_a_race, run, run_until

PARTS = ("matching_proof", "redblue_proof", "communities_proof", "communities_certify")
PARTS += ("bipartite_proof",)
build = partial(build, [Path(__file__).parent / "race_driver.cpp"], [f"{one}.cpp" for one in PARTS])


def test_no_data_race(sanitized_folder):
    done = run(build(sanitized_folder, WATCHED), repeats=3)
    assert "ThreadSanitizer" not in done.stderr, done.stderr[:4000]
    assert done.returncode == 0, done.stdout


def test_a_planted_data_race_is_seen(sanitized_folder):
    change = {"        parts[block] = own;": "        parts[0] += own;"}
    program = build(sanitized_folder, WATCHED, {"communities_proof.cpp": change})
    assert "data race" in run_until(reports_a_race, program, repeats=3).stderr
