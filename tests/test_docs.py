"""The documentation's pages: examples are true, names exist, and every page and record is reached.

``make docs`` builds the pages, with warnings as errors and all links checked.
"""

import doctest
import importlib.util
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import gpucore
from gpucore.family import families
from warplens.app.gallery import entries

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
TEXTS = {page: page.read_text() for page in PAGES}


def module_at(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def fenced(text, language):
    """Return all code in a language, with blanks for other lines: their numbers stay."""
    lines, inside = [], False
    for line in text.splitlines():
        inside = line == f"```{language}" if line.startswith("```") else inside
        lines.append(line if inside and not line.startswith("```") else "")
    return "\n".join(lines) + "\n"


def script(text):
    """Return the Python of a page, blocks and sessions, as one script with the page's lines."""
    lines = fenced(text, "python").splitlines()
    for example in doctest.DocTestParser().get_examples(fenced(text, "pycon")):
        source = example.source.splitlines()
        lines[example.lineno : example.lineno + len(source)] = source
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize(
    "source",
    [p for p in PAGES if "```pycon" in TEXTS[p]],
    ids=lambda p: p.relative_to(DOCS).as_posix(),
)
@pytest.mark.filterwarnings("ignore:Note. conversions to backend graphs")
def test_examples(source):
    name = source.relative_to(ROOT).as_posix()
    examples = doctest.DocTestParser().get_doctest(
        fenced(TEXTS[source], "pycon"), {}, name, str(source), 0
    )
    said = []
    found = doctest.DocTestRunner(verbose=False).run(examples, out=said.append)
    assert found.attempted and not found.failed, "".join(said)


def test_examples_have_types(tmp_path, request):
    """All Python of the README and of the pages passes mypy as a user's strict scripts."""
    for page in (ROOT / "README.md", *PAGES):
        if text := script(page.read_text()).rstrip("\n"):
            name = "_".join(page.relative_to(ROOT).with_suffix(".py").parts).replace("-", "_")
            (tmp_path / f"page_{name}").write_text(text)
    # NetworkX comes without types.
    settings = "[mypy]\nstrict = True\n[mypy-networkx.*]\nignore_missing_imports = True\n"
    (tmp_path / "mypy.ini").write_text(settings)
    kept = getattr(request.config, "cache", None)  # none with -p no:cacheprovider
    cache = kept.mkdir("mypy") if kept else tmp_path / "cache"
    command = [sys.executable, "-m", "mypy", "--cache-dir", str(cache), "."]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


def referred(name):
    """Return what a reference of a docstring names, or None."""
    parent, _, last = name.rpartition(".")
    try:
        return import_module(name)
    except ImportError:
        one = referred(parent) if parent else None
        return getattr(one, last, None) or getattr(one, "__annotations__", {}).get(last)


@pytest.mark.parametrize("top", ["gpucore", "app", "labs"])
def test_references_of_docstrings_name_something(top):
    """Sphinx checks those on the pages of the API; most docstrings have no page."""
    pattern = re.compile(
        r":(?:func|meth|class|mod|exc|data|attr):`~?((?:gpucore|app|labs)\.[\w.]+)`"
    )
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in (ROOT / top).rglob("*.py")
        for name in pattern.findall(path.read_text())
    }
    full = {name: name if name.startswith("gpucore.") else f"warplens.{name}" for _, name in found}
    assert [(path, name) for path, name in sorted(found) if referred(full[name]) is None] == []


def test_every_page_is_in_the_contents():
    """Reports of open holes of other projects are drafts, which the built pages leave out."""
    excluded = re.search(r"^exclude_patterns = (.*)", (DOCS / "conf.py").read_text(), re.MULTILINE)
    drafts = DOCS / "reports.md"
    assert f'"{drafts.name}"' in excluded[1]
    listed = {DOCS / "index.md"}
    for page, text in TEXTS.items():
        for block in re.findall(r"```\{toctree\}\n(.*?)```", text, re.DOTALL):
            names = [line for line in block.splitlines() if line and not line.startswith(":")]
            names = [re.sub(r".*<(.*)>", r"\1", name) for name in names]
            listed |= {page.parent / f"{name}.md" for name in names}
    assert listed == set(PAGES) - {drafts}


