"""Files of whole numbers: refusals that no family's own tests have."""

import numpy as np
import pytest

from gpucore.errors import ParameterError
from gpucore.io.numbers import exists, read_numbers


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
