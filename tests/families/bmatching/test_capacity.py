"""The parameter b: every form of it, and what is wrong with all others."""

from __future__ import annotations

import builtins
import gzip
import os

import numpy as np
import pytest

from gpucore.errors import ParameterError
from gpucore.families.bmatching.capacity import (
    DEFAULT_B,
    MAX_B,
    capacities,
    check_b,
    describe_b,
    read_b,
)
from gpucore.family import get_family
from gpucore.io.numbers import read_numbers
from gpucore.limits import Limits
from support.matching_cases import graph_of
from support.running import uncertified

STAR = graph_of(5, [(0, v) for v in range(1, 5)], [1, 2, 3, 4])


@pytest.mark.parametrize(
    ("b", "expected"),
    [
        (0, [0] * 5),
        (3, [3] * 5),
        (np.int16(3), [3] * 5),
        (MAX_B, [MAX_B] * 5),
        ("degree", [4, 1, 1, 1, 1]),
        ("degree/1", [4, 1, 1, 1, 1]),
        ("degree/2", [2, 0, 0, 0, 0]),
        ("degree/3", [1, 0, 0, 0, 0]),
        (f"degree/{MAX_B}", [0] * 5),
        ([0, 1, 2, 3, MAX_B], [0, 1, 2, 3, MAX_B]),
        ((9, 8, 7, 6, 5), [9, 8, 7, 6, 5]),
        (np.arange(5, dtype=np.uint64), [0, 1, 2, 3, 4]),
        (np.arange(5, dtype=np.int32), [0, 1, 2, 3, 4]),
    ],
)
def test_every_form_gives_a_number_for_each_vertex(b, expected):
    found = capacities(STAR, b)
    assert found.dtype == np.int32
    assert found.tolist() == expected


@pytest.mark.parametrize(
    "b",
    [
        -1, MAX_B + 1, 10**30, 3.0, 2.5, True, None, "", "3", "degrees", "degree/0", "degree/-1",
        "degree/02", "degree/1.5", "degree/", "degree / 2", f"degree/{MAX_B + 1}", "DEGREE",
        "degree/2\n", "degree/٣", b"degree", {1: 2}, {1, 2}, lambda: 3, np.float32(3),
    ],
)  # fmt: skip
def test_other_values_are_refused_with_the_forms_there_are(b):
    with pytest.raises(ParameterError, match=r'b is .*; use an integer from 0 to 2147483647, "d'):
        check_b(b)


def test_a_number_of_more_digits_than_python_writes_is_refused():
    with pytest.raises(ParameterError, match="b is a very large integer; use"):
        check_b(10**5000)


@pytest.mark.parametrize(
    ("b", "text"),
    [
        ([1, -2, 3], "b of vertex 1 is -2; give whole numbers from 0"),
        ([1, MAX_B + 1], "b of vertex 1 is 2147483648"),
        (np.array([2**64 - 1], np.uint64), "b of vertex 0 is 18446744073709551615"),
        ([1.0, 2.0], "type float64; give whole numbers"),
        ([True, False], "type bool"),
        (["1", "2"], "type <U1"),
        ([10**30], "type object"),
        ([None], "type object"),
        ([[1, 2], [3]], "b is no list of numbers"),
        (np.ones((2, 2), int), r"shape \(2, 2\); give one whole number a vertex"),
        (np.array(3), r"shape \(\)"),
    ],
)
def test_arrays_of_something_else_are_refused(b, text):
    with pytest.raises(ParameterError, match=text):
        check_b(b)


@pytest.mark.parametrize("count", [0, 4, 6])
def test_the_lengths_are_compared(count):
    with pytest.raises(ParameterError, match=f"b has {count} numbers, but the graph has 5 vertic"):
        capacities(STAR, [1] * count)


def test_an_array_is_not_copied_and_cannot_be_changed_through_the_result():
    given = np.arange(5, dtype=np.int32)
    found = capacities(STAR, given)
    assert np.shares_memory(given, found)
    with pytest.raises(ValueError, match="read-only"):
        found[0] = 1
    given[0] = 7  # the caller's own array stays as it was


def test_b_is_described_for_json():
    assert [describe_b(b) for b in (3, np.int8(3), "degree/2", [1, 2])] == [
        3,
        3,
        "degree/2",
        "given",
    ]
    assert check_b(DEFAULT_B) == 3


def test_numbers_and_formulas_of_the_command_line_are_no_files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "degree").write_text("7\n")
    (tmp_path / "3").write_text("7\n")
    assert (read_b("degree"), read_b("3"), read_b("degree/2")) == ("degree", 3, "degree/2")
    assert read_b("./degree").tolist() == [7]


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int32, ">i8"])
def test_a_numpy_file(tmp_path, dtype):
    path = tmp_path / "b.npy"
    np.save(path, np.array([3, 0, 1], dtype))
    found = read_b(str(path))
    assert found.tolist() == [3, 0, 1]
    assert found.dtype == np.int32
    path.write_bytes(b"")  # nothing of the file is mapped any more
    assert found.tolist() == [3, 0, 1]


