"""What makes collecting some 12,000 tests quick, in each of the processes that run them.

The garbage collector would look at all tests again and again, while they are made and while they
run; they live until the end.  A module without an example need not be imported to look for one.
"""

from __future__ import annotations

import gc
from collections.abc import Generator
from pathlib import Path

import pytest
from _pytest.doctest import DoctestModule

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


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """From here on the collector looks only at what the tests make."""
    gc.freeze()
    gc.enable()
