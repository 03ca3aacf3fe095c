"""warplens run, compare and datasets with matrices: loading, permuting, output."""

import pytest

from gpucore.cli.options import load_for
from gpucore.errors import ParameterError
from gpucore.loading import load
from gpucore.problems.bipartite.load import load_bipartite
from gpucore.problems.bipartite.prepare import bipartite_twin, permute_sides
from gpucore.problems.rebuild import rebuild

HOST = ("--device", "host")
WIDE = "%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 0\n2 1 4\n2 3 5\n"


@pytest.fixture
def wide(tmp_path):
    path = tmp_path / "wide.mtx"
    path.write_text(WIDE)
    return path


@pytest.mark.parametrize(
    ("spec", "rows", "columns", "edges"),
    [("southern_women", 18, 14, 89), ("karate", 34, 34, 156), ("chain:length=5", 5, 5, 9)],
)
def test_rows_and_columns_are_reported(call_json, spec, rows, columns, edges):
    code, found = call_json("run", "bipartite", spec, *HOST)
    assert code == 0
    assert found["certified"] is True
    assert (found["rows"], found["columns"], found["edges"]) == (rows, columns, edges)
    assert found["vertices"] == rows + columns


def test_a_matrix_file_of_any_shape(call_json, wide):
    _, found = call_json("run", "bipartite", wide, *HOST)
    assert (found["rows"], found["columns"], found["cardinality"]) == (2, 3, 2)
    assert "rows" not in call_json("run", "greedy", "karate")[1]


def test_people_read_rows_and_columns(call, wide):
    assert "2 rows, 3 columns, 3 edges" in call("run", "bipartite", wide, *HOST).stdout
    table = call(
        "compare", "southern_women", "bipartite@host", "bipartite:apfb_gpubfs_ct@host"
    ).stdout
    assert "18 rows, 14 columns" in table


def test_permuted_matrices_have_the_same_cardinality(call_json):
    code, found = call_json("run", "bipartite", "layered:levels=3", "--permute", 4, *HOST)
    assert code == 0
    assert found["cardinality"] == 42
    words = ("southern_women", "bipartite@host", "bipartite:apfb_gpubfs_ct@host", "--permute", 2)
    code, found = call_json("compare", *words)
    assert code == 0
    assert (found["rows"], found["columns"], found["objective"]) == (18, 14, "cardinality")
    assert {row["cardinality"] for row in found["runners"]} == {14}


def test_a_problem_of_the_family(wide):
    common = {"weights_seed": 0, "progress": None, "cancel": None}
    assert load_for(str(wide), "bipartite", **common) == load_bipartite(wide)
    permuted = load_for("karate", "bipartite", **common, permute=7)
    assert permuted == permute_sides(bipartite_twin(load("karate")), 7)
    assert rebuild(permuted.source) == permuted
    with pytest.raises(ParameterError, match="only matrices have"):
        load_for("karate", "matching", **common, permute=7)


@pytest.mark.parametrize(
    ("words", "code", "cause"),
    [
        (("run", "greedy", "karate", "--permute", "1"), 2, "--permute orders rows and columns"),
        (("run", "bipartite", "karate", "--permute", "-1"), 2, "--permute"),
        (("run", "bipartite", "atlantis", *HOST), 3, "no matrix 'atlantis'"),
        (("run", "greedy", "southern_women"), 3, "matrix of rows and columns"),
    ],
)
def test_errors(call, words, code, cause):
    result = call(*words)
    assert result.exit_code == code, result.output
    assert cause in result.stderr


def test_matrices_and_their_generators_are_listed(call, call_json):
    assert "layered:levels" in call("datasets").stdout
    _, found = call_json("datasets")
    for spec in found["bipartite_generators"].values():
        assert load_bipartite(spec.replace("...", "4")).num_edges > 0
    shapes = {entry["name"]: entry["shape"] for entry in found["datasets"]}
    assert shapes["southern_women"] == [18, 14]
    assert shapes["karate"] == []
    assert "18 x 14" in call("datasets", "southern_women").stdout
