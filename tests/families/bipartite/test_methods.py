"""The CPU methods for bipartite matching: maximum, certified, with checked arguments."""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gpucore
from gpucore import native
from gpucore.compare import compare
from gpucore.datasets import names as dataset_names
from gpucore.errors import Cancelled, DeviceError, GraphError, ParameterError
from gpucore.families.bipartite.peers import scipy_matching as scipy_adapter
from gpucore.family import get_runner, methods
from gpucore.problems.bipartite.graph import BipartiteGraph
from gpucore.problems.bipartite.load import load_bipartite
from support.cancelling import Stop
from support.running import uncertified

from .cases import chain, matrices, matrix_of, random_matrix, scipy_matching
from .runs import OURS, TEAMS

LIBRARIES = ["networkx_hopcroft_karp", "scipy_matching"]
INITIAL = ["cheap", "none"]
WITHOUT_LEVELS = ["disjoint_bfs_omp", "pothen_fan", "pothen_fan_omp"]
quick = settings(max_examples=60, deadline=None)


def solve(name, graph, **params):
    """Run a method; its certificate has to hold."""
    runner = get_runner(name)
    result = uncertified(runner.name, graph, **params)
    certificate = runner.certify(graph, result)
    assert certificate.ok, str(certificate)
    return result


def best_of_all(graph):
    """Return the largest cardinality by trying every choice of columns, row after row."""
    indptr, columns = graph.by_row()
    lists = [columns[indptr[r] : indptr[r + 1]].tolist() for r in range(graph.num_rows)]

    @cache
    def best(row, taken):
        if row == len(lists):
            return 0
        tries = [1 + best(row + 1, taken | 1 << c) for c in lists[row] if not taken >> c & 1]
        return max([best(row + 1, taken), *tries])

    return best(0, 0)


def cheap_pairs(graph):
    """Return how many columns find a free row, one after the other."""
    indptr, rows = graph.by_column()
    taken = np.zeros(graph.num_rows, bool)
    for c in range(graph.num_columns):
        free = [r for r in rows[indptr[c] : indptr[c + 1]] if not taken[r]]
        taken[free[:1]] = True
    return int(taken.sum())


def hubs(rows, columns, seed):
    """Make a matrix with a few full rows and columns over a thin rest."""
    rng = np.random.default_rng(seed)
    i = np.concatenate([np.repeat(rng.integers(0, rows, 3), columns), rng.integers(0, rows, rows)])
    j = np.concatenate([np.tile(np.arange(columns), 3), rng.integers(0, columns, rows)])
    return BipartiteGraph.from_entries(i, j, (rows, columns))


@st.composite
def families(draw):
    """Draw a matrix of some size: uniform, of hubs, or made for long paths."""
    seed, size = draw(st.integers(0, 1 << 20)), draw(st.integers(1, 150))
    other = draw(st.integers(1, 150))
    kind = draw(st.sampled_from(["uniform", "hubs", "chain", "chains", "layered", "permuted"]))
    if kind == "uniform":  # entries given twice, empty rows and columns
        return random_matrix(size, other, draw(st.integers(0, 4 * size)), seed)
    if kind == "hubs":
        return hubs(size, other, seed)
    if kind == "chain":
        return chain(size)
    if kind == "chains":
        return load_bipartite(f"chain:length={size},chains={1 + seed % 3}")
    layered = load_bipartite(f"layered:levels={1 + size % 7},width={1 + other % 3}")
    return (
        layered
        if kind == "layered"
        else gpucore.problems.bipartite.prepare.permute_sides(layered, seed)
    )


def test_all_methods_are_found():
    found = [name for name, runner in methods().items() if runner.family == "bipartite"]
    assert found == sorted([*OURS, *LIBRARIES, "ecl_mm"])  # see tests/cpu/test_programs.py


@pytest.mark.parametrize("initial", INITIAL)
@pytest.mark.parametrize("name", OURS)
@given(graph=matrices(largest=8))
@quick
def test_no_choice_of_entries_has_more_pairs(name, initial, graph):
    assert solve(name, graph, initial=initial).cardinality == best_of_all(graph)


@pytest.mark.parametrize("initial", INITIAL)
@pytest.mark.parametrize("name", OURS)
@given(graph=families())
@quick
def test_ours_match_as_many_as_scipy(name, initial, graph):
    result = solve(name, graph, initial=initial)
    assert result.cardinality == np.count_nonzero(scipy_matching(graph)[0] >= 0)
    figures = result.figures
    assert figures["initial_cardinality"] + sum(figures["phase_paths"]) == result.cardinality
    assert figures["initial_cardinality"] == (cheap_pairs(graph) if initial == "cheap" else 0)
    assert figures["phases"] == len(figures["phase_paths"])
    assert all(figures["phase_paths"][:-1])
    assert 0 <= figures["initial_seconds"] <= result.seconds
    assert (figures["levels"] is None) == (name in WITHOUT_LEVELS)


