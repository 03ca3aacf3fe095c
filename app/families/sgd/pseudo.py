"""Pseudo-code of a schedule, with the places of its events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpucore.families.sgd.record import Kind

At = dict[Kind, tuple[str, Mapping[str, str]]]


@dataclass(frozen=True)
class Pseudo:
    """Pseudo-code of a schedule.

    Attributes
    ----------
    title, source : str
        Heading, and the section of the paper.
    lines : tuple of str
    files : tuple of str
        Kernel files, the main one first.
    at : mapping of Kind to (str, mapping of str to str)
        For each kind of event, text that only its line has; and file and text of its line in the
        kernels.
    """

    title: str
    source: str
    lines: tuple[str, ...]
    files: tuple[str, ...]
    at: At
