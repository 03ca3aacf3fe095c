"""Sentences about what was assumed when a problem was read; they go with its ``source``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def with_note(source: Mapping[str, Any], sentence: str) -> dict[str, Any]:
    """Return a problem's source with one more sentence in its list ``notes``.

    Examples
    --------
    >>> with_note({"kind": "file"}, "The third column is taken as weights.")
    {'kind': 'file', 'notes': ['The third column is taken as weights.']}
    """
    notes = list(source.get("notes", ()))
    return {**source, "notes": notes if sentence in notes else [*notes, sentence]}


def with_notes(source: Mapping[str, Any], sentences: Any) -> dict[str, Any]:
    """Return a problem's source with more sentences in its list ``notes``, if there are any."""
    noted = dict(source)
    for sentence in sentences:
        noted = with_note(noted, sentence)
    return noted
