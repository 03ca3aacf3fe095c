"""The threaded methods have no data race, and the tests would notice one."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

import gpucore.cpu

SOURCES = Path(gpucore.cpu.__file__).parent
PARTS = [Path(__file__).parent / "race_driver.cpp"] + [
    SOURCES / f"{name}.cpp" for name in ("greedy", "suitor_omp", "ld_omp", "redblue_omp")
]
COMPILER = os.environ.get("CXX", "g++")
PLAIN = ("-O1",)
WATCHED = ("-O1", "-g", "-fsanitize=thread")


def compile_part(source, target, flags):
    command = [COMPILER, "-std=c++17", f"-I{SOURCES}", *flags, "-c", source, "-o", target]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return target


@cache
def right_parts(folder, flags):
    """Compile all parts as they are."""
    return {part.stem: compile_part(part, folder / f"{part.stem}.o", flags) for part in PARTS}


def build(folder, flags, changes=None):
    """Return a program of all parts, after changes ``{part: {old: new}}`` of their text."""
    parts = dict(right_parts(folder, flags))
    for name, replacements in (changes or {}).items():
        text = (SOURCES / f"{name}.cpp").read_text()
        for old, new in replacements.items():
            assert text.count(old) == 1, f"{name}.cpp no longer says {old!r} once"
            text = text.replace(old, new)
        changed = folder / f"{name}_changed.cpp"
        changed.write_text(text)
        parts[name] = compile_part(changed, changed.with_suffix(".o"), flags)
    program = folder / "races"
    command = [COMPILER, "-pthread", *flags, *parts.values(), "-o", program]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return program


def run(program, repeats):
    return subprocess.run(
        [program, str(repeats)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "TSAN_OPTIONS": "exitcode=66"},
    )


@pytest.fixture(scope="module", autouse=True)
def compiler():
    if shutil.which(COMPILER) is None:
        pytest.skip(f"no C++ compiler {COMPILER}")


@pytest.fixture(scope="module")
def folder(compiler, tmp_path_factory):
    return tmp_path_factory.mktemp("plain")


@pytest.fixture(scope="module")
def watched(compiler, tmp_path_factory):
    """Skip where ThreadSanitizer cannot run: no runtime library, or an unsuitable kernel."""
    folder = tmp_path_factory.mktemp("watched")
    source = folder / "empty.cpp"
    source.write_text("int main() { return 0; }")
    command = [COMPILER, "-fsanitize=thread", source, "-o", folder / "empty"]
    if (
        subprocess.run(command, capture_output=True).returncode != 0
        or subprocess.run([folder / "empty"], capture_output=True).returncode != 0
    ):
        pytest.skip("ThreadSanitizer does not run here")
    return folder


def test_no_data_race(watched):
    done = run(build(watched, WATCHED), repeats=4)
    assert "ThreadSanitizer" not in done.stderr, done.stderr[:4000]
    assert done.returncode == 0, done.stdout


def test_a_planted_data_race_is_seen(watched):
    """Two that match in the same round take the same place in the queue."""
    changes = {
        "ld_omp": {
            "const int place = tail_.fetch_add(2, std::memory_order_relaxed);": "const int place = "
            "size(); std::this_thread::yield(); tail_.store(place + 2, std::memory_order_relaxed);"
        }
    }
    done = run(build(watched, WATCHED, changes), repeats=5)
    assert "data race" in done.stderr


def test_a_word_with_two_users_is_seen(watched):
    """A red vertex says of its blue mate that it is matched, which asks for its colour just now."""
    line = "task_->mate[blue] = v;"
    changes = {"redblue_omp": {line: f"{line} state_[blue] = kMatched;"}}
    done = run(build(watched, WATCHED, changes), repeats=5)
    assert "data race" in done.stderr


PLANTED = {
    "no lock": {
        "suitor_omp": {
            "shared.locks[partner].lock();": "",
            "shared.locks[partner].unlock();": "",
            "const bool better = offer > held;": "const bool better = offer > held;\n"
            "    std::this_thread::yield();",
        }
    },
    "line 28 as printed": {
        "suitor_omp": {
            "shared.locks[partner].lock();": "std::this_thread::yield();\n"
            "    shared.locks[partner].lock();",
            "from_suitor = found != start;": "from_suitor = found != start;\n"
            "            current = u;",
        }
    },
    "a matched vertex looks again": {"ld_omp": {"== u && !matched(v))": "== u)"}},
    "ties by whoever comes first": {
        "ld_omp": {"make_offer(weight, t) <= best) ": "weight <= offer_weight(best)) "}
    },
}


@pytest.mark.parametrize("bug", PLANTED)
def test_planted_bugs_give_wrong_matchings(bug, folder):
    done = run(build(folder, PLAIN, PLANTED[bug]), repeats=40)
    assert done.returncode == 1, f"{bug}: {done.stdout}{done.stderr}"
