"""Every method begins with a matching that the caller gives, and refuses what is none."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from gpucore.compare import Contestant, run_contestant
from gpucore.errors import ParameterError
from gpucore.families.bipartite.initial_matching import check_given
from gpucore.families.bipartite.native import cheap_matching
from gpucore.family import get_runner
from gpucore.io.numbers import read_numbers
from gpucore.limits import Limits
from gpucore.problems.bipartite.load import load_bipartite

from .cases import greedy_matching
from .runs import OURS, find, matrices, of_pairs, real_graph, scipy_cardinality, uniform

VARIANTS = get_runner("bipartite").variant_names

GRAPH = uniform(300, 280, 800, 4)
#: 300 rows, their columns in a file.
CLI = "uniform:rows=300,columns=280,degree=3,seed=4"


def solve(name, graph, initial):
    """Run an algorithm's default variant or a CPU method; its certificate has to hold."""
    result = run_contestant(graph, Contestant(name, None, "host", {"initial": initial}))
    assert result.certificate.ok, str(result.certificate)
    return result


def some_matching(graph, seed):
    """Return the columns of the rows in a matching that is rarely maximum, and seldom maximal."""
    rng = np.random.default_rng(seed)
    found = greedy_matching(graph, rng.permutation(graph.num_edges))[0]
    return np.where(rng.random(graph.num_rows) < 0.7, found, -1)


def in_order(graph):
    """Return the cheap matching: each column in turn takes its first free row."""
    indptr, rows = graph.by_column()
    found = np.full(graph.num_rows, -1, np.int32)
    for column in range(graph.num_columns):
        free = [r for r in rows[indptr[column] : indptr[column + 1]] if found[r] < 0]
        found[free[:1]] = column
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_given_matching_is_where_a_variant_begins(each_device, variant):
    best = find(GRAPH, variant, each_device)
    again = find(GRAPH, variant, each_device, initial=best.row_match)
    np.testing.assert_array_equal(again.row_match, best.row_match)
    assert again.figures["initial_cardinality"] == again.cardinality == best.cardinality
    half = np.where(np.arange(300) % 2 == 0, best.row_match, -1)
    result = find(GRAPH, variant, each_device, initial=half.astype(np.int64))
    assert result.figures["initial_cardinality"] == np.count_nonzero(half >= 0)
    assert result.cardinality == best.cardinality
    # A matched column stays matched, but its row may change.
    assert (result.column_match[half[half >= 0]] >= 0).all()


@pytest.mark.parametrize("name", OURS)
@drawn(graph=matrices(), seed=st.integers(0, 1 << 20))
@settings(max_examples=60, deadline=None)
def test_a_given_matching_is_where_a_method_begins(name, graph, seed):
    given = some_matching(graph, seed)
    result = solve(name, graph, given)
    figures = result.figures
    assert figures["initial_cardinality"] == np.count_nonzero(given >= 0)
    assert figures["initial_cardinality"] + sum(figures["phase_paths"]) == result.cardinality
    assert result.cardinality == scipy_cardinality(graph)
    assert (result.row_match[given >= 0] >= 0).all()
    assert (result.column_match[given[given >= 0]] >= 0).all()


@pytest.mark.parametrize("name", ["bipartite", *OURS])
def test_a_maximum_matching_is_kept(name):
    """A method that began anywhere else would find another one."""
    graph = real_graph("southern_women")
    for seed in range(5):
        given = solve("hkdw", graph, some_matching(graph, seed)).row_match
        np.testing.assert_array_equal(solve(name, graph, given).row_match, given)


@pytest.mark.parametrize("name", ["bipartite", *OURS])
def test_the_given_array_is_left_alone_and_not_kept(name):
    given = np.full(300, -1, np.int32)
    result = solve(name, GRAPH, given)
    assert (given == -1).all()
    assert (result.params["initial"], result.params["given"]) == ("given", 0)
    json.dumps(result.params)
    listed = some_matching(GRAPH, 1).tolist()
    assert solve(name, GRAPH, listed).params["given"] == sum(c >= 0 for c in listed)