@pytest.mark.parametrize("name", TEAMS)
@given(graph=families(), threads=st.integers(1, 9), initial=st.sampled_from(INITIAL))
@quick
def test_any_number_of_threads_matches_as_many(name, graph, threads, initial):
    result = solve(name, graph, threads=threads, initial=initial)
    assert result.cardinality == solve("hopcroft_karp", graph).cardinality
    assert result.device["threads"] == result.params["threads"] == threads
    assert all(result.figures["phase_paths"][:-1])


@pytest.mark.parametrize("name", ["hopcroft_karp", "pothen_fan"])
@given(graph=families(), initial=st.sampled_from(INITIAL))
@quick
def test_one_thread_of_a_team_does_what_the_sequential_method_does(name, graph, initial):
    team, alone = (
        solve(method, graph, threads=1, initial=initial) for method in (f"{name}_omp", name)
    )
    np.testing.assert_array_equal(team.row_match, alone.row_match)
    for figure in ("phase_paths", "levels"):
        assert team.figures[figure] == alone.figures[figure]
    if name == "pothen_fan":
        assert team.figures["edges"] == alone.figures["edges"]


def test_a_tree_in_breadth_ends_at_the_nearest_row():
    """From column 2 the path over one row is taken, although a longer one comes first."""
    lists = [(0, 3), (0, 1), (0, 1, 2)]
    entries = [(row, column) for column, rows in enumerate(lists) for row in rows]
    result = solve(
        "disjoint_bfs_omp", matrix_of(entries, (4, 3)), threads=1, initial=[0, 1, -1, -1]
    )
    assert result.column_match.tolist() == [0, 1, 2]
    assert result.figures["phase_paths"] == [1]


@given(graph=matrices())
@quick
def test_networkx_finds_as_many(graph):
    result = solve("networkx_hopcroft_karp", graph)
    assert result.cardinality == best_of_all(graph)
    assert result.figures["phases"] is None


@pytest.mark.parametrize("shape", [(0, 0), (0, 4), (3, 0), (2, 5), (40, 7), (300, 300)])
@pytest.mark.parametrize("name", LIBRARIES)
def test_libraries_on_matrices_of_all_shapes(name, shape):
    graph = random_matrix(*shape, 2 * max(shape) if min(shape) else 0, 5)
    result = solve(name, graph)
    assert (result.row_match.size, result.column_match.size) == shape
    assert result.cardinality == solve("hkdw", graph).cardinality


@pytest.mark.parametrize("name", [*dataset_names("bipartite"), *dataset_names("graph")])
def test_bundled_matrices(name):
    graph = load_bipartite(name)
    best = np.count_nonzero(scipy_matching(graph)[0] >= 0)
    for method in OURS:
        for initial in INITIAL:
            assert solve(method, graph, initial=initial).cardinality == best


def test_a_shortest_path_is_as_long_as_a_depth_says():
    """On these matrices every depth has two paths of its own, which only longer phases find."""
    graph = load_bipartite("layered:levels=12")
    slow, fast = solve("hopcroft_karp", graph), solve("hkdw", graph)
    assert slow.figures["phase_paths"] == [2] * 12
    assert slow.figures["levels"] == sum(range(2, 14))
    assert fast.figures["phase_paths"] == [24]
    assert slow.figures["edges"] > fast.figures["edges"] > graph.num_edges


@pytest.mark.parametrize("name", OURS)
def test_paths_may_be_as_long_as_the_matrix(name):
    result = solve(name, load_bipartite("chain:length=200000"))
    assert result.cardinality == 200_000
    assert result.figures["phase_paths"] == [1]
    if name not in WITHOUT_LEVELS:
        assert result.figures["levels"] == 200_000


def test_the_search_stops_when_a_side_is_matched():
    """Once all rows are matched, no more columns are searched."""
    graph = BipartiteGraph.from_matrix(np.ones((3, 1000)))
    for name in OURS:
        figures = solve(name, graph).figures
        assert (figures["phases"], figures["edges"]) == (0, 3 + 3 * 997 + 3)


def test_columns_without_entries_are_not_searched():
    graph = matrix_of([(0, 0), (1, 0)], (2, 5))
    for name in OURS:
        assert solve(name, graph).figures["phases"] == 0


