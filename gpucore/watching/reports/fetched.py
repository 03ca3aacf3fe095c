"""Findings of the native executor's launches."""

from __future__ import annotations

import ctypes as c
from collections.abc import Sequence
from typing import Any

import numpy as np

from gpucore.counts import MOST_STEPS, REQUEST, SITE, Step, steps_of
from gpucore.device.lines import UNKNOWN, line_table
from gpucore.device.profile import fetch_rows
from gpucore.native import Library
from gpucore.watching.memory.arena import Memory
from gpucore.watching.reports.findings import FINDING, Finding, findings_of


def read_findings(library: Library, held: Sequence[Memory]) -> list[Finding]:
    """Return the findings of this OS thread's last watched launch."""
    rows = raw_findings(library)
    if not len(rows):
        return []
    sites = fetch_rows(library, "simt_sites", np.dtype(SITE))
    return findings_of(rows, sites, lambda pc: line_table(library.path).lookup(pc - 1), held)


def stopped_place(library: Library) -> tuple[str, int]:
    """Return where a signal ended this OS thread's last launch; line 0 if none did."""
    function = library.cdll.simt_stopped_at
    function.argtypes, function.restype = [], c.c_uint64
    address = int(function())
    return line_table(library.path).lookup(address) if address else UNKNOWN


def keep_steps(library: Library, kept: bool) -> None:
    """Keep the first steps of this OS thread's next launches, or none."""
    library.cdll.simt_keep_requests(c.c_uint64(MOST_STEPS * kept))


def read_steps(library: Library) -> tuple[Step, ...]:
    """Return the steps that were kept."""
    rows = fetch_rows(library, "simt_kept_requests", np.dtype(REQUEST))
    table = line_table(library.path)
    return tuple(steps_of(rows, lambda pc: table.lookup(int(pc) - 1)))


def raw_findings(library: Library) -> Any:
    """Return the findings of this OS thread's last watched launch as records of the executor."""
    return fetch_rows(library, "simt_findings", np.dtype(FINDING))
