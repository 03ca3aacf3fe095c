"""Helpers for tests of benchmark sessions: jobs in this process, hover texts of plots."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest

from gpucore.bench import processes
from gpucore.bench.results import read_results
from gpucore.bench.session import run_session
from gpucore.device import get_device


def run_here(jobs, _processes, _run_limit, _cancel):
    """Run the jobs of the session's processes in this process."""
    for job in jobs:
        said = []
        processes._work(job, SimpleNamespace(send=said.append, poll=lambda: False))
        message = dict(said)
        yield job, message.get("facts", {}), message.get("done") or {"error": message["error"]}


def measured(suite, plan, places, instead=()):
    """Run a session in this process, on the host, and return the results that it wrote.

    `places`: the folders of results and of graphs; `instead`: pairs of a dotted name in gpucore and
    of what it is during the session.
    """
    copied = {"bytes": 1, "seconds": 1e-9, "bandwidth": 1e9}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gpucore.bench.session.run_jobs", run_here)
        patch.setattr("gpucore.bench.session.copy_bandwidth", lambda device, **_: copied)
        for name, value in instead:
            patch.setattr(f"gpucore.{name}", value)
        _, complete = run_session(suite, plan, get_device("host"), *places)
    assert complete
    return read_results(places[0] / f"{suite.family}.json")


def hints(picture):
    """Return what appears on hovering."""
    return [t.text for t in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}title")]
