"""Native certificates have no data race, and a test would notice one."""

from __future__ import annotations

from pathlib import Path

from support.racing import WATCHED, changed_text, compile_part, link, reports_a_race, run, run_until
from support.racing import source as source_of

PARTS = ("matching_proof", "redblue_proof", "communities_proof", "communities_certify")
PARTS += ("bipartite_proof",)


def build(folder, changed=None):
    """Return a program of all parts, after a change ``(part, old, new)`` of its text."""
    parts = [compile_part(Path(__file__).parent / "race_driver.cpp", folder / "driver.o", WATCHED)]
    for name in PARTS:
        source = source_of(f"{name}.cpp")
        if changed is not None and changed[0] == name:
            source = folder / f"{name}_changed.cpp"
            source.write_text(changed_text(f"{name}.cpp", {changed[1]: changed[2]}))
        parts.append(compile_part(source, folder / f"{name}.o", WATCHED))
    return link(parts, folder / "certificates", WATCHED)


def test_no_data_race(sanitized_folder):
    done = run(build(sanitized_folder), repeats=3)
    assert "ThreadSanitizer" not in done.stderr, done.stderr[:4000]
    assert done.returncode == 0, done.stdout


def test_a_planted_data_race_is_seen(sanitized_folder):
    change = ("communities_proof", "        parts[block] = own;", "        parts[0] += own;")
    program = build(sanitized_folder, change)
    assert "data race" in run_until(reports_a_race, program, repeats=3).stderr