@drawn(graph=matrices())
@settings(max_examples=60, deadline=None)
def test_the_common_beginning_is_one_matching(graph):
    """The kernels' "cheap_serial", the methods' "cheap", and what can be given to both."""
    common = cheap_matching(graph)
    np.testing.assert_array_equal(common, in_order(graph))
    np.testing.assert_array_equal(check_given(graph, common), common)
    pairs = np.count_nonzero(common >= 0)
    for name in OURS:
        assert solve(name, graph, "cheap").figures["initial_cardinality"] == pairs


@pytest.mark.parametrize("variant", VARIANTS)
def test_variants_begin_with_the_methods_cheap_matching(each_device, variant):
    result = find(GRAPH, variant, each_device, initial="cheap_serial", record="events")
    begun = result.record.initial["mate"][:300]
    np.testing.assert_array_equal(np.where(begun >= 0, begun - 300, -1), in_order(GRAPH))
    assert result.params["initial"] == "cheap_serial"


@pytest.mark.parametrize("name", ["hopcroft_karp", "pothen_fan"])
def test_from_one_beginning_one_thread_finds_the_sequential_matching(name):
    for seed in range(5):
        given = some_matching(GRAPH, seed)
        one, serial = solve(f"{name}_omp", GRAPH, given), solve(name, GRAPH, given)
        np.testing.assert_array_equal(
            get(f"{name}_omp", GRAPH, given).row_match, serial.row_match, f"matching {seed}"
        )
        assert one.cardinality == serial.cardinality


def get(name, graph, initial):
    """Run a method on one thread."""
    contestant = Contestant(name, None, "cpu", {"initial": initial, "threads": 1})
    return run_contestant(graph, contestant, certify=False)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([0, 2, -1], r"pairs row 1 with column 2, where the matrix has no entry"),
        ([0, 0, -1], r"both row 0 and row 1 with column 0"),
        ([0, 3, -1], r"pairs row 1 with column 3, but columns are numbered 0 to 2"),
        ([0, -2, -1], r"pairs row 1 with column -2"),
        ([0, 1 << 40, -1], r"pairs row 1 with column 1099511627776"),
        ([0, 1], r"each of the 3 rows.*shape \(2,\)"),
        ([[0, 1, 2]], r"shape \(1, 3\)"),
        ([0.5, 1.0, -1.0], "whole number.*float64"),
        ([True, False, True], "whole number.*bool"),
        ([[0, 1], [2]], "not lists of different lengths"),
        ([], r"shape \(0,\)"),
        ("given", "no initial matching 'given'; use cheap.*or a matching"),
        (None, "initial is None; use cheap.*or a matching"),
        (3, "initial is 3; use cheap"),
        (b"cheap", "initial is b'cheap'; use cheap"),
    ],
)
@pytest.mark.parametrize("name", ["bipartite", *OURS])
def test_given_matchings_that_are_none(name, given, message):
    graph = of_pairs([(0, 0), (1, 0), (1, 1), (2, 2)], (3, 3))
    with pytest.raises(ParameterError, match=message):
        solve(name, graph, given)


@pytest.mark.parametrize("shape", [(0, 0), (3, 0), (0, 3)])
@pytest.mark.parametrize("name", ["bipartite", *OURS])
def test_matrices_without_rows_or_columns(name, shape):
    graph = of_pairs([], shape)
    assert solve(name, graph, [-1] * shape[0]).cardinality == 0
    if shape[0]:
        with pytest.raises(ParameterError, match="column 0, but the matrix has no columns"):
            solve(name, graph, [0] * shape[0])


@pytest.mark.parametrize("name", ["scipy_matching", "networkx_hopcroft_karp"])
def test_libraries_begin_with_nothing(name):
    with pytest.raises(ParameterError, match=f"{name} has no parameter 'initial'"):
        solve(name, GRAPH, [-1] * 300)


