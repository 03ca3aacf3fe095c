"""Columns on the command line, bounds of its numbers, and damaged files of parameters."""

import dataclasses
import io

import numpy as np
import pytest

import gpucore
from gpucore.errors import ParameterError
from gpucore.family import algorithms, get_family, methods


@pytest.fixture
def shifted(tmp_path):
    """Write a triangle with unknown titles."""
    path = tmp_path / "shifted.csv"
    path.write_text("strength of it,one end,other end\n5,1,2\n7,2,3\n9,3,1\n")
    return path


COLUMNS = "source=one end,target=other end,weight=1"


def test_runs_read_the_columns_that_are_named(call, call_json, shifted):
    refused = call("run", "suitor", shifted, "--device", "host")
    assert refused.exit_code == 3
    assert "--columns" in " ".join(refused.output.split())
    code, found = call_json("run", "suitor", shifted, "--device", "host", "--columns", COLUMNS)
    assert code == 0
    assert (found["weight"], found["vertices"], found["edges"]) == (9, 3, 3)
    code, found = call_json("compare", shifted, "suitor", "greedy", "--columns", COLUMNS)
    assert code == 0
    assert found["edges"] == 3


def test_slabs_read_the_columns_that_are_named(call_json, shifted, tmp_path):
    code, found = call_json("slabs", shifted, tmp_path / "slabs", "--columns", COLUMNS)
    assert code == 0
    assert found["entries"] == 6


@pytest.mark.parametrize(
    ("spec", "cause"),
    [
        ("karate", "is no file"),
        ("rmat_rows:scale=5", "is no file"),
        ("{mtx}", "has no option 'columns'"),
    ],
)
def test_columns_are_of_lists(call, small_graph, spec, cause):
    spec = spec.format(mtx=small_graph)
    result = call("run", "suitor", spec, "--device", "host", "--columns", COLUMNS)
    assert result.exit_code == 3
    assert cause in " ".join(result.output.split())


@pytest.fixture
def rated_twice(tmp_path):
    """Write ratings of which user 1 gives item 1 two: 5, and 2 at last."""
    path = tmp_path / "twice.csv"
    path.write_text("user,item,rating\n1,1,5\n1,2,3\n2,1,4\n1,1,2\n2,2,1\n")
    return path


def test_a_rating_that_is_given_again_counts_as_the_option_says(call, call_json, rated_twice):
    refused = call("run", "sgd_serial", rated_twice)
    assert refused.exit_code == 3
    assert "--duplicates last or mean" in " ".join(refused.output.split())
    for how, mean in (("last", 2.5), ("mean", 2.875)):
        code, found = call_json("run", "sgd_serial", rated_twice, "--duplicates", how)
        assert (code, found["ratings"], found["mean"]) == (0, 4, mean)
    code, found = call_json("compare", rated_twice, "sgd_serial", "sgd", "--duplicates", "last")
    assert code == 0


def test_graphs_have_no_ratings_that_are_given_again(call):
    refused = call("run", "suitor", "karate", "--duplicates", "last")
    assert refused.exit_code == 2
    assert "--duplicates is for ratings" in refused.output


@pytest.mark.parametrize("parts", ["4097", "1000000000"])
def test_parts_have_a_bound(call, tmp_path, parts):
    result = call("slabs", "karate", tmp_path / "slabs", "--parts", parts)
    assert result.exit_code == 2
    assert "4096" in result.output


#: Numbers that neither take time nor memory: seeds, and sizes that are compared only.
FREE = {"seed", "order_seed", "split_seed", "refine_seed", "bin_vertices"}


def wide_numbers():
    """Yield runners and their whole numbers."""
    for name, runner in {**algorithms(), **methods()}.items():
        for field in dataclasses.fields(runner.params):
            if (type(field.default) is int or "int" in str(field.type)) and field.name not in FREE:
                yield pytest.param(runner, field.name, id=f"{name}-{field.name}")


@pytest.mark.parametrize(("runner", "name"), [*wide_numbers()])
def test_numbers_of_runners_have_a_bound_that_is_named(runner, name):
    with pytest.raises(ParameterError, match=r"to [0-9]{2,}|use [0-9, ]+|at most|below") as caught:
        runner.params(**{name: 10**15})
        kind = get_family(runner.family).problem  # capacities are checked with the problem
        gpucore.run(runner.name, gpucore.load("karate", kind), **{name: 10**15})
    assert "\n" not in str(caught.value)


HEADER = "{'descr': '<i8', 'fortran_order': False, 'shape': (%s,), }"


def npy(text, data=b""):
    """Return an array's file with any header."""
    padded = text.encode().ljust(118)
    return b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded + data


HOSTILE = {
    "cut": b"\x93NUMPY\x01\x00v\x00{'descr': '<i8', 'fortran_or",
    "noise": npy(HEADER.replace("order", "or\x00er") % 18),
    "huge": npy(HEADER % 10**18),
    "huge and real": npy(HEADER % 10**10, bytes(80)),
    "negative": npy(HEADER % -1),
    "nested": npy("(" * 110),
    "code": npy("__import__('os').system('true')"),
    "objects": npy(HEADER.replace("<i8", "|O") % 1, b"cos\nsystem\n(S'true'\ntR."),
    "fields": npy(HEADER.replace("'<i8'", "[('a', '<i8')]") % 1, bytes(8)),
    "void": npy(HEADER.replace("<i8", "V0") % 5),
    "floats": npy(HEADER.replace("<i8", "<f8") % 1, bytes(8)),
    "longer": npy(HEADER % 2, bytes(24)),
    "version": b"\x93NUMPY\x09\x00" + bytes(100),
    "empty": b"",
}
FILES = (("bipartite", "southern_women", "initial"), ("bmatching", "karate", "b"))


@pytest.mark.parametrize(("algorithm", "graph", "name"), FILES)
@pytest.mark.parametrize("case", HOSTILE)
def test_hostile_arrays_are_one_sentence(call, tmp_path, algorithm, graph, name, case):
    path = tmp_path / "hostile.npy"
    path.write_bytes(HOSTILE[case])
    result = call("run", algorithm, graph, "--device", "host", "-p", f"{name}={path}")
    assert result.exit_code == 2, result.output
    text = " ".join(result.output.split())
    assert "Traceback" not in text
    assert "hostile.npy" in text.replace(" ", "")


def test_changed_arrays_are_read_or_refused(tmp_path):
    from random import Random

    from gpucore.io.numbers import read_numbers

    stream = io.BytesIO()
    np.save(stream, np.arange(18))
    path = tmp_path / "b.npy"
    random = Random(1)
    refused = 0
    for _ in range(300):
        data = bytearray(stream.getvalue())
        for _ in range(random.randint(1, 3)):
            data[random.randrange(130)] = random.randrange(256)
        path.write_bytes(bytes(data))
        try:
            read_numbers(str(path), "one whole number a vertex")
        except ParameterError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 200
