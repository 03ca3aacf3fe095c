"""Which devices the tests run on.

The host executor is everywhere.  Tests of the GPU carry the marker ``gpu``; without a GPU they
are left out, and a line says how many and why.  ``--run-on cuda`` is for machines that must have
one: there a missing GPU is an error, so that a run cannot pass by leaving out everything.

(``--device`` and the fixture ``device`` belong to pytest-playwright.)
"""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

from gpucore.device import Device, get_device

pytest.register_assert_rewrite("support")  # so that its failures show values too

# jsonschema, which nbformat imports, would compile grammars for two seconds in each process of the
# tests. Without this module it leaves them out, as in the server.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

# A shell's background job ignores SIGINT, and so would all commands that tests interrupt.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A deadline would be a timed assertion: the first example of a test may load a library.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

pytest_plugins = [
    "support.collecting",
    *(
        f"support.fixtures_{name}"
        for name in ("bench", "browser", "cli", "engine", "labs", "races")
    ),
]

#: How many tests were left out, and why.
LEFT_OUT = pytest.StashKey[str]()

#: A family in its own folder; it has no tests. See test_toy_family.py.
collect_ignore = ["toy"]

#: Tests that share a browser and its server, or a library that they build; longest first.
TOGETHER = (("tests/browser/", "/test_browser"), ("tests/simt/",))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--run-on",
        choices=("auto", "host", "cuda"),
        default="auto",
        help="auto: the host, and a GPU if there is one; host: no test of the GPU; "
        "cuda: tests of the GPU only, and there has to be one",
    )
    parser.addoption(
        "--fuzz-seconds",
        type=float,
        default=3.0,
        help="how long each test of tests/fuzz makes random cases",
    )
    parser.addoption(
        "--soak",
        action="store_true",
        help="repeat in full what must leave nothing behind: pages of all families, 30 visits",
    )
    parser.addoption(
        "--engine",
        action="store_true",
        help="run the playground's compiler in a browser: minutes, and 60 MB of npm packages",
    )
    parser.addoption(
        "--fuzz-seed", type=int, default=1, help="seed of its first case; each case has the next"
    )


def _no_gpu() -> str | None:
    from gpucore.device.cuda import CudaDevice

    return CudaDevice.unavailable()


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--run-on") == "cuda" and (reason := _no_gpu()) is not None:
        raise pytest.UsageError(f"--run-on cuda, but there is no usable GPU: {reason}")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if hasattr(config, "workerinput"):  # one of several processes
        items.sort(key=lambda item: _together(item.nodeid))
    chosen = config.getoption("--run-on")
    groups: dict[bool, list[pytest.Item]] = {True: [], False: []}
    for item in items:
        groups[item.get_closest_marker("gpu") is not None].append(item)
    reason = "--run-on host" if chosen == "host" else _no_gpu() if groups[True] else None
    left_out = groups[False] if chosen == "cuda" else groups[True] if reason is not None else []
    if left_out:
        items[:] = groups[chosen == "cuda"]
        config.hook.pytest_deselected(items=left_out)
        what = "of the host" if chosen == "cuda" else f"of the GPU (no GPU: {reason})"
        config.stash[LEFT_OUT] = f"{len(left_out):,} tests {what} were left out"


def pytest_sessionfinish(session: pytest.Session) -> None:
    if hasattr(session.config, "workerinput"):
        session.config.workeroutput["left_out"] = session.config.stash.get(LEFT_OUT, "")  # type: ignore[attr-defined]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any, error: object) -> None:
    if text := getattr(node, "workeroutput", {}).get("left_out"):
        node.config.stash[LEFT_OUT] = text


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if text := config.stash.get(LEFT_OUT, ""):
        terminalreporter.write_line(text)


def _together(nodeid: str) -> int:
    """Return the place in TOGETHER of this test's file, or its length."""
    file = nodeid.partition("::")[0]
    places = (place for place, parts in enumerate(TOGETHER) if any(map(file.__contains__, parts)))
    return next(places, len(TOGETHER))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Assign a file, or all files of a place in TOGETHER, to one process."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            place = _together(nodeid)
            return str(place) if place < len(TOGETHER) else nodeid.partition("::")[0]

    if config.getoption("dist") != "load":  # another way was asked for
        return None
    config.option.loadscopereorder = False
    return ByFile(config, log)


@pytest.fixture(scope="session")
def make_device() -> Callable[..., Device]:
    """Return a function like get_device that makes each device only once."""
    made: dict[Any, Device] = {}

    def make(name: str, **options: Any) -> Device:
        key = (name, *sorted(options.items()))
        if key not in made:
            made[key] = get_device(name, **options)
        return made[key]

    return make


@pytest.fixture(params=["host", pytest.param("cuda", marks=pytest.mark.gpu)])
def each_device(request: pytest.FixtureRequest, make_device: Callable[..., Device]) -> Device:
    """Return the host executor, then the GPU."""
    return make_device(request.param)


@pytest.fixture
def cuda(make_device: Callable[..., Device]) -> Device:
    """Return the GPU; the test has to carry the marker ``gpu``."""
    return make_device("cuda")
