"""Websocket frames: what browsers send passes; anything else is refused, whatever it claims."""

import struct

import pytest

from support.visitor import message, pack
from warplens.app.site.frames import ALLOWED_TYPES, BadFrame, Message, check

TEXTS = [b'{"msg_id": "1", "msg_type": "comm_msg"}', b"{}", b"{}", b"{}"]


@pytest.mark.parametrize("kind", sorted(ALLOWED_TYPES))
@pytest.mark.parametrize("buffers", [(), (b"",), (b"\0" * 3_000_000, b"x")])
def test_messages_of_a_page_pass(kind, buffers):
    frame = message(kind, {"comm_id": "a", "data": {}}, buffers=buffers, identifier="m")
    assert check(frame) == Message(kind, "m")


#: What froze the server, or made it take gigabytes, before frames were checked.
FREEZES = {
    "offsets": struct.pack("<Q", 2**60) + b"x" * 64,
    "parts": struct.pack("!i", 2**31 - 1) + b"abc",
    "text": '{"header": {"msg_type": "comm_msg"}}',
}


@pytest.mark.parametrize("frame", FREEZES.values(), ids=FREEZES)
def test_frames_that_stopped_the_server_are_refused(frame):
    with pytest.raises(BadFrame):
        check(frame)


def changed(place, number):
    """Return a good frame with another number in its table."""
    frame = bytearray(pack(b"shell", TEXTS))
    frame[8 * place : 8 * place + 8] = number.to_bytes(8, "little")
    return bytes(frame)


GOOD = pack(b"shell", TEXTS)
HALF = b'{"msg_id": "\\ud800", "msg_type": "comm_msg"}'
DEEP = b"[" * 100_000 + b"]" * 100_000
BAD = {
    "empty": (b"", "number of parts"),
    "only a count": (struct.pack("<Q", 6), "shorter"),
    "no parts": (changed(0, 1), "number of parts"),
    "too many parts": (pack(b"shell", [*TEXTS, *[b""] * 65]), "number of parts"),
    "a part less": (pack(b"shell", TEXTS[:3]), "number of parts"),
    "starts too early": (changed(1, 8), "offsets"),
    "goes back": (changed(3, 1), "offsets"),
    "beyond the end": (changed(6, len(GOOD) + 1), "offsets"),
    "bytes behind the end": (GOOD + b"x", "offsets"),
    "cut off": (GOOD[:-1], "offsets"),
    "another channel": (pack(b"stdin", TEXTS), "channel"),
    "no JSON": (pack(b"shell", [*TEXTS[:3], b"{"]), "not JSON"),
    "not UTF-8": (pack(b"shell", [b"\xff\xfe\xfa", *TEXTS[1:]]), "not JSON"),
    "half a character": (pack(b"shell", [HALF, *TEXTS[1:]]), "half a character"),
    "half a character below": (
        pack(b"shell", [*TEXTS[:3], b'{"data": ["\\uDFFF\\ud83d"]}']),
        "half a character",
    ),
    "half a character as bytes": (
        pack(b"shell", [HALF.replace(b"\\ud800", b"\xed\xa0\x80"), *TEXTS[1:]]),
        "not JSON",
    ),
    "half a character in UTF-16": (
        pack(b"shell", [HALF.decode().encode("utf-16-le"), *TEXTS[1:]]),
        "not JSON",
    ),
    "UTF-32": (pack(b"shell", [TEXTS[0].decode().encode("utf-32-le"), *TEXTS[1:]]), "not JSON"),
    "a list": (pack(b"shell", [*TEXTS[:3], b"[]"]), "object"),
    "nested": (pack(b"shell", [*TEXTS[:3], DEEP]), "not JSON"),
    "NaN": (pack(b"shell", [*TEXTS[:3], b'{"data": NaN}']), "not JSON"),
    "a long header": (pack(b"shell", [b'{"a": "' + b"x" * 20_000 + b'"}', *TEXTS[1:]]), "longer"),
    "runs code": (message("execute_request", {"code": "1"}), "type"),
    "no type": (pack(b"shell", [b'{"msg_id": "1"}', *TEXTS[1:]]), "type"),
    "a type that is a list": (message("", header={"msg_type": ["comm_msg"]}), "type"),
    "no identifier": (message("comm_msg", header={"msg_id": None}), "identifier"),
    "a long identifier": (message("comm_msg", identifier="x" * 129), "identifier"),
}


@pytest.mark.parametrize(("frame", "why"), BAD.values(), ids=BAD)
def test_other_frames_are_refused_with_the_reason(frame, why):
    with pytest.raises(BadFrame, match=why):
        check(frame)


def test_whole_characters_of_two_halves_pass():
    frame = message("comm_msg", {"data": "\U0001f600 \\ud800"}, identifier="m")
    assert check(frame) == Message("comm_msg", "m")
