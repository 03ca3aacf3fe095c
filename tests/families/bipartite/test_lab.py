"""Exercises of the lab on bipartite matching accept right answers and explain wrong ones."""

import pytest

from warplens.labs.bipartite import covers
from warplens.labs.bipartite import runs as bipartite
from warplens.labs.bipartite.runs import (
    chain,
    race,
    small,
    watch,
)


@pytest.fixture(scope="module")
def five():
    return watch(small(), initial="none")


@pytest.fixture(scope="module")
def row():
    graph, matched = chain(3)
    return watch(graph, initial=matched)


@pytest.mark.parametrize(
    ("guess", "ok", "why"),
    [
        (4, True, "Rows 0 and 2 have entries in no column but 2: 2 rows share 1 column"),
        (5, False, "that is not enough"),
        (11, False, "all entries"),
        (None, None, "None"),
    ],
)
def test_rank(five, guess, ok, why):
    verdict = bipartite.rank(guess, five)
    assert verdict.ok is ok
    assert why in verdict.why


@pytest.mark.parametrize(
    ("guess", "ok", "why"),
    [(7, True, "4 columns got another row"), (3, False, "matched edges"), (4, False, "will be")],
)
def test_the_path_of_a_chain(row, guess, ok, why):
    verdict = bipartite.path_edges(guess, row)
    assert verdict.ok is ok
    assert why in verdict.why


def test_phases():
    spec = "uniform:rows=200,columns=200,degree=3,seed=1"
    full, shortest = (watch(spec, variant=f"{name}_gpubfs_ct") for name in ("apfb", "apsb"))
    truth, other = full.result.figures["phases"], shortest.result.figures["phases"]
    assert truth < other
    assert bipartite.phases(truth, full, shortest).ok
    assert "APsB's number" in bipartite.phases(other, full, shortest).why
    lines = full.phases().splitlines()
    assert len(lines) == truth + 2
    assert lines[-1] == f"{full.result.figures['levels']} levels in all"


@pytest.mark.parametrize(
    ("guess", "ok", "why"), [(1, True, "2 rows and only 1 column:"), (2, False, "have a column")]
)
def test_needless_rows(five, guess, ok, why):
    verdict = bipartite.needless_rows(guess, five)
    assert verdict.ok is ok
    assert why in verdict.why


def test_the_text_says_what_the_kernels_do(five, row):
    assert len(five.story().splitlines()) == five.record.num_events
    assert row.busy().startswith("4 of 20 columns")
    long, matched = chain(20)
    assert watch(long, initial=matched).result.figures["levels"] == 22
    assert "c2 reaches row r3" in race(0).story()


def test_races_are_counted():
    first, second = bipartite.races(12).splitlines()
    assert first.startswith("12 schedules: a walk was stopped in ")
    assert first.endswith("pairs at the end: 2")
    assert second.startswith("without the check: in ")
    assert not second.startswith("without the check: in 0")


@pytest.mark.parametrize(
    ("choose", "ok", "why"),
    [
        (lambda side, reached: reached if side == "row" else not reached, True, "Kőnig"),
        (lambda side, reached: reached, False, "is not covered"),
        (lambda side, reached: True, False, "one member, not two"),
        (lambda side, reached: side == "row", False, "proves only"),
        (lambda side, reached: 1 / 0, False, "ZeroDivisionError"),
    ],
)
def test_covers_are_checked_entry_by_entry(choose, ok, why):
    verdict = covers.rule(choose)
    assert verdict.ok is ok
    assert why in verdict.why
