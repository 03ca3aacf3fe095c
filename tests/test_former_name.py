"""The product's former name is read where earlier files have it, and stands nowhere else."""

import json
import os
import re
from pathlib import Path

import numpy as np
import pytest

from gpucore import former
from gpucore.errors import GraphError
from gpucore.io.files import save
from gpucore.loading import load
from gpucore.problems.graph.distributed.manifest import FILE, read_manifest
from gpucore.problems.graph.distributed.slabs import save_parts
from gpucore.problems.graph.graph import Graph

ROOT = Path(__file__).parents[1]
#: The readers of earlier files, and this test.
ALLOWED = {"gpucore/former.py", "tests/test_former_name.py"}
#: What is made from the files of the repository, as ``.gitignore`` lists it.
MADE = {".git", ".venv", "build", "dist", "__pycache__", "test-results"}
MADE |= {".hypothesis", ".mypy_cache", ".pytest_cache", ".ruff_cache", ".ipynb_checkpoints"}
GRAPH = Graph.from_edges(4, [0, 1, 2], [1, 2, 3], [0.5, 2.0, 1.0])
#: Of the graph in parts, as it was before the product had another name.
FINGERPRINT = "45dee33652c965e1bc097198ac6f8a586632d4ac590e3ec5a60688331ffd5f2c"


def files():
    for folder, folders, names in os.walk(ROOT):
        folders[:] = [name for name in folders if name not in MADE and "egg-info" not in name]
        yield from (Path(folder, name) for name in names if not name.endswith(".so"))


def test_no_file_and_no_path_has_the_former_name():
    """Recorded runs are compressed: their headers keep the name of the package that made them."""
    word = re.compile(former.NAME.encode(), re.IGNORECASE)
    paths = [path.relative_to(ROOT) for path in files()]
    assert len(paths) > 1000
    spelled = [
        str(path)
        for path in paths
        if str(path) not in ALLOWED
        and (word.search(str(path).encode()) or word.search((ROOT / path).read_bytes()))
    ]
    assert spelled == []


def test_a_graph_saved_under_the_former_name_is_read(tmp_path):
    rename_archive(tmp_path / "old.npz", f"{former.NAME}-graph")
    assert load(tmp_path / "old.npz") == GRAPH
    rename_archive(tmp_path / "other.npz", "other-graph")
    with pytest.raises(GraphError, match="other-graph"):
        load(tmp_path / "other.npz")


def rename_archive(path, form):
    """Save the graph as an archive whose header names this format."""
    save(GRAPH, path)
    with np.load(path) as archive:
        arrays = dict(archive)
    header = json.loads(arrays["header"].tobytes())
    header["format"] = form
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), np.uint8)
    np.savez_compressed(path, **arrays)


def test_a_graph_in_parts_of_the_former_name_is_read(tmp_path):
    """Its fingerprint was made with that name, too: it is compared when the folder is opened."""
    manifest = save_parts(GRAPH, tmp_path, 2)
    assert manifest.fingerprint == FINGERPRINT
    for form, readable in ((f"{former.NAME}-slabs", True), ("other-slabs", False)):
        text = json.loads((tmp_path / FILE).read_text()) | {"format": form}
        (tmp_path / FILE).write_text(json.dumps(text))
        if readable:
            assert read_manifest(tmp_path) == manifest
        else:
            with pytest.raises(GraphError, match="warplens-slabs"):
                read_manifest(tmp_path)
