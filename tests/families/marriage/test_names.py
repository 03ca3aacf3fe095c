"""Names along a rail of people."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from random import Random
from urllib.parse import quote

import pytest

import warplens.app.families.marriage as shown

pytestmark = pytest.mark.browser

IN_A_ROW = """([script, cases]) => import(script).then(({ inARow }) =>
  cases.map(([names, width]) => inARow(names, width)))"""


def names_of(random, count, width):
    return [
        {"name": str(k), "x": random.uniform(-20, width + 20), "half": random.uniform(8, 70)}
        for k in range(count)
    ]


def test_names_neither_cover_each_other_nor_leave_the_picture(page):
    random = Random(7)
    cases = [
        (names_of(random, random.randrange(9), width), width)
        for width in (320, 390, 1440)
        for _ in range(60)
    ]
    script = (Path(shown.__file__).parent / "rosternames.js").read_text()
    rows = page.evaluate(IN_A_ROW, ["data:text/javascript," + quote(script), cases])
    dropped = 0
    for (names, width), row in zip(cases, rows, strict=True):
        ends = [(one["x"] - one["half"], one["x"] + one["half"]) for one in row]
        assert all(left >= -1e-9 and right <= width + 1e-9 for left, right in ends)
        assert all(right <= left + 1e-9 for (_, right), (left, _) in pairwise(ends))
        left_out = len(names) - len(row)
        dropped += left_out
        assert {one["name"] for one in row} == {one["name"] for one in names[left_out:]}
        if left_out:
            assert sum(2 * one["half"] for one in names[left_out - 1 :]) > width
    assert dropped
