"""Tables in README files: written from the committed results, and equal to them."""

import importlib.util
import json
import re
from pathlib import Path

import pytest

from gpucore.family import families, get_family

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tables():
    """The tool that writes the tables, as a module."""
    with pytest.MonkeyPatch.context() as patched:
        patched.syspath_prepend(str(ROOT / "tools"))
        yield loaded()


def loaded():
    found = importlib.util.spec_from_file_location("tables", ROOT / "tools" / "tables.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_the_tables_of_the_readme_are_those_of_the_results(tables):
    for page in tables.PAGES:
        text = page.read_text()
        assert tables.written(text) == text, "run python tools/tables.py"
    assert text.count("<!-- summary ") >= 6


def test_a_changed_number_is_found(tables):
    text = tables.PAGES[0].read_text()
    changed = text.replace("370204.20 |", "370204.21 |", 1)
    assert changed != text
    assert tables.written(changed) == text


def test_every_time_of_a_table_is_a_median_of_the_results(tables):
    data = json.loads((tables.RESULTS / "matching-h100" / "matching.json").read_text())
    text = tables.PAGES[0].read_text()
    block = re.search(r"<!-- summary matching-h100.*?<!-- end -->", text, re.S)[0]
    rows = [line.split(" | ") for line in block.splitlines() if line.startswith("| rmat22")]
    seconds = data["measurements"]["rmat22"]["suitor(variant=fast)@device"]["seconds"]
    assert rows[0][5] == f"{seconds * 1e3:.3g} ms"


def test_the_peers_of_a_table_are_those_of_its_report(tables):
    found = tables.peers()
    assert found["matching-h100/matching.json"] == "peers-h100.json"
    for data, peers in found.items():
        assert (tables.RESULTS / data).is_file()
        assert (tables.RESULTS / peers).is_file()


@pytest.mark.parametrize("name", [name for name, family in families().items() if family.bench])
def test_every_experiment_is_named(name):
    text = (ROOT / "benchmarks/README.md").read_text()
    suite = get_family(name).load(get_family(name).bench)
    items = [item for item in text.split("\n- ") if item.startswith("Experiments of the ")]
    here = [item for item in items if f"`warplens bench {name}`" in item]
    named = set(re.findall(r"`(\w+)`", here[0]))
    assert not {one.name for one in suite.experiments} - named
