"""Files that the commands read."""

import pytest


@pytest.fixture
def small_graph(tmp_path):
    """Write a path of four vertices whose middle edge is the heaviest."""
    path = tmp_path / "path.mtx"
    path.write_text(
        "%%MatrixMarket matrix coordinate real symmetric\n4 4 3\n2 1 1.0\n3 2 5.0\n4 3 2.0\n"
    )
    return path
