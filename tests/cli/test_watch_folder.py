"""``warplens watch FOLDER``: labels, the table by label, and the file of reports."""

import json
import signal
import subprocess
import sys
import time

import pytest

from gpucore.cli.console import BAD_INPUT, CANCELLED, NOT_CERTIFIED, USAGE
from support.waiting import PATIENCE, wait_until

PROGRAM = """\
#include <cstdlib>
__global__ void k(int* x, int n) { %s; }
int main(int argc, char** argv)
{
    int* x;
    cudaMalloc(&x, 64 * sizeof(int));
    cudaMemset(x, 0, 64 * sizeof(int));
    k<<<1, 64>>>(x, argc > 1 ? atoi(argv[1]) : 0);
}
"""
BODIES = {
    "right": "x[threadIdx.x] = n",
    "deep/race": "x[0] += threadIdx.x",
    "deep/bounds": "x[threadIdx.x + n] = 1",
    "broken": "y = 1",
}


@pytest.fixture
def folder(lab_compiler, tmp_path):
    """Return a folder of small programs."""
    for name, body in BODIES.items():
        path = tmp_path / "codes" / f"{name}.cu"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(PROGRAM % body)
    return tmp_path / "codes"


def rows(report):
    return {
        row["label"]: (row["files"], row["found"], row["missed"], row["false_alarms"])
        for row in report["summary"]
    }


def test_a_table_says_what_should_be_found(call, folder, tmp_path):
    table, output = tmp_path / "labels.csv", tmp_path / "results.json"
    table.write_text(
        "file,label,arguments\nright.cu,none,\ndeep/race.cu,race,\n"
        "deep/bounds.cu,bounds,0\ndeep/bounds.cu,bounds,1\n"
    )
    words = ("watch", folder, "--schedules", "3", "--labels", table)
    found = call(*words, "--output", output)
    assert found.exit_code == 0, found.output
    assert "4 files" not in found.stdout and "3 files, of which 0 cannot be watched" in found.stdout
    report = json.loads(output.read_text())
    assert rows(report)["race"] == rows(report)["bounds"] == rows(report)["none"] == (1, 1, 0, 0)
    bounds = report["files"][2]
    assert (bounds["file"], bounds["found"]) == ("deep/bounds.cu", ["bounds"])
    assert [bool(run["kernels"][0]["findings"]) for run in bounds["reports"]] == [False, True]


def test_what_is_missed_and_what_is_wrong_counts(call, folder, tmp_path):
    table = tmp_path / "labels.csv"
    table.write_text("file,label\nright.cu,race+barrier\ndeep/race.cu,none\n")
    found = call("watch", folder, "--schedules", "3", "--labels", table, "--json")
    assert found.exit_code == NOT_CERTIFIED
    report = json.loads(found.stdout)
    assert rows(report)["race"] == (1, 0, 1, 1)
    assert rows(report)["barrier"] == (1, 0, 1, 0)
    assert rows(report)["none"] == (1, 0, 1, 1)


def test_without_a_table_all_files_are_watched(call, folder):
    found = call("watch", folder, "--schedules", "2", "--json", "--", "5")
    report = json.loads(found.stdout)
    assert report["files"] == 4
    (failed,) = report["failed"]
    assert failed["file"] == "broken.cu" and "'y' was not declared" in failed["text"]
    assert rows(report)["bounds"] == (0, 0, 0, 1)  # by the argument
    assert report["found"] == {"deep/bounds.cu": ["bounds"], "deep/race.cu": ["race"]}


def test_without_a_table_each_file_is_named_with_what_was_found(call, folder):
    found = call("watch", folder, "--schedules", "2", "--", "5")
    assert found.exit_code == NOT_CERTIFIED
    lines = [line.split() for line in found.stdout.splitlines()]
    assert lines[:4] == [
        ["file", "found"],
        ["deep/bounds.cu", "bounds"],
        ["deep/race.cu", "race"],
        ["right.cu", "nothing"],
    ]
    assert "broken.cu: " in found.stdout and "4 files, of which 1 cannot" in found.stdout


def test_a_host_loop_without_end_is_endless(call, folder, tmp_path):
    loop = PROGRAM.replace("    k<<<", "    for (;;) k<<<") % BODIES["right"]
    (folder / "loop.cu").write_text(loop)
    table, output = tmp_path / "labels.csv", tmp_path / "results.json"
    table.write_text("file,label\nloop.cu,endless\n")
    words = ("watch", folder, "--labels", table, "--schedules", "1", "--launches", "1")
    found = call(*words, "--seconds", "4", "--json", "--output", output)
    assert found.exit_code == 0, found.output
    assert rows(json.loads(found.stdout))["endless"] == (1, 1, 0, 0)
    (report,) = json.loads(output.read_text())["files"][0]["reports"]
    assert "launches of k or more: its loop of launches may have no end" in report["ended"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("file,label\nright.cu,wrong\n", "line 2: the label 'wrong' is none of race, bounds"),
        ("file,label\nother.cu,race\n", "line 2: there is no file 'other.cu'"),
    ],
)
def test_wrong_tables_are_refused(call, folder, tmp_path, text, words):
    table = tmp_path / "labels.csv"
    table.write_text(text)
    found = call("watch", folder, "--labels", table)
    assert (found.exit_code, words in found.stderr) == (BAD_INPUT, True), found.stderr
    assert call("watch", folder / "right.cu", "--labels", table).exit_code == USAGE


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (("--block", "32"), "not of a folder"),
        (("--grid", "4"), "not of a folder"),
        (("--github",), "not of a folder"),
    ],
)
def test_options_of_one_program_are_refused_for_a_folder(call, folder, options, cause):
    found = call("watch", folder, *options)
    assert found.exit_code == USAGE
    assert cause in found.stderr


def test_blocks_are_of_one_kernel(call, folder):
    found = call("watch", folder / "right.cu", "--grid", "4")
    assert found.exit_code == USAGE
    assert "--grid, --name" in found.stderr


SLEEPER = """\
#include <cstdio>
#include <unistd.h>
__global__ void k() {}
int main(int argc, char** argv)
{
    fclose(fopen(argv[1], "w"));
    sleep(100);
}
"""


def test_an_interrupted_command_keeps_what_it_found(lab_compiler, tmp_path):
    codes, begun, output = tmp_path / "codes", tmp_path / "begun", tmp_path / "results.json"
    codes.mkdir()
    (codes / "a.cu").write_text(PROGRAM % BODIES["deep/race"])
    (codes / "b.cu").write_text(SLEEPER)
    table = tmp_path / "labels.csv"
    table.write_text(f"file,label,arguments\na.cu,race,0\nb.cu,none,{begun}\n")
    words = ["watch", str(codes), "--schedules", "3", "--labels", str(table)]
    command = [sys.executable, "-m", "gpucore.cli", *words, "--processes", "1"]
    with subprocess.Popen([*command, "--output", str(output)]) as ran:
        wait_until(begun.exists)
        for _ in range(2):  # as "timeout" does: the command, and then its group
            ran.send_signal(signal.SIGTERM)  # SIGINT may be ignored where tests run
            time.sleep(0.02)
        assert ran.wait(PATIENCE) == CANCELLED
    files = {one["file"]: one for one in json.loads(output.read_text())["files"]}
    assert (files["a.cu"]["done"], files["a.cu"]["found"]) == (True, ["race"])
    assert not files["b.cu"]["done"]
