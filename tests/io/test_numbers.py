"""Files of whole numbers: refusals that no family's own tests have."""

import numpy as np
import pytest

from gpucore.errors import ParameterError
from gpucore.io.numbers import exists, read_numbers
from gpucore.loading import load_bytes


def test_an_archive_of_arrays_is_no_array(tmp_path):
    """It is refused by its content, whatever its name."""
    path = tmp_path / "b.npy"
    with path.open("wb") as file:
        np.savez(file, b=np.arange(3))
    with pytest.raises(ParameterError, match="no NumPy array"):
        read_numbers(str(path), "one whole number a vertex")


def test_messages_name_what_the_file_should_hold(tmp_path):
    for name in (tmp_path, tmp_path / "none.txt"):
        with pytest.raises(ParameterError, match="save seven cats, in a file"):
            read_numbers(str(name), "seven cats")
    with pytest.raises(ParameterError, match="is no regular file"):
        read_numbers(str(tmp_path), "seven cats")


def test_comments_and_empty_lines_are_skipped(tmp_path):
    (tmp_path / "b.txt").write_text("# mates\n3\n\n-1 # none\n")
    assert read_numbers(str(tmp_path / "b.txt"), "numbers").tolist() == [3, -1]


def test_odd_names_are_no_files():
    assert not any(exists(name) for name in ("", "a\0b", "x" * 5000, "no/such/file"))


def test_a_small_list_with_far_numbers_has_as_many_vertices_as_occur():
    lines = [f"{i * 1000} {(i + 1) * 1000}" for i in range(1, 60)]
    graph = load_bytes("sparse.txt", "\n".join(lines).encode())
    assert graph.num_vertices == 60
    assert graph.names[-1] == "60000"
    assert "renumbered" in graph.source["notes"][-1]
    declared = load_bytes("said.txt", b"# Nodes: 60001 Edges: 59\n" + "\n".join(lines).encode())
    assert declared.num_vertices == 60001  # the comment says that the others exist
