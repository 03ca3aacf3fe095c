"""The Makefile's tools, which run before anything is installed, name what is missing."""

import importlib.util
import json
import subprocess
import sys
import tomllib
from importlib.metadata import distributions, version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from gpucore.record import Record
from warplens.app.gallery import entries

ROOT = Path(__file__).parents[1]


def requirements(*extras):
    """Return the names and version ranges of pyproject.toml, without blanks."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found = [*project["dependencies"]]
    for extra in extras:
        found += project["optional-dependencies"][extra]
    return {text.replace(" ", "") for text in found}


#: Conda's environment is for Linux and macOS only.
MPICH = "mpich>=4.2;sys_platform!='win32'"


def test_conda_installs_what_pip_would():
    lines = (ROOT / "environment.yml").read_text().splitlines()
    listed = {
        line.strip(" -").replace(" ", "").replace("python-igraph", "igraph") for line in lines
    }
    assert requirements("app", "fetch", "mpi", "pdf", "peers") <= listed | {MPICH}


def test_the_source_archive_leaves_out_no_file_of_the_checkout():
    """Tests read documents, recipes and results, so they pass in an unpacked archive, too."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["scikit-build"]
    assert "exclude" not in settings.get("sdist", {})


def test_the_conda_recipe_installs_what_pip_would():
    text = (ROOT / "conda" / "recipe.yaml").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    run = text.partition("  run:\n")[2].partition("\ntests:")[0]
    lines = [line.strip(" -") for line in run.splitlines()]
    listed = {line.replace(" ", "") for line in lines if line and not line.startswith("#")}
    assert listed - {f"python{project['requires-python']}"} == requirements("app")
    assert f'version: "{project["version"]}"' in text
    assert f"license: {project['license']}" in text
    for file in project["license-files"]:
        assert f"- {file}" in text.partition("license_file:")[2]


