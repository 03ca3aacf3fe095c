"""A marker of pytest: in a test with ``@pytest.mark.watch``, a finding fails the test."""

from __future__ import annotations

from collections.abc import Generator

import pytest


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    text = "watch: what gpucore.watch and watch_program find fails the test, with their reports"
    config.addinivalue_line("markers", text)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Fail a marked test that ended well if something was found in it."""
    if item.get_closest_marker("watch") is None:
        return (yield)
    from gpucore.watching.reports.gather import gathered

    with gathered() as reports:
        result = yield
    if wrong := [str(report) for report in reports if not report.ok]:
        pytest.fail("\n".join(wrong), pytrace=False)
    return result