def test_every_other_phase_reads_the_lists_backwards():
    """Columns 4 and 5 block both paths of column 6 in phase 1; phase 2 tries its last row first."""
    lists = [(0, 4), (1, 5), (2, 6), (3, 7), (0, 2), (1, 3), (0, 1)]
    entries = [(row, column) for column, rows in enumerate(lists) for row in rows]
    result = solve("pothen_fan", matrix_of(entries, (8, 7)))
    assert result.figures["phase_paths"] == [2, 1]
    assert result.column_match.tolist() == [4, 5, 2, 7, 0, 3, 1]


@pytest.mark.parametrize("name", [*OURS, *LIBRARIES])
def test_runs_repeat_and_describe_themselves(name):
    graph = random_matrix(200, 150, 500, 3)
    before = graph.fingerprint
    first, second = (solve(name, graph, threads=1) for _ in range(2))
    np.testing.assert_array_equal(first.mate, second.mate)
    assert first.row_match.dtype == first.column_match.dtype == np.int32
    assert first.device["name"] == "cpu"
    assert graph.fingerprint == before
    json.dumps([first.summary(), first.device, first.params])


@pytest.mark.parametrize("name", [*OURS, *LIBRARIES])
def test_a_cancelled_run_does_not_start(name):
    with pytest.raises(Cancelled):
        uncertified(name, chain(5), cancel=Stop(before=True))


@pytest.fixture(scope="module")
def large():
    return random_matrix(400_000, 400_000, 1_200_000, 1)


@pytest.mark.parametrize("name", OURS)
def test_a_run_can_be_cancelled(name, large):
    with pytest.raises(Cancelled):
        uncertified(name, large, cancel=Stop(before=False))


def test_scipy_can_be_cancelled_and_runs_out_of_time():
    graph = load_bipartite("layered:levels=60")
    scipy = get_runner("scipy_matching")
    with pytest.raises(Cancelled):
        uncertified(scipy.name, graph, cancel=Stop(before=False))
    with pytest.raises(ParameterError, match=r"within 0\.2 s .*hopcroft_karp"):
        uncertified(scipy.name, graph, time_limit=0.2)


def test_networkx_is_for_small_matrices():
    networkx = get_runner("networkx_hopcroft_karp")
    with pytest.raises(ParameterError, match=r"up to 100,000 entries.*hopcroft_karp"):
        uncertified(networkx.name, BipartiteGraph.from_matrix(np.ones((400, 300))))
    with pytest.raises(ParameterError, match=r"stack is deep; take .*hopcroft_karp"):
        uncertified(networkx.name, load_bipartite("chain:length=4000"))


@pytest.mark.parametrize(
    ("name", "params", "text"),
    [
        *((name, {"initial": "karp_sipser"}, "use cheap, none, or a matching") for name in OURS),
        *((name, {"threads": 0}, "threads must be between 1 and") for name in TEAMS),
        ("scipy_matching", {"time_limit": 0}, "time_limit must be seconds"),
        ("scipy_matching", {"time_limit": float("nan")}, "time_limit must be"),
        ("scipy_matching", {"time_limit": "1"}, "time_limit must be"),
    ],
)
def test_wrong_parameters_are_refused(name, params, text):
    with pytest.raises(ParameterError, match=text):
        uncertified(name, chain(3), **params)


@pytest.mark.parametrize("name", [*OURS, *LIBRARIES])
def test_a_graph_without_sides_is_refused(name):
    with pytest.raises(GraphError, match=r"no rows and columns.*for_bipartite"):
        uncertified(name, gpucore.load("karate"))


def test_running_out_of_memory_is_an_error(monkeypatch):
    class Failing:
        @staticmethod
        def cpu_hkdw(*_):
            return 2

    monkeypatch.setattr(native, "load", Failing)
    with pytest.raises(DeviceError, match="out of memory"):
        uncertified("hkdw", chain(3))


def test_a_failure_of_scipy_is_an_error(monkeypatch):
    monkeypatch.setattr(scipy_adapter, "_leave_matrix", lambda *_: None)
    with pytest.raises(DeviceError, match=r"SciPy gave no matching: .*No such file"):
        uncertified("scipy_matching", chain(3))


def test_all_methods_can_be_compared():
    names = [*OURS, *LIBRARIES]
    rows = compare(random_matrix(300, 200, 700, 8), names).as_rows()
    assert [row["certified"] for row in rows] == [True] * len(names)
    assert len({row["cardinality"] for row in rows}) == 1
