"""Helpers for tests of benchmark sessions: jobs in this process, hover texts of plots."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from types import SimpleNamespace

from gpucore.bench import processes


def run_here(jobs, _processes, _run_limit, _cancel):
    """Run the jobs of the session's processes in this process."""
    for job in jobs:
        said = []
        processes._work(job, SimpleNamespace(send=said.append, poll=lambda: False))
        message = dict(said)
        yield job, message.get("facts", {}), message.get("done") or {"error": message["error"]}


def hints(picture):
    """Return what appears on hovering."""
    return [t.text for t in ET.fromstring(picture).iter("{http://www.w3.org/2000/svg}title")]
