"""The programs in the reports to other projects show what the reports say of these versions."""

import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[2] / "docs/reports.md").read_text()
PROGRAMS = re.findall(r"```python3\n(.*?)```", TEXT, re.DOTALL)
#: How each ends: by its alarm, or without memory.
ENDS = [(-signal.SIGALRM, ""), (1, "MemoryError"), (-signal.SIGALRM, "")]


def bounded():
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))


@pytest.mark.parametrize(("program", "end"), [*zip(PROGRAMS, ENDS, strict=True)])
def test_the_programs_end_as_the_reports_say(program, end):
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, text=True, timeout=120, preexec_fn=bounded,
    )  # fmt: skip
    assert done.returncode == end[0], done.stderr
    assert end[1] in done.stderr
