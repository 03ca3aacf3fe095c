"""Websocket frames: whatever bytes come, the check ends at once, with a message or a refusal."""

import json
from random import Random

from jupyter_client.jsonutil import extract_dates

from support.visitor import message, pack, unpack
from warplens.app.site.frames import ALLOWED_TYPES, BadFrame, Message, check

KINDS = [*sorted(ALLOWED_TYPES), "execute_request", "shutdown_request", "input_reply", ""]
NUMBERS = [0, 1, 6, 7, 8, 255, 2**31 - 1, 2**32, 2**60, 2**63, 2**64 - 1]
TEXTS = [b"", b"{}", b"[]", b"null", b"{", b'{"a": 1e999}', b"\xff", b"[" * 5000, b'"x"']
MOST_BYTES = 64 << 20
#: Seeds of frames that passed and then failed in the page process: they nest too deep, or have a
#: date that there is not.
KEPT = (219, 695, 1816, 11666)


def a_message(random: Random) -> bytes:
    """Return a message of any type, with content and buffers."""
    content = {"comm_id": "c", "data": {"method": "update", "state": {"value": random.random()}}}
    buffers = [random.randbytes(random.randrange(200)) for _ in range(random.randrange(4))]
    return message(random.choice(KINDS), content, buffers=buffers)


def parts(random: Random) -> bytes:
    """Return a frame with a right table and any parts."""
    found = [random.choice(TEXTS) for _ in range(random.randrange(80))]
    return pack(random.choice([b"shell", b"control", b"iopub", b"", b"\xff"]), found)


def odd(random: Random) -> bytes:
    """Return a message that may nest deep, and may hold halves of characters."""
    begin, end = random.choice([("[", "]"), ('{"data": ', "}")])
    deep = random.randrange(random.choice([4, 100, 1000, 50_000]))
    inner = random.choice(["1", r'"\ud800"', r'"\udc00\ud800"', r'"\ud834\udd1e"', "Infinity"])
    header = f'"msg_id": "1", "msg_type": "{random.choice(KINDS)}"'
    texts = [f"{{{header}}}", "{}", "{}", "{}"]
    place = random.choice([0, 1, 3])
    more = f'"data": {begin * deep}{inner}{end * deep}'
    texts[place] = f"{{{header}, {more}}}" if place == 0 else f"{{{more}}}"
    return pack(b"shell", [text.encode() for text in texts])


def damaged(random: Random) -> bytes:
    """Return a message with changed bytes, another number in its table, or another length."""
    frame = bytearray(a_message(random))
    for _ in range(random.randrange(1, 4)):
        place = random.randrange(len(frame))
        choice = random.randrange(4)
        if choice == 0:
            frame[place] = random.randrange(256)
        elif choice == 1:
            start = 8 * random.randrange(8)
            frame[start : start + 8] = random.choice(NUMBERS).to_bytes(8, "little")
        elif choice == 2:
            del frame[place:]
            frame = frame or bytearray(b"\0")
        else:
            frame[place:place] = random.randbytes(random.randrange(40))
    return bytes(frame)


def noise(random: Random) -> bytes:
    """Return random bytes."""
    return random.randbytes(random.choice([0, 1, 7, 8, 9, 72, 500, 100_000]))


def test_every_frame_is_checked_at_once(fuzz):
    accepted = 0

    def make(random: Random) -> bytes:
        return random.choice([a_message, parts, odd, damaged, noise])(random)

    def check_one(frame: bytes) -> None:
        nonlocal accepted
        try:
            found = check(frame)
        except BadFrame as error:
            assert str(error)
            return
        accepted += 1
        assert isinstance(found, Message)
        assert found.kind in ALLOWED_TYPES
        # What the page process does with it; a failure would be a traceback for each message.
        for text in unpack(frame)[1:]:
            extract_dates(text)
            json.dumps(text, ensure_ascii=False).encode()

    cases = fuzz.run(make, check_one, most_bytes=MOST_BYTES, kept=KEPT)
    assert cases < 50 or 0 < accepted < cases
