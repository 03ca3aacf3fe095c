"""What makes collecting some 12,000 tests quick, in each of the processes that run them.

The garbage collector would look at all tests again and again, while they are made and while they
run; they live until the end.  A module without an example need not be imported to look for one.
In a fresh clone one process compiles all modules, and then the others read them.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule

TESTS = Path(__file__).parents[1]
#: The file that the first process writes when it has collected, beside the folders of all.
COLLECTED = "collected"
#: How many seconds the others wait for it: it may have died.
PATIENCE = 120

gc.disable()


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(
    file_path: Path,
) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
    """Leave out the search for examples where the text has none."""
    collectors = yield
    searched = [one for one in collectors if isinstance(one, DoctestModule)]
    if not searched or b">>>" in file_path.read_bytes():
        return collectors
    return [one for one in collectors if one not in searched]


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Tell a process of the tests whether there are compiled modules."""
    compiled = any(TESTS.glob("*/__pycache__/test_*.pyc"))
    node.workerinput["compile"] = not (compiled or sys.dont_write_bytecode)


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Wait for the modules that the first process compiles."""
    worker = getattr(session.config, "workerinput", {})
    if not worker.get("compile") or worker["workerid"] == "gw0":
        return
    end = time.monotonic() + PATIENCE
    while not _collected(session.config).exists() and time.monotonic() < end:
        time.sleep(0.1)


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """From here on the collector looks only at what the tests make."""
    gc.freeze()
    gc.enable()
    if getattr(session.config, "workerinput", {}).get("workerid") == "gw0":
        _collected(session.config).touch()


def _collected(config: pytest.Config) -> Path:
    return Path(config.option.basetemp).parent / COLLECTED
