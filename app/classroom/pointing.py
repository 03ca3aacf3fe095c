"""What a lecturer points at: the caption of a story's stop, and what is ringed in the picture."""

from __future__ import annotations

from typing import Any

from .messages import ClassError, text, whole

#: Longest caption of a story, and most vertices, edges or warps that one stop points at.
MOST_CAPTION, MOST_POINTED = 2000, 64
_LARGEST = (1 << 31) - 1


def pointing_of(message: dict[str, Any]) -> dict[str, Any]:
    """Return what students get of a lecturer's message.

    Raises
    ------
    ClassError
        The message does not fit.
    """
    edges = _listed(message, "edges")
    if any(len(edge) != 2 for edge in edges if isinstance(edge, list)):
        raise ClassError("an edge has two ends")
    return {
        "kind": "point",
        "caption": text(message.get("caption"), MOST_CAPTION),
        "vertices": _numbers(_listed(message, "vertices")),
        "warps": _numbers(_listed(message, "warps")),
        "edges": [_numbers(edge) for edge in edges],
        "lanes": None if message.get("lanes") is None else whole(message["lanes"], _LARGEST),
    }


def _listed(message: dict[str, Any], name: str) -> list[Any]:
    """Return a list that is not too long; an entry that is missing is an empty one."""
    found = message.get(name, [])
    if not isinstance(found, list) or len(found) > MOST_POINTED:
        raise ClassError(f"a lecturer points at {MOST_POINTED} {name} at most")
    return found


def _numbers(values: Any) -> list[int]:
    if not isinstance(values, list):
        raise ClassError("a list of numbers does not fit")
    return [whole(value, _LARGEST) for value in values]
