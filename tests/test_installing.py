"""No text says how to install a release before there is one, and all do afterwards."""

import json
import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

from gpucore import installing
from gpucore.installing import install_hint, update_hint

ROOT = Path(__file__).parents[1]
#: Arguments of an installer; the rest of the line is a comment or a sentence.
INSTALLS = re.compile(
    r"\b(?:pip3?|pipx|conda|mamba|uv(?: pip| tool)?) (?:install|run|add|wheel)\b([^`\n]*)"
)
#: A release by its name, with or without extras; not a path, a file or a folder that ends in it.
RELEASE = re.compile(r"(?<![\w./=-])warplens(?![\w./-])")
#: The checkout with extras: true before a release only, but in what is about the checkout itself.
CHECKOUT = re.compile(r"'\.\[([\w,]+)\]'")
ABOUT_THE_CHECKOUT = {"README.md", "docs/start.md"}
#: Texts that are results of runs in the past, and this test.
LEFT_OUT = ("benchmarks/results/", "tests/test_installing.py", "gpucore/installing.py")
TEXTS = {".md", ".py", ".toml", ".txt", ".yaml", ".yml", ".ipynb", ".sh", ".js", ".html", ".cff"}
HIDDEN = {".binder", ".ci", ".github", ".pre-commit-config.yaml"}


def texts():
    """Yield the path and the text of every file of the project that people write."""
    for path in sorted(ROOT.rglob("*")):
        name = path.relative_to(ROOT).as_posix()
        top = name.partition("/")[0]
        if top in {"build", "dist"} or (top.startswith(".") and top not in HIDDEN):
            continue
        if name.startswith(LEFT_OUT) or not path.is_file():
            continue
        if path.suffix in TEXTS or path.name in {"Dockerfile", "Makefile"} or top == ".ci":
            yield name, path.read_text()


def commands():
    """Return the file and the rest of each command that installs something."""
    return [
        (name, found[1].partition("&&")[0].partition("#")[0])
        for name, text in texts()
        for found in INSTALLS.finditer(text)
    ]


def test_every_command_in_the_tree_can_be_true():
    found = commands()
    assert len(found) >= 8
    released = {name for name, words in found if RELEASE.search(words)}
    checkout = {name for name, words in found if CHECKOUT.search(words)}
    if installing.RELEASED:
        assert checkout <= ABOUT_THE_CHECKOUT
    else:
        assert released == set()


def test_the_search_finds_what_it_is_for():
    """The patterns know each form in which a release was ever named, and nothing else."""
    for words in ("'warplens[app,hub]'", '"warplens[test]"', "--upgrade warplens", "warplens"):
        assert RELEASE.search(INSTALLS.search(f"get it with: pip install {words}")[1])
    for words in ("'.[app]'", "./warplens-0.1.0-py3-none-any.whl", "/opt/warplens/"):
        assert not RELEASE.search(INSTALLS.search(f"pip install {words}")[1])


def test_extras_that_are_named_exist():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    known = set(project["optional-dependencies"])
    named = [
        extra
        for name, text in texts()
        for pattern in (CHECKOUT, re.compile(r"install_hint\(['\"]([\w,]+)['\"]\)"))
        for found in pattern.finditer(text)
        for extra in found[1].split(",")
    ]
    assert len(named) > 15
    assert set(named) <= known


@pytest.fixture
def origin(monkeypatch):
    """Return a function that says how this Warplens was installed."""

    def say(recorded):
        class Found:
            @staticmethod
            def read_text(name):
                assert name == "direct_url.json"
                return None if recorded is None else json.dumps(recorded)

        monkeypatch.setattr(metadata, "distribution", lambda name: Found)

    return say


@pytest.mark.parametrize(
    ("recorded", "words"),
    [
        (None, "pip install '.[app]' (in the checkout of Warplens)"),
        ({"url": "file:///a/b", "dir_info": {}}, "pip install '.[app]' (in the checkout"),
        ({"url": "file:///a/b", "dir_info": {"editable": True}}, "pip install -e '.[app]' (in the"),
        (
            {"url": "file:///a/warplens-1.0-py3-none-any.whl", "archive_info": {}},
            "pip install 'warplens-1.0-py3-none-any.whl[app]' (in the folder of that file)",
        ),
    ],
)
def test_the_hint_fits_how_it_was_installed(monkeypatch, origin, recorded, words):
    monkeypatch.setattr(installing, "RELEASED", False)
    origin(recorded)
    assert install_hint("app").startswith(words)
    assert "--force-reinstall --no-deps" in install_hint(again=True)


def test_a_release_switches_every_hint(monkeypatch, origin):
    monkeypatch.setattr(installing, "RELEASED", True)
    origin(None)
    assert install_hint("app,lab") == "pip install 'warplens[app,lab]'"
    assert install_hint(again=True) == "pip install --force-reinstall --no-deps warplens"
    assert update_hint() == "pip install --upgrade warplens"


def test_sources_that_are_not_installed_have_a_hint(monkeypatch):
    def distribution(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(installing, "RELEASED", False)
    monkeypatch.setattr(metadata, "distribution", distribution)
    assert install_hint() == "pip install . (in the checkout of Warplens)"