@pytest.mark.parametrize("suffix", [".npy", ".txt", ""])
@pytest.mark.parametrize("name", ["bipartite", "pothen_fan_omp", "hkdw"])
def test_the_command_line_takes_a_file(call_json, tmp_path, name, suffix):
    graph = load_bipartite(CLI)
    given = some_matching(graph, 3)
    path = tmp_path / f"begin{suffix}"
    if suffix == ".npy":
        np.save(path, given)
    else:
        path.write_text("# a column a row\n" + "\n".join(map(str, given)) + "\n")
    options = ("--device", "host") if name == "bipartite" else ()
    code, found = call_json("run", name, CLI, "-p", f"initial={path}", *options)
    assert code == 0
    assert found["certified"] is True
    assert found["initial_cardinality"] == np.count_nonzero(given >= 0)


def written(path, content):
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif isinstance(content, str):
        path.write_text(content)
    elif content is not None:
        np.save(path, content)
    return path


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("none.txt", None, "there is no file"),
        ("words.txt", "cheap\n", "something else than whole numbers"),
        ("pairs.txt", "0 1\n1 0\n", "2 numbers in a line"),
        ("half.txt", "0.5\n", "something else than whole numbers"),
        ("short.txt", "0\n1\n", "one whole number for each of the 34 rows"),
        ("bytes.txt", b"\xff\xfe", "something else than whole numbers"),
        ("floats.npy", np.zeros(34), "numbers of another form"),
        ("square.npy", np.zeros((34, 34), int), "numbers of another form"),
        ("objects.npy", np.array([{}]), "is no NumPy array"),
        ("cut.npy", b"\x93NUMPY", "is no NumPy array"),
        ("loop.npy", np.arange(34), "pairs row 0 with column 0, where the matrix has no entry"),
        ("karp_sipser", None, "no initial matching 'karp_sipser'"),
    ],
)
def test_files_that_hold_no_matching(call, tmp_path, monkeypatch, name, content, cause):
    monkeypatch.chdir(tmp_path)
    written(tmp_path / name, content)
    result = call("run", "hkdw", "karate", "-p", f"initial={name}")
    assert result.exit_code == 2, result.output
    assert cause in " ".join(result.stderr.split())


def test_a_name_is_no_file(call_json, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "none").write_text("not a number")
    code, found = call_json("run", "hkdw", "karate", "-p", "initial=none")
    assert (code, found["initial_cardinality"]) == (0, 0)


def test_a_file_is_not_read_if_it_has_too_many_numbers(tmp_path):
    np.save(tmp_path / "many.npy", np.zeros(101, int))
    (tmp_path / "many.txt").write_text("0\n" * 101)
    for name in ("many.npy", "many.txt"):
        with pytest.raises(ParameterError, match="more numbers than the 100 vertices"):
            read_numbers(str(tmp_path / name), "a column a row", Limits(max_vertices=100))
        assert (
            len(read_numbers(str(tmp_path / name), "a column a row", Limits(max_vertices=101)))
            == 101
        )
        with pytest.raises(ParameterError, match="of memory, more than the 500 B"):
            read_numbers(str(tmp_path / name), "a column a row", Limits(max_bytes=500))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("initial", ["cheap", "short_first"])
def test_no_direction_is_preferred(each_device, initial, seed):
    """Else free rows and free columns of a grid gather at opposite ends, far apart."""
    graph = load_bipartite("grid_rows:rows=100,columns=100")
    result = find(graph, "fast", each_device, initial=initial, seed=seed, record="counters")
    columns = result.record.initial["mate"][: graph.num_rows] - graph.num_rows
    rows = np.flatnonzero(columns >= 0)
    offsets = columns[rows] - rows
    for offset in (1, 100):
        forward, back = np.mean(offsets == offset), np.mean(offsets == -offset)
        assert abs(forward - back) < 0.06
