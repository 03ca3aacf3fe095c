"""Messages of a class: whatever JSON comes, it is a flat object or a sentence."""

import json
from random import Random

from warplens.app.classroom.messages import DEEPEST, MOST_MESSAGE_BYTES, ClassError, parse

#: Seeds of messages that nest beyond the limit of Python's recursion.
KEPT = (31, 126)


def a_message(random: Random) -> bytes:
    """Return a text that may nest, be damaged, or be too long."""
    begin, end = random.choice([("[", "]"), ('{"a":', "}")])
    deep = random.randrange(random.choice([3, 6, 1000, MOST_MESSAGE_BYTES]))
    inner = random.choice(["1", "-0.0", "1e999", "NaN", "9" * 5000, r'"\ud800"', '"é"', "{}"])
    text = f'{{"kind": "answer", "value": {begin * deep}{inner}{end * deep}}}'.encode()
    for _ in range(random.randrange(3)):
        place = random.randrange(len(text))
        text = text[:place] + random.randbytes(random.randrange(3)) + text[place + 1 :]
    return text


def check(message: bytes) -> None:
    try:
        content = parse(message)
    except ClassError as error:
        assert str(error)
        return
    assert len(message) <= MOST_MESSAGE_BYTES
    assert depth(content) <= DEEPEST
    json.dumps(content).encode()


def depth(content: object) -> int:
    inner = content.values() if isinstance(content, dict) else content
    return 1 + max(map(depth, inner), default=0) if isinstance(content, dict | list) else 0


def test_a_message_is_flat_or_refused(fuzz):
    fuzz.run(a_message, check, kept=KEPT)
