"""Commands that need the packages of the pages say so where these are missing."""

import re

import pytest

from gpucore.errors import MissingDependency
from gpucore.installing import install_hint
from warplens.app import installed
from warplens.app.published.command import page, site
from warplens.app.site.serve import serve


@pytest.mark.parametrize(
    "command",
    [lambda folder: page([folder / "run.npz"]), site, lambda folder: serve()],
    ids=["page", "site", "serve"],
)
def test_a_missing_package_is_named_with_its_cure(command, tmp_path, monkeypatch):
    missing = {"anywidget", "voila"}
    monkeypatch.setattr(installed, "find_spec", lambda name: None if name in missing else name)
    with pytest.raises(
        MissingDependency, match=f"need anywidget, voila; .*{re.escape(install_hint('app'))}"
    ):
        command(tmp_path / "out")
    assert not (tmp_path / "out").exists()
