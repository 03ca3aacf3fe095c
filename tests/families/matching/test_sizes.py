"""Launch sizes of GPU-Suitor: figure 5 of the paper, and fewer vertices a warp (section 5.3)."""

from __future__ import annotations

import numpy as np
import pytest

import gpucore
from gpucore.bench.suite import get_suite
from gpucore.record.replay import timeline_of
from support.matching_cases import random_graph
from support.running import uncertified
from warplens.app.families.matching.view import VIEW

VERTICES = [1, 2, 4, 8, 16, 32, 64, 128, 256]


def test_the_benchmark_has_them_all():
    """Before, 8 was the least: nothing showed that fewer are slower."""
    blocks = next(e for e in get_suite("matching").experiments if e.name == "blocks")
    sizes = {
        (case.params["threads_per_block"], case.params["vertices_per_warp"])
        for case in blocks.cases(2)
    }
    assert sizes == {(threads, k) for threads in (128, 192, 256) for k in VERTICES}


def test_the_page_has_them_all():
    (choice,) = (one for one in VIEW.choices if one.name == "vertices_per_warp")
    assert sorted(value for _, value in choice.options) == VERTICES


@pytest.mark.parametrize("variant", ["nosync", "sync_lb", "sync_nolb", "hybrid"])
@pytest.mark.parametrize("vertices", [1, 2, 4])
def test_few_vertices_a_warp_are_recorded(each_device, variant, vertices):
    """Most lanes stay idle in a proposal, and lists of one vertex are levelled."""
    graph = random_graph(300, 1200, 2, levels=20)
    chosen = {"variant": variant, "vertices_per_warp": vertices, "record": "events"}
    result = gpucore.run("suitor", graph, device=each_device, **chosen)
    np.testing.assert_array_equal(result.mate, uncertified("greedy", graph).mate)
    timeline = timeline_of(result.record)
    assert timeline.exact, timeline.doubt
    first = result.record.warps["iteration"] == 0
    assert result.record.warps["active"][first].max() == vertices
