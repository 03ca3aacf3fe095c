"""The tail of NoSync, and thresholds of Louvain, as the labs measure them."""

import re

import pytest

from warplens.labs.communities import thresholds
from warplens.labs.kit import book
from warplens.labs.matching import tail
from warplens.labs.matching.runs import watch


@pytest.fixture(autouse=True)
def empty_book():
    book.forget()


@pytest.fixture(scope="module")
def both():
    names = ("nosync", "sync_lb")
    return {name: watch("lesmis", variant=name, vertices_per_warp=16, seed=1) for name in names}


def test_the_tail_is_shorter_where_work_is_shared(both):
    free, levelled = (tail.working(made) for made in both.values())
    assert len(free) > len(levelled)
    assert (free == 1).sum() > 1
    assert tail.last_at_work(1, both["nosync"]).ok
    assert "in the first iteration" in tail.last_at_work(5, both["nosync"]).why


def test_both_maps_have_one_scale(both):
    html = tail.warp_maps(both).html
    cells = sum((made.record.warps["edges"] > 0).sum() for made in both.values())
    assert html.count("<rect") == cells
    drawn = re.findall(r'fill-opacity="([\d.]+)"><title>[^:]*: ([\d,]+) edges', html)
    shades = {int(edges.replace(",", "")): float(shade) for shade, edges in drawn}
    assert len(drawn) == cells
    # One shade for a number, in both maps; more edges are darker.
    assert len({(edges, shade) for shade, edges in drawn}) == len(shades)
    ordered = [shades[edges] for edges in sorted(shades)]
    assert ordered == sorted(ordered) and ordered[0] < ordered[-1]
    assert f">{max(shades)}</text>" in html


def test_thresholds_trade_sweeps_for_modularity():
    tried = thresholds.thresholds("lesmis", (0.1, 0.001))
    more = tried.sweeps(0.001) - tried.sweeps(0.1)
    assert more > 0
    assert thresholds.more_sweeps(more, tried).ok
    assert tried.runs[0.001].result.modularity > tried.runs[0.1].result.modularity
