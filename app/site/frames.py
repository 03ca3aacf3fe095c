"""The form of a websocket frame, checked before a library decodes it.

Jupyter Server decodes frames with counts that it takes from the frame itself: a frame of 72 bytes
can ask for 2**60 parts. The server therefore accepts one form only, the binary form of the protocol
``v1.kernel.websocket.jupyter.org``, and checks every count, offset and text of it first.

A frame is: the number of offsets, the offsets (64-bit, little-endian), the name of the channel, and
the parts: header, parent header, metadata, content, then buffers. Offset k is where the channel
(k = 0) or part k begins; the last is the length of the frame.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from jupyter_client.jsonutil import extract_dates

from ..classroom.messages import is_deeper

#: The only subprotocol that is accepted.
PROTOCOL = "v1.kernel.websocket.jupyter.org"

#: Messages that a page sends. None of them makes the page process run code of a visitor.
ALLOWED_TYPES = frozenset(
    {"comm_open", "comm_msg", "comm_close", "comm_info_request", "kernel_info_request"}
)

#: An escape that may be half of a character; whole ones come in pairs.
_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_CHANNELS = (b"shell", b"control")
_WORD = 8
#: Header, parent header, metadata and content; all are JSON objects.
_TEXTS = 4
_MOST_BUFFERS = 64
#: Largest header, parent header, metadata and content in bytes.
_MOST_BYTES = (1 << 14, 1 << 14, 1 << 16, 1 << 20)
_LONGEST_ID = 128
#: How deep a text nests; the page process goes through it by recursion.
_DEEPEST = 64


class BadFrame(ValueError):
    """A frame has not the form of a message of our pages; says what is wrong."""


@dataclass(frozen=True)
class Message:
    """What the server needs to know of a message.

    Attributes
    ----------
    kind : str
        Type of the message, one of :data:`ALLOWED_TYPES`.
    identifier : str
        Identifier of the message; the page process names it in its answers.
    """

    kind: str
    identifier: str


def check(frame: bytes | str) -> Message:
    """Check one frame from a browser.

    Parameters
    ----------
    frame : bytes or str
        The frame; a text frame is refused.

    Raises
    ------
    BadFrame
        The frame has another form, or its message is of a type that no page sends.
    """
    if not isinstance(frame, bytes):
        raise BadFrame("it is not binary")
    offsets = _offsets(frame)
    if frame[offsets[0] : offsets[1]] not in _CHANNELS:
        raise BadFrame("it names no channel of a page")
    texts = [
        _object(frame[start:end], most)
        for start, end, most in zip(offsets[1:], offsets[2:], _MOST_BYTES, strict=False)
    ]
    header = texts[0]
    try:
        extract_dates(texts)  # as the page process will, for which a failure is a traceback
    except (ValueError, OverflowError) as error:
        raise BadFrame(f"a date in it cannot be read: {error}") from None
    kind, identifier = header.get("msg_type"), header.get("msg_id")
    if not isinstance(kind, str) or kind not in ALLOWED_TYPES:
        raise BadFrame("its type is none that pages send")
    if not isinstance(identifier, str) or len(identifier) > _LONGEST_ID:
        raise BadFrame("it has no identifier")
    return Message(kind, identifier)


def _offsets(frame: bytes) -> list[int]:
    """Return the offsets of a frame; they rise from the end of the table to the frame's end."""
    count = int.from_bytes(frame[:_WORD], "little")
    # One for the channel, one for each part, one for the end.
    if not _TEXTS + 2 <= count <= _TEXTS + 2 + _MOST_BUFFERS:
        raise BadFrame("its number of parts is impossible")
    begin = _WORD * (1 + count)
    if len(frame) < begin:
        raise BadFrame("it is shorter than its table of offsets")
    offsets = [
        int.from_bytes(frame[place : place + _WORD], "little")
        for place in range(_WORD, begin, _WORD)
    ]
    if offsets[0] != begin or offsets[-1] != len(frame) or offsets != sorted(offsets):
        raise BadFrame("its offsets do not fit its length")
    return offsets


def _object(text: bytes, most: int) -> dict[str, Any]:
    """Return a JSON object that a frame holds."""
    if len(text) > most:
        raise BadFrame(f"a text of it is longer than {most:,} bytes")
    try:
        # Strictly UTF-8: from bytes, JSON would guess the encoding and let halves of characters in.
        found = json.loads(text.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise BadFrame("a text of it is not JSON") from None
    if not isinstance(found, dict):
        raise BadFrame("a text of it is not a JSON object")
    if is_deeper(found, _DEEPEST):
        raise BadFrame("a text of it nests too deep")
    if _SURROGATE.search(text) and not _can_be_sent(found):
        raise BadFrame("a text of it holds half a character")
    return found


def _can_be_sent(found: dict[str, Any]) -> bool:
    """Return whether all texts are UTF-8: the page process fails on a lone surrogate."""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(name: str) -> Any:
    """Refuse NaN and Infinity, which browsers never write."""
    raise ValueError(name)


__all__ = ["ALLOWED_TYPES", "PROTOCOL", "BadFrame", "Message", "check"]