def test_installed_packages_are_not_older_than_their_floors():
    """An environment of an earlier day fails here, and not somewhere in a page."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    parts = (project["dependencies"], *project["optional-dependencies"].values())
    wanted = [Requirement(text) for part in parts for text in part]
    found = {
        one.name: version(one.name) for one in wanted if next(metadata(one.name), None) is not None
    }
    assert {"numpy", "tornado", "jupyter-server", "pytest"} <= found.keys()
    assert not [
        f"{one}, but {found[one.name]} is installed"
        for one in wanted
        if one.name in found and not one.specifier.contains(found[one.name], prereleases=True)
    ]


def metadata(name):
    return iter(distributions(name=name))


def test_floors_below_which_servers_are_known_to_be_weak():
    floors = {
        Requirement(text).name: Requirement(text).specifier for text in requirements("app", "lab")
    }
    for name, weak in (("jupyter-server", "2.19"), ("tornado", "6.5.6"), ("jupyterlab", "4.5.6")):
        assert not floors[name].contains(weak)


SOUND = {"name": "numpy", "version": "2.0", "vulns": []}
WEAK = {"name": "old", "version": "1.0", "vulns": [{"id": "CVE-1", "fix_versions": ["1.1"]}]}
OWN = {"name": "warplens", "skip_reason": "distribution marked as editable"}
UNKNOWN = {"name": "other", "skip_reason": "Dependency not found on PyPI"}


@pytest.mark.parametrize(
    ("found", "code", "words"),
    [
        ([SOUND, OWN], 0, "no known vulnerability in 1 packages"),
        ([SOUND, WEAK, OWN], 1, "old 1.0: CVE-1, fixed in 1.1"),
        ([SOUND, UNKNOWN], 2, "does not know 1 of 2 packages (other)"),
        ([WEAK, UNKNOWN], 1, "does not know 1 of 2 packages"),
    ],
)
def test_an_audit_has_an_answer_for_every_package(found, code, words, monkeypatch, capsys):
    audit = load("audit")
    answer = subprocess.CompletedProcess([], 0, json.dumps({"dependencies": found}), "")
    monkeypatch.setattr(audit.subprocess, "run", lambda *_, **__: answer)
    assert audit.main([]) == code
    out, err = capsys.readouterr()
    assert words in out + err


def test_an_audit_without_an_answer_is_an_error(monkeypatch, capsys):
    audit = load("audit")
    answer = subprocess.CompletedProcess([], 1, "", "Traceback\nConnectionError: no network\n")
    monkeypatch.setattr(audit.subprocess, "run", lambda *_, **__: answer)
    assert audit.main([]) == 2
    assert "ConnectionError: no network" in capsys.readouterr().err


def load(name):
    spec = importlib.util.spec_from_file_location(f"tool_{name}", ROOT / "tools" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def environment():
    return load("environment")


@pytest.fixture
def chromium():
    return load("chromium")


def test_a_missing_compiler_is_named(environment, monkeypatch, capsys, tmp_path):
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(environment.shutil, "which", lambda name: None)
    assert environment.main([str(tmp_path / "venv"), "app"]) == 1
    assert "no C++ compiler was found" in capsys.readouterr().err
    assert not (tmp_path / "venv").exists()


def test_a_compiler_of_ones_own_is_looked_for(environment, monkeypatch):
    monkeypatch.setenv("CXX", "no-such-compiler -O2")
    assert "no-such-compiler" in environment.find_problem()


def test_an_installation_that_is_up_to_date_is_left_alone(environment, monkeypatch, tmp_path):
    monkeypatch.setattr(environment, "gpu_extras", list)
    stamp = f'{{"state": "{environment.state_digest()}", "extras": ["app", "test"]}}'
    (tmp_path / ".warplens.json").write_text(stamp)
    monkeypatch.setattr(environment.subprocess, "run", pytest.fail)
    assert environment.main([str(tmp_path), "app"]) == 0


#: Stands for an environment's Python: notes its arguments, and fails if they hold a word.
PIP = """#!/bin/sh
echo "$*" >> "$(dirname "$0")/calls"
case "$*" in *"$FAILS"*) exit 1;; esac
"""


shell = pytest.mark.skipif(sys.platform == "win32", reason="a shell script stands for Python")


def stand_in(environment, monkeypatch, folder):
    """Put PIP into a folder as its Python; return its path."""
    monkeypatch.setattr(environment, "gpu_extras", list)
    python = folder / "bin" / "python"
    python.parent.mkdir()
    python.write_text(PIP)
    python.chmod(0o755)
    return python


@shell
@pytest.mark.parametrize("fails", ["nothing", "--editable", "ruff"])
def test_the_project_is_built_while_packages_are_installed(
    environment, monkeypatch, capsys, tmp_path, fails
):
    monkeypatch.setenv("FAILS", fails)
    python = stand_in(environment, monkeypatch, tmp_path)
    checked = tmp_path / "checked"
    arguments = [str(tmp_path), "test", "--", "touch", str(checked)]
    assert environment.main(arguments) == (fails != "nothing")
    assert checked.exists() == (fails != "ruff")
    calls = (python.parent / "calls").read_text().splitlines()
    (project,) = (call for call in calls if call.endswith("--no-deps --editable ."))
    (packages,) = set(calls) - {project}
    assert all(text in packages for text in environment.requirements(["test"]))
    assert ("failed" in capsys.readouterr().err) == (fails != "nothing")
    assert (tmp_path / ".warplens.json").exists() == (fails == "nothing")


@shell
def test_the_lowest_versions_are_chosen_by_uv(environment, monkeypatch, tmp_path):
    monkeypatch.setenv("FAILS", "nothing")
    python = stand_in(environment, monkeypatch, tmp_path)
    assert environment.main(["--lowest", str(tmp_path), "test"]) == 0
    _, packages = (
        call
        for call in (python.parent / "calls").read_text().splitlines()
        if "--editable" not in call
    )
    assert packages.startswith("-m uv pip install")
    assert "--resolution lowest-direct" in packages
    assert all(text in packages for text in environment.requirements(["test"]))


@shell
@pytest.mark.parametrize(("command", "code"), [("true", 0), ("false", 1)])
def test_the_commands_exit_code_counts_after_an_installation_and_without(
    environment, monkeypatch, tmp_path, command, code
):
    monkeypatch.setenv("FAILS", "nothing")
    python = stand_in(environment, monkeypatch, tmp_path)
    for _ in range(2):
        assert environment.main([str(tmp_path), "test", "--", command]) == code
    assert len((python.parent / "calls").read_text().splitlines()) == 2


def test_what_is_installed_is_what_the_extras_require(environment):
    found = {text.replace(" ", "") for text in environment.requirements(["app", "peers", "test"])}
    assert found == requirements("app", "peers", "test")


@pytest.mark.parametrize("text", ["", "{", "[]", "null"])
def test_a_damaged_stamp_means_installing_again(environment, tmp_path, text):
    path = tmp_path / "stamp.json"
    path.write_text(text)
    assert environment.read_stamp(path) == {"state": "", "extras": []}


def test_a_changed_kernel_changes_the_state(environment, monkeypatch, tmp_path):
    (tmp_path / "gpucore" / "kernels").mkdir(parents=True)
    kernel = tmp_path / "gpucore" / "kernels" / "some.cu"
    monkeypatch.setattr(environment, "ROOT", tmp_path)
    kernel.write_text("one")
    first = environment.state_digest()
    kernel.write_text("two")
    assert environment.state_digest() != first


def test_without_a_driver_there_is_no_gpu_extra(environment, monkeypatch):
    monkeypatch.setattr(environment.shutil, "which", lambda name: None)
    assert environment.gpu_extras() == []


def test_a_driver_chooses_its_extra(environment, monkeypatch, tmp_path):
    smi = tmp_path / "nvidia-smi"
    smi.write_text("#!/bin/sh\necho '| Driver Version: 580.65  CUDA Version: 13.0 |'\n")
    smi.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert environment.gpu_extras() == ["cuda13"]


def test_types_of_run_are_those_of_the_declarations():
    assert load("overloads").main(["--check"]) == 0


def test_environment_needs_the_standard_library_only():
    command = [sys.executable, "-I", "-S", str(ROOT / "tools" / "environment.py")]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert ran.returncode == 2
    assert "usage" in ran.stderr


def test_a_browser_that_does_not_start_is_none(chromium, tmp_path):
    shell = tmp_path / "chromium"
    shell.write_text("#!/bin/sh\nexit 1\n")
    shell.chmod(0o755)
    assert not chromium.runs(str(shell))
    assert not chromium.runs(str(tmp_path / "missing"))


def test_no_browser_at_all_is_an_error_that_says_so(chromium, monkeypatch, capsys):
    monkeypatch.setattr(chromium, "find", lambda: None)
    monkeypatch.setattr(chromium, "install_with_apt", lambda: False)
    monkeypatch.setattr(chromium, "install_with_playwright", lambda: False)
    assert chromium.main() == 1
    assert "need Chromium" in capsys.readouterr().err


def test_apt_is_not_tried_without_the_right_to(chromium, monkeypatch):
    monkeypatch.setattr(chromium, "elevate", lambda: None)
    monkeypatch.setattr(chromium.subprocess, "run", pytest.fail)
    assert chromium.install_with_apt() is False


def test_the_gallery_can_be_made_again(tmp_path):
    make = [sys.executable, ROOT / "tools" / "gallery.py", "--device", "host", "--tries", "2"]
    make += ["--output", tmp_path, "karate_weighted-ld", "southern_women-sgd-agm_e"]
    done = subprocess.run(make, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    record = Record.load(tmp_path / "matching" / "karate_weighted-ld.npz")
    assert record.clock == "steps"
    again = Record.load(tmp_path / "sgd" / "southern_women-sgd-agm_e.npz")
    assert again.num_events == entries()["southern_women-sgd-agm_e"].events
    catalogue = tomllib.loads((tmp_path / "matching" / "catalogue.toml").read_text())
    assert catalogue["karate_weighted-ld"]["events"] == record.num_events
    assert list(catalogue) == [e.name for e in entries().values() if e.family == "matching"]
