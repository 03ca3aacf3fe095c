"""``warplens watch`` with a program."""

from __future__ import annotations

import json
import signal
import subprocess
import sys

import pytest

from support.programs import SUM, main

COMMAND = [sys.executable, "-m", "gpucore.cli", "watch"]


def test_files_of_one_program_share_headers_kernels_and_variables(lab_compiler, tmp_path):
    (tmp_path / "common.h").write_text(
        "#pragma once\n#include <cstdio>\nstruct Two { int a, b; };\n"
        "extern __device__ int counter;\nvoid add(Two* x, int n);\n"
    )
    (tmp_path / "kernels.cu").write_text(
        '#include "common.h"\n__device__ int counter = 3;\n'
        "__global__ void k(Two* x, int n) {\n  x[threadIdx.x].a = n;\n  x[0].b += counter;\n}\n"
        "void add(Two* x, int n) { k<<<1, 2>>>(x, n); }\n"
    )
    (tmp_path / "main.cu").write_text(
        '#include "common.h"\n#include <cstdlib>\nint main(int, char** words) {\n'
        "  Two* x; cudaMalloc(&x, 16); cudaMemset(x, 0, 16); add(x, atoi(words[1]));\n"
        "  int c; cudaMemcpyFromSymbol(&c, counter, 4);\n"
        "  return c != 3;\n}\n"
    )
    files = [tmp_path / "main.cu", tmp_path / "kernels.cu"]
    found = subprocess.run(
        [*COMMAND, *files, "--schedules", "2", "--json", "--", "5"], capture_output=True, text=True
    )
    report = json.loads(found.stdout)
    assert (found.returncode, report["exit_code"]) == (1, 0), found.stderr
    sides = {(race[side]["file"], race[side]["line"]) for kernel in report["kernels"]
             for race in kernel["races"] for side in ("first", "second")}  # fmt: skip
    assert sides == {("kernels.cu", 5)}
    twice = subprocess.run([*COMMAND, *files, "--block", "1"], capture_output=True, text=True)
    assert "a kernel of one file is launched" in twice.stderr


def test_the_command_passes_arguments_and_output(lab_compiler, tmp_path):
    path = tmp_path / "sum.cu"
    path.write_text(SUM % "atomicAdd(out, x[i])")
    plain = subprocess.run(
        [*COMMAND, path, "--schedules", "2", "--", "40"], capture_output=True, text=True
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.startswith("780\nsum: no data race, one result in 2 schedules\n")
    ran = subprocess.run([*COMMAND, path, "--json", "--", "40"], capture_output=True, text=True)
    report = json.loads(ran.stdout)
    assert report.keys() == {
        "file", "ok", "exit_code", "ended", "timed_out", "findings", "warnings", "kernels",
    }  # fmt: skip
    assert ran.stderr == "780\n"


@pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN, reason="Ctrl-C is ignored here"
)
def test_the_command_is_interrupted_with_its_program(lab_compiler, tmp_path):
    path = tmp_path / "long.cu"
    path.write_text(main('    puts("begun"); fflush(stdout); for (volatile int i = 0;; ++i) {}'))
    running = subprocess.Popen([*COMMAND, path], stdout=subprocess.PIPE, text=True)
    assert running.stdout.readline() == "begun\n"
    running.send_signal(signal.SIGINT)
    assert running.wait(60) == 130
    assert running.stdout.read() == ""  # its program is gone, too: nothing holds the pipe
