"""warplens slabs: a folder that run, and the ranks of a run, read."""

import pytest

import gpucore
from gpucore import GraphError
from gpucore.problems.graph.distributed.slabs import load_part, save_parts
from gpucore.problems.graph.part import cut


@pytest.mark.parametrize("spec", ["karate", "rmat_rows:scale=6,seed=3", "rgg_rows:n=0"])
def test_slabs_are_the_graph(call_json, tmp_path, spec):
    code, found = call_json("slabs", spec, tmp_path / "slabs", "--parts", 3)
    graph = gpucore.load(spec)
    assert code == 0
    assert found["slabs"] == 3
    assert found["vertices"] == graph.num_vertices
    assert found["entries"] == graph.indices.size
    assert gpucore.load(tmp_path / "slabs") == graph
    assert load_part(tmp_path / "slabs", 1, 2).n == graph.num_vertices


def test_runs_read_slabs(call_json, tmp_path):
    assert call_json("slabs", "karate_weighted", tmp_path / "slabs")[1]["slabs"] == 2
    code, found = call_json("run", "suitor", tmp_path / "slabs", "--device", "host")
    assert code == 0
    assert found["certified"]
    assert found["weight"] == call_json("run", "greedy", "karate_weighted")[1]["weight"]


def test_the_text_has_the_sizes(call, tmp_path):
    result = call("slabs", "karate", tmp_path / "slabs", "-n", 4)
    assert result.exit_code == 0
    assert "4 slabs, 34 vertices, 156 entries" in " ".join(result.stdout.split())


@pytest.mark.parametrize("words", [("nonesuch",), ("rmat_rows:scale=99",), ("grid_rows:rows=3",)])
def test_unusable_graphs_exit_with_3(call, tmp_path, words):
    result = call("slabs", *words, tmp_path / "slabs")
    assert result.exit_code == 3
    assert not (tmp_path / "slabs").exists()


def test_a_file_in_the_place_of_the_folder(call, tmp_path):
    (tmp_path / "slabs").write_text("occupied")
    result = call("slabs", "karate", tmp_path / "slabs")
    assert result.exit_code == 3
    assert "cannot be made" in result.stderr


def test_nothing_is_left_of_slabs_that_were_not_all_written(tmp_path):
    """A folder that was there stays."""
    parts = list(cut(gpucore.load("karate"), 2))
    (tmp_path / "old").mkdir()
    for name in ("new", "old"):
        with pytest.raises(GraphError, match="all parts"):
            save_parts(parts[:1], tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["old"]