@pytest.mark.parametrize("text", ["3\n0\n1\n", "3\r\n0\r\n1", "# b\n3\n\n 0 # none\n1\n"])
def test_a_text_file(tmp_path, text):
    path = tmp_path / "b.txt"
    path.write_bytes(text.encode())
    assert read_b(str(path)).tolist() == [3, 0, 1]


def test_an_empty_file_suits_a_graph_without_vertices(tmp_path):
    path = tmp_path / "b.txt"
    path.write_text("")
    assert capacities(graph_of(0, [], []), read_b(str(path))).size == 0


@pytest.mark.parametrize(
    ("text", "named"),
    [
        (b"3\nx\n", "could not convert string 'x'"),
        (b"3\n1.5\n", "could not convert string '1.5'"),
        (b"3 4\n1 2\n", "2 numbers in a line; write one whole number a vertex"),
        (b"3\n1 2\n", "something else than whole numbers"),
        (b"3\n-2\n", "b of vertex 1 is -2"),
        (b"99999999999\n", "b of vertex 0 is 99999999999"),
        (b"9" * 30, "something else than whole numbers"),
        (b"\xff\xfe\n", "something else than whole numbers"),
        (b"\x00\n", "something else than whole numbers"),
    ],
)
def test_wrong_text_is_named(tmp_path, text, named):
    path = tmp_path / "b.txt"
    path.write_bytes(text)
    with pytest.raises(ParameterError, match=named):
        read_b(str(path))


@pytest.mark.parametrize(
    ("array", "named"),
    [
        (np.ones(3), r"shape \(3,\) and type float64\); save one"),
        (np.ones((2, 2), int), r"shape \(2, 2\)"),
        (np.ones(2, [("b", int)]), "type"),
        (np.array([1, None]), "no NumPy array"),
    ],
)
def test_wrong_numpy_files_are_named(tmp_path, array, named):
    path = tmp_path / "b.npy"
    np.save(path, array)
    with pytest.raises(ParameterError, match=named):
        read_b(str(path))


@pytest.mark.parametrize("kept", [0, 5, 40, 100, 130])
def test_a_numpy_file_that_is_cut_is_named(tmp_path, kept):
    path = tmp_path / "b.npy"
    np.save(path, np.arange(5))
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(ParameterError, match="no NumPy array"):
        read_b(str(path))


def test_files_of_other_kinds_are_refused(tmp_path):
    for name in ("missing.txt", "degree/0", "x" * 5000, "nul\0"):
        with pytest.raises(ParameterError, match="no file; use an integer"):
            read_b(name)
    with pytest.raises(ParameterError, match="no regular file"):
        read_b(str(tmp_path))
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(ParameterError, match="no regular file"):
        read_b(str(tmp_path / "pipe"))
    (tmp_path / "b.gz").write_bytes(gzip.compress(b"1\n" * 1000))
    with pytest.raises(ParameterError, match="something else than whole numbers"):
        read_b(str(tmp_path / "b.gz"))


def test_sizes_are_checked_before_anything_is_read(tmp_path):
    text, array = tmp_path / "b.txt", tmp_path / "b.npy"
    with text.open("wb") as file:
        file.truncate(1 << 40)  # without blocks on the disk
    with pytest.raises(ParameterError, match=r"b.txt needs about 12.* TiB of memory"):
        read_numbers(str(text), "a number a vertex")
    np.save(array, np.zeros(50, np.int32))
    with pytest.raises(ParameterError, match="more numbers than the 49 vertices allowed here"):
        read_numbers(str(array), "a number a vertex", Limits(max_vertices=49))
    text.write_text("1\n" * 50)
    with pytest.raises(ParameterError, match="more numbers than the 49 vertices allowed here"):
        read_numbers(str(text), "a number a vertex", Limits(max_vertices=49))


def test_only_the_command_line_opens_files(tmp_path, monkeypatch):
    path = tmp_path / "b.txt"
    path.write_text("1\n" * 5)
    opened = []
    for module in (builtins, os):
        true = module.open

        def noting(file, *rest, _true=true, **more):
            opened.append(str(file))
            return _true(file, *rest, **more)

        monkeypatch.setattr(module, "open", noting)
    with pytest.raises(ParameterError, match=r"b is .*b.txt"):
        uncertified("bgreedy", STAR, b=str(path))
    with pytest.raises(ParameterError, match=r"b is .*b.txt"):
        uncertified("bsuitor_omp", STAR, b=str(path))
    assert str(path) not in opened
    given = get_family("bmatching").read_files({"b": str(path), "threads": 2})
    assert given["b"].tolist() == [1] * 5
    assert given["threads"] == 2
