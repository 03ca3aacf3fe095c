"""b-matching on the command line: b as a number, a formula and a file."""

from __future__ import annotations

import numpy as np
import pytest

from gpucore.families.bmatching.capacity import capacities
from gpucore.loading import load
from gpucore.problems.graph.prepare import for_matching
from support.bmatching_cases import greedy_b_mates

METHODS = ["bgreedy", "bsuitor_serial", "bsuitor_omp"]


@pytest.mark.parametrize("name", METHODS)
def test_a_formula(call_json, name):
    code, found = call_json("run", name, "karate", "-p", "b=degree/2")
    assert code == 0
    assert found["certified"] is True
    assert found["params"]["b"] == "degree/2"
    graph = for_matching(load("karate"))
    _, mates = greedy_b_mates(graph, capacities(graph, "degree/2"))
    assert found["cardinality"] == mates.size // 2
    assert found["weight"] > 0


def test_the_default_is_three(call_json):
    code, found = call_json("run", "bgreedy", "karate")
    assert (code, found["params"]["b"]) == (0, 3)


@pytest.mark.parametrize("name", METHODS)
def test_a_file(call_json, tmp_path, name):
    path = tmp_path / "b.txt"
    path.write_text("1\n" * 34)
    code, found = call_json("run", name, "karate", "-p", f"b={path}")
    assert code == 0
    assert found["params"]["b"] == "given"
    _, one = call_json("run", "greedy", "karate")
    assert (found["weight"], found["cardinality"]) == (one["weight"], one["cardinality"])


def test_a_numpy_file(call_json, tmp_path):
    np.save(tmp_path / "b.npy", np.full(34, 2))
    code, found = call_json("run", "bgreedy", "karate", "-p", f"b={tmp_path / 'b.npy'}")
    _, two = call_json("run", "bgreedy", "karate", "-p", "b=2")
    assert (code, found["weight"]) == (0, two["weight"])


def test_both_variants_agree(call_json):
    eager, delayed = (
        call_json("run", "bsuitor_omp", "karate", "--variant", variant, "-p", "threads=2")[1]
        for variant in ("eager", "delayed")
    )
    assert eager["weight"] == delayed["weight"]
    assert delayed["rounds"] >= 1


@pytest.mark.parametrize(
    ("b", "named"),
    [
        ("-1", "b is -1; use an integer from 0"),
        ("2.5", "b is 2.5; use an integer from 0"),
        ("true", "b is True"),
        ("half", "b is 'half', which is no file"),
        ("degree/0", "b is 'degree/0', which is no file"),
        ("", "b is '', which is no file"),
        (".", ". is no regular file"),
    ],
)
def test_a_wrong_b_is_wrong_usage(call, b, named):
    result = call("run", "bsuitor_serial", "karate", "-p", f"b={b}")
    assert result.exit_code == 2
    assert named in " ".join(result.output.split())


def test_a_file_for_another_graph_is_wrong_usage(call, tmp_path):
    (tmp_path / "b.txt").write_text("1\n2\n")
    result = call("run", "bgreedy", "karate", "-p", f"b={tmp_path / 'b.txt'}")
    assert result.exit_code == 2
    assert "b has 2 numbers, but the graph has 34 vertices" in " ".join(result.output.split())


def test_methods_and_the_peer_are_compared(call_json):
    code, found = call_json("compare", "karate", *METHODS)
    assert code == 0
    assert [row["differs"] for row in found["runners"]] == [None, 0, 0]
    assert found["objective"] == "weight"
