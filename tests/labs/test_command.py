"""The command copies the notebooks and keeps what the reader changed."""

import pytest

from gpucore.errors import MissingDependency, ParameterError
from warplens.labs import command


def test_notebooks_are_copied_once(tmp_path):
    folder = tmp_path / "mine"
    copied = command.copy_notebooks(folder)
    names = ["00-what-is-a-warp", "00b-blocks-and-memory", "01-suitor", "02-louvain"]
    names += ["03-bipartite", "04-marriage", "05-redblue", "06-sgd", "07-bmatching"]
    assert [path.stem for path in copied] == names
    copied[0].write_text("changed")
    copied[1].unlink()
    assert command.copy_notebooks(folder) == [copied[1]]
    assert copied[0].read_text() == "changed"


def test_a_folder_that_is_a_file_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ParameterError, match="name another folder"):
        command.copy_notebooks(tmp_path / "file")


def test_without_jupyterlab_the_error_names_the_fix(monkeypatch, tmp_path):
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    with pytest.raises(MissingDependency, match="--copy-only"):
        command.lab(tmp_path / "mine", open_jupyter=True)
    assert not (tmp_path / "mine").exists()
    command.lab(tmp_path / "mine", open_jupyter=False)
    assert len(list((tmp_path / "mine").iterdir())) == 9
