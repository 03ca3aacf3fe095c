"""Messages of a class: what may be in them, and what is refused with a sentence."""

from __future__ import annotations

import json
from typing import Any

#: Bytes of a message, and how deep it nests; a question has two levels.
MOST_MESSAGE_BYTES, DEEPEST = 16 << 10, 4
#: Longest text of a question or an answer, and most answers.
MOST_CHARACTERS, MOST_CHOICES = 500, 12


class ClassError(ValueError):
    """A message that does not fit; its text is for whoever sent it."""


def parse(message: str | bytes) -> dict[str, Any]:
    """Return the content of a message.

    Raises
    ------
    ClassError
        It is too long, nests too deep, or is no JSON object.
    """
    if len(message) > MOST_MESSAGE_BYTES:
        raise ClassError(f"a message has at most {MOST_MESSAGE_BYTES >> 10} KiB")
    try:
        content = json.loads(message)
    except RecursionError:
        raise ClassError("a message nests too deep") from None
    except ValueError:
        raise ClassError("a message is no JSON") from None
    if not isinstance(content, dict):
        raise ClassError("a message is no JSON object")
    if is_deeper(content, DEEPEST):
        raise ClassError("a message nests too deep")
    return content


def is_deeper(content: Any, levels: int) -> bool:
    """Return whether JSON content nests deeper; itself without recursion."""
    level = [content]
    for _ in range(levels):
        level = [
            inner
            for part in level
            if isinstance(part, dict | list)
            for inner in (part.values() if isinstance(part, dict) else part)
        ]
        if not level:
            return False
    return True


def whole(value: Any, most: int) -> int:
    """Return a whole number from 0 to `most`; anything else raises ClassError."""
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= most:
        raise ClassError("a number does not fit")
    return value


def text(value: Any, most: int = MOST_CHARACTERS) -> str:
    """Return a text that is not too long; anything else raises ClassError."""
    if not isinstance(value, str) or len(value) > most:
        raise ClassError(f"a text has at most {most} characters")
    return value
