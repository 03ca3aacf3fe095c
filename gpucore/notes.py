"""Notes: what was changed or assumed between what an owner gave and the problem that is solved.

A note is a plain sentence. Readers and conversions write them into ``source["notes"]``; steps of
preparation stand in ``source["prepared"]``, and their kinds of problems have the sentences.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any


def with_note(source: Mapping[str, Any], *sentences: str) -> dict[str, Any]:
    """Return a problem's ``source`` with more notes.

    Examples
    --------
    >>> with_note({"kind": "memory"}, "Column 4 was not read.")
    {'kind': 'memory', 'notes': ['Column 4 was not read.']}
    """
    if not sentences:
        return dict(source)
    return {**source, "notes": [*dict.fromkeys((*source.get("notes", ()), *sentences))]}


def with_steps(source: Mapping[str, Any], *steps: Mapping[str, Any]) -> dict[str, Any]:
    """Return a problem's ``source`` with more steps of preparation.

    Examples
    --------
    >>> with_steps({"kind": "memory"}, {"step": "drop_loops"})
    {'kind': 'memory', 'prepared': [{'step': 'drop_loops'}]}
    """
    return {**source, "prepared": [*source.get("prepared", ()), *steps]} if steps else dict(source)


def notes_of(problem: Any) -> tuple[str, ...]:
    """Return all notes on a problem: of its source, then of the steps that prepared it.

    Examples
    --------
    >>> from gpucore import Graph
    >>> from gpucore.problems.graph.prepare import for_matching
    >>> notes_of(for_matching(Graph.from_edges(3, [0, 1], [1, 2], [2.0, -1.0])))
    ('Edges of negative weight are left out: no heaviest matching has one.',)
    """
    from gpucore.problem import kinds

    source: Mapping[str, Any] = getattr(problem, "source", {})
    sentences = {
        step: text
        for kind in kinds().values()
        if kind.step_notes
        for step, text in kind.load(kind.step_notes).items()
    }
    steps = source.get("prepared", ())
    found = [
        sentences[step["step"]].format_map(defaultdict(lambda: "?", step))
        for step in steps
        if step.get("step") in sentences
    ]
    return tuple(dict.fromkeys([*map(str, source.get("notes", ())), *found]))
