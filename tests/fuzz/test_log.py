"""The bound of a log: whatever is written, no more comes out, and what is left out is counted."""

import io
import re
from random import Random

from warplens.app.site.log import BoundedStream

#: Seeds of texts that exceed the bound if the line with the count is not charged, or that are not
#: all counted if texts are counted instead of characters.
KEPT = (2, 5, 8)
COUNTED = re.compile(r"\((\d+) characters of the log were left out\)\n")


def writes(random: Random) -> tuple[float, float, list[tuple[float, str]]]:
    """Return a rate, a burst, and texts with the seconds before each."""
    rate, burst = random.choice([0.5, 10, 5000]), random.choice([0, 1, 60, 100, 10_000])
    longest = random.choice([2, 50, 200, 20_000])
    texts = [
        (random.choice([0, 0, 0.01, 5]), random.choice("a\n\0\ud800é") * random.randrange(longest))
        for _ in range(random.randrange(1, 200))
    ]
    return rate, burst, texts


def check(case: tuple[float, float, list[tuple[float, str]]]) -> None:
    rate, burst, texts = case
    out, now = io.StringIO(), 0.0
    stream = BoundedStream(out, rate, burst, clock=lambda: now)
    for seconds, text in texts:
        now += seconds
        assert stream.write(text) == len(text)
        assert len(out.getvalue()) <= burst + rate * now
    now += 1000 / rate  # enough for the last count
    stream.write("")
    counted = sum(map(int, COUNTED.findall(out.getvalue())))
    left = COUNTED.sub("", out.getvalue())
    if burst > 50:
        assert counted + len(left) == sum(len(text) for _, text in texts)


def test_the_log_has_its_bound_and_counts_what_is_left_out(fuzz):
    fuzz.run(writes, check, kept=KEPT)
