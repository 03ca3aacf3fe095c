"""The picture of a matrix: an entry a circle, matched ones filled, in the order of the blocks."""

import numpy as np
import pytest

from gpucore.errors import ParameterError
from gpucore.families.bipartite.decomposition import dulmage_mendelsohn
from gpucore.problems.bipartite.graph import BipartiteGraph
from warplens.labs.bipartite.spy import spy

#: Two rows that share a column, and two columns that share a row.
GRAPH = BipartiteGraph.from_entries([0, 1, 2, 2], [0, 0, 1, 2], (3, 3))
MATCH = np.array([0, -1, 1])


def test_every_entry_is_drawn_and_matched_ones_are_filled():
    html = spy(GRAPH, row_match=MATCH)._repr_html_()
    assert html.count("<circle") == 4
    assert html.count('fill="none" stroke') == 2
    assert html.index(">r0<") < html.index(">r1<") < html.index(">r2<")
    assert "matrix of 3 rows and 3 columns" in html


def test_blocks_are_outlined_and_come_in_their_order():
    html = spy(GRAPH, dulmage_mendelsohn(GRAPH, MATCH), MATCH)._repr_html_()
    assert html.count("<circle") == 4
    assert html.index(">r2<") < html.index(">r0<")
    assert html.count("<rect") == 2


def test_a_large_matrix_is_refused():
    with pytest.raises(ParameterError, match="too many for this picture"):
        spy(BipartiteGraph.from_entries([0], [0], (1, 300)))


def test_an_empty_matrix_is_drawn():
    assert "<circle" not in spy(BipartiteGraph.from_entries([], [], (2, 0)))._repr_html_()