def test_links_and_included_files_exist():
    wrong = []
    for page, text in TEXTS.items():
        links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text)
        links += re.findall(r"```\{include\} (\S+)", text)
        wrong += [f"{page}: {link}" for link in links if not (page.parent / link).is_file()]
    assert not wrong


def test_markers_of_included_parts_exist_once():
    for page, text in TEXTS.items():
        for block in re.findall(r"```\{include\} (.*?)```", text, re.DOTALL):
            target = (page.parent / block.split()[0]).read_text()
            for marker in re.findall(r':(?:start-after|end-before): "(.*)"', block):
                assert target.count(f"{marker}\n") == 1, (page, marker)


def test_records_exist():
    shown = [name for t in TEXTS.values() for name in re.findall(r"```\{played\} (\S+)", t)]
    assert len(shown) > 8
    assert not set(shown) - entries().keys()


def found(name):
    """Return what a dotted name refers to, wherever its module ends."""
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            value = import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            value = getattr(value, part)
        return value
    raise AttributeError(name)


def test_names_exist_and_are_documented():
    documented = set()
    for text in TEXTS.values():
        documented |= set(re.findall(r"\.\. auto(?:function|class|exception):: (\S+)", text))
        for name in re.findall(r"\{py:\w+\}`([\w.]+)`", text):
            assert found(name) is not None
    assert all(found(name).__doc__ for name in documented)
    assert {f"gpucore.{name}" for name in gpucore.__all__} <= documented


def test_names_of_the_core_are_listed():
    text = TEXTS[DOCS / "api" / "index.md"]
    listed = text.partition(":nosignatures:")[2].partition("```")[0].split()
    assert sorted(listed) == sorted(gpucore.__all__)


def test_every_family_has_a_tutorial_with_its_table():
    from gpucore.family import families

    tables = [n for t in TEXTS.values() for n in re.findall(r"```\{algorithms\} (\w+)", t)]
    assert sorted(tables) == sorted(families())
    assert all(f"```{{algorithms}} {n}" in TEXTS[DOCS / "tutorials" / f"{n}.md"] for n in tables)


def test_measurements_are_those_of_the_benchmarks():
    text = (ROOT / "benchmarks" / "README.md").read_text()
    for name in re.findall(r"```\{measured\} (\S+)", TEXTS[DOCS / "comparison.md"]):
        assert f"<!-- summary {name}" in text
        assert (ROOT / "benchmarks" / "results" / name).is_file()


def test_broken_links_of_built_pages_are_found(tmp_path):
    links = module_at(DOCS / "_ext" / "links.py")
    (tmp_path / "a.html").write_text('<h1 id="x"></h1><a href="b.html#y"></a><a href="c.html">')
    (tmp_path / "b.html").write_text('<a href="a.html#x"></a><script src="https://e.org/s.js">')
    assert links.broken(tmp_path) == [
        "a.html: b.html#y has no such anchor",
        "a.html: c.html does not exist",
    ]
    assert len(links.foreign(tmp_path)) == 1


def test_versions_are_in_their_order(tmp_path):
    for name in ("0.1.0", "0.10.0", "0.9.0", "assets"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "index.html").touch()
    found = module_at(ROOT / "tools" / "docs.py").versions(tmp_path)
    assert found == ["0.10.0", "0.9.0", "0.1.0"]


def test_guides_name_all_that_run_on_ranks_and_in_the_memory_of_a_device():
    runners = [one for family in families().values() for one in family.load_runners().values()]
    for guide, names in (
        ("ranks", {one.name for one in runners if one.ranks}),
        ("large", {one.name for one in runners if one.certify_part}),
    ):
        words = set(re.findall(r"`(\w+)`", TEXTS[DOCS / f"howto/{guide}.md"]))
        assert words & {one.name for one in runners} == names
