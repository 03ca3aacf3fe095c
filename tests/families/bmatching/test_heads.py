"""Sorted lists of neighbours: any chunks give one order."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpucore.device import get_device
from gpucore.errors import DeviceError
from gpucore.families.bmatching.heads import sort_all, sorting_bytes
from gpucore.problems.graph.chunks import row_chunks
from support.devices import SmallDevice
from support.matching_cases import graphs, random_graph, skewed_graph


def arrays_of(graph):
    """Return what :func:`sort_all` takes."""
    return graph.indptr, graph.indices, graph.weights


@given(graphs(24, ("equal", "few", "distinct", "random")), st.integers(1, 60))
def test_lists_are_sorted_by_falling_weight_and_neighbour(graph, chunk):
    before = [array.copy() for array in arrays_of(graph)]
    heads = sort_all(arrays_of(graph), get_device("host"), chunk=chunk)
    row = np.repeat(np.arange(graph.num_vertices), graph.degrees)
    order = np.lexsort((-graph.indices, -graph.weights, row))
    np.testing.assert_array_equal(heads.starts, graph.indptr)
    np.testing.assert_array_equal(heads.indices, graph.indices[order])
    np.testing.assert_array_equal(heads.weights, graph.weights[order])
    for array, was in zip(arrays_of(graph), before, strict=True):
        np.testing.assert_array_equal(array, was)


@pytest.mark.parametrize("chunk", [1000, 1 << 20])
def test_devices_sort_alike(each_device, chunk):
    graph = skewed_graph(10, 9000, 2, levels=5)
    arrays = tuple(each_device.asarray(array) for array in arrays_of(graph))
    found = sort_all(arrays, each_device, chunk=chunk)
    right = sort_all(arrays_of(graph), get_device("host"))
    for name in ("starts", "indices", "weights"):
        np.testing.assert_array_equal(
            each_device.to_host(getattr(found, name)), getattr(right, name)
        )


@given(st.lists(st.integers(0, 9), max_size=12), st.integers(1, 30))
def test_chunks_are_all_rows_in_order(lengths, chunk):
    indptr = np.cumsum([0, *lengths], dtype=np.int64)
    row = entry = 0
    for first, last, start, stop in row_chunks(indptr, chunk, np):
        assert (first, start) == (row, entry)
        assert stop == indptr[last] > start
        assert stop - start <= chunk or np.count_nonzero(np.diff(indptr[first : last + 1])) == 1
        row, entry = last, stop
    assert entry == indptr[-1]


def test_memory_is_asked_for_before_it_is_taken():
    graph = random_graph(200, 4000, 1)
    entries, longest = len(graph.indices), int(graph.degrees.max())
    device = SmallDevice()
    device.left = sorting_bytes(entries, longest)
    sort_all(arrays_of(graph), device)
    device.left -= 1
    with pytest.raises(DeviceError, match="sorting the lists of neighbours needs"):
        sort_all(arrays_of(graph), device)
    few_at_a_time = sorting_bytes(100 << 23, 5)
    assert few_at_a_time < 9 * (100 << 23)
