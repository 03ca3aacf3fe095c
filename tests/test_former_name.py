"""The product's former name stands where it must be read, and nowhere else."""

import re
from pathlib import Path

import pytest

from gpucore import former
from gpucore.io.npz import read_npz, write_npz
from gpucore.problems.graph.graph import Graph
from support.repository import ROOT, repository_files

#: Where it is defined, and this file.
READERS = {Path("gpucore/former.py"), Path("tests/test_former_name.py")}
#: What was made under it: recorded runs, whose headers name the package that made them.
MADE_BEFORE = ".npz"


def test_no_file_spells_the_former_name() -> None:
    word = re.compile(former.NAME.encode(), re.IGNORECASE)
    found = []
    for path in repository_files():
        if path in READERS:
            continue
        content = b"" if path.suffix == MADE_BEFORE else (ROOT / path).read_bytes()
        if word.search(content) or word.search(str(path).encode()):
            found.append(str(path))
    assert found == []


def test_an_archive_of_the_former_name_is_read(tmp_path: Path) -> None:
    graph = Graph.from_edges(3, [0, 1], [1, 2], [0.5, 2.0])
    new, old = tmp_path / "new.npz", tmp_path / "old.npz"
    write_npz(graph, new)
    rewrite(new, old, b"warplens-graph", f"{former.NAME}-graph".encode())
    assert read_npz(old).fingerprint == graph.fingerprint
    rewrite(new, old, b"warplens-graph", b"somebody-graph")
    with pytest.raises(Exception, match="somebody-graph"):
        read_npz(old)
