"""Arrows point down: labs, app, gpucore; in it the families, then the engine, and no circle.

Every import counts, also one inside a function; only what type checkers alone import does not, for
it never runs.
"""

import ast
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

from gpucore.family import families
from warplens.app.pages import find_pages

ROOT = Path(__file__).parents[1]
#: From top to bottom: a module imports its own line and the lines below it. No module is left out.
LAYERS = (
    ("gpucore.cli",),
    ("gpucore.families",),
    ("gpucore.bench",),
    ("gpucore.networkx_backend",),
    ("gpucore.compare", "gpucore.solving", "gpucore.warm"),
    ("gpucore.run", "gpucore.watching", "gpucore"),
    ("gpucore.ranks",),
    ("gpucore.problems", "gpucore.io", "gpucore.problem"),
    ("gpucore.runner",),
    ("gpucore.record",),
    ("gpucore.certify", "gpucore.cpu"),
    ("gpucore.device", "gpucore.native"),
    (
        "gpucore.compiles",
        "gpucore.datasets",
        "gpucore.family",
        "gpucore.result",
        "gpucore.specification",
    ),
    ("gpucore.declarations", "gpucore.limits", "gpucore.params", "gpucore.seeds"),
    (
        "gpucore.archives",
        "gpucore.arrays",
        "gpucore.errors",
        "gpucore.format",
        "gpucore.interrupts",
        "gpucore.memory",
        "gpucore.processor",
        "gpucore.progress",
        "gpucore.saving",
    ),
)
#: The app's own order; what stands in no line is below all of them.
APP_LAYERS = (
    ("app.site", "app.page.opening"),
    ("app.families",),
    ("app.comparison.page", "app.page.dashboard"),
)
#: What gpucore never imports.
FOREIGN = {"app", "labs", "warplens", "voila", "bokeh", "ipywidgets", "anywidget", "tornado"}
#: A family's name in shared code: only where examples in documentation name one.
OWN = ("gpucore.families.", "app.families.")


@cache
def modules():
    """Return the path of every module by its name in the checkout."""
    found = {}
    for top in ("gpucore", "app", "labs"):
        for path in sorted((ROOT / top).rglob("*.py")):
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
            found[name.removesuffix(".__init__")] = path
    return found


def base_of(name, node):
    """Return the absolute module that an import statement names."""
    if not node.level:
        return (node.module or "").removeprefix("warplens.")
    package = name.split(".")
    if modules()[name].name != "__init__.py":
        package = package[:-1]
    package = package[: len(package) - node.level + 1]
    return ".".join([*package, *([node.module] if node.module else [])])


@cache
def imports(name, types=False):
    """Return all modules, and names of other packages, that a module imports when it runs.

    With `types`, what it imports for type checkers only counts too.
    """
    tree = ast.parse(modules()[name].read_text(encoding="utf-8"))
    guards = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    ]
    guards = [] if types else guards
    hidden = {id(node) for guard in guards for part in guard.body for node in ast.walk(part)}
    found = set()
    for node in ast.walk(tree):
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = base_of(name, node)
            both = {f"{base}.{alias.name}" for alias in node.names}
            inner = both & modules().keys()
            found |= inner
            if len(inner) < len(both):
                found.add(base)
    return found - {name}


def within(name, prefix):
    return name == prefix or (prefix != "gpucore" and name.startswith(f"{prefix}."))


def layer(name, layers):
    """Return the line on which a module stands, counted from the top; None if on none."""
    for depth, prefixes in enumerate(layers):
        if any(within(name, prefix) for prefix in prefixes):
            return depth
    return None


def family_of(name):
    """Return the family in whose folder a module lies, or nothing."""
    for folder in ("gpucore.families.", "app.families.", "labs."):
        if name.startswith(folder):
            family = name.removeprefix(folder).partition(".")[0]
            return family if family in families() else ""
    return ""


GPUCORE = [name for name in modules() if name.partition(".")[0] == "gpucore"]
APP = [name for name in modules() if name.partition(".")[0] == "app"]


def test_every_module_of_gpucore_has_a_layer():
    assert [name for name in GPUCORE if layer(name, LAYERS) is None] == []


def wrong_imports(names, is_wrong):
    """Return the pairs of a module and what it imports for which a rule does not hold."""
    return [(name, o) for name in names for o in sorted(imports(name)) if is_wrong(name, o)]


def test_gpucore_imports_downwards():
    def is_wrong(name, other):
        if other in modules() and layer(other, LAYERS) is not None:
            return layer(other, LAYERS) < layer(name, LAYERS)
        return other.partition(".")[0] in FOREIGN

    assert wrong_imports(GPUCORE, is_wrong) == []


def test_app_imports_downwards():
    lowest = len(APP_LAYERS)
    lines = {name: layer(name, APP_LAYERS) for name in modules()}
    lines = {name: lowest if line is None else line for name, line in lines.items()}

    def is_wrong(name, other):
        return other.partition(".")[0] == "labs" or lines.get(other, lowest) < lines[name]

    assert wrong_imports(APP, is_wrong) == []


def test_no_family_imports_another_and_shared_code_none():
    known = {name: family_of(name) for name in modules()}
    allowed = {name: {name, *family.builds_on} for name, family in families().items()}

    def is_wrong(name, other):
        theirs = known.get(other) or family_of(other)
        return bool(theirs) and theirs not in allowed.get(known[name], ())

    assert wrong_imports(modules(), is_wrong) == []


def test_families_build_on_no_family_that_builds_on_another():
    for family in families().values():
        for other in family.builds_on:
            assert not families()[other].builds_on, f"{family.name} builds on {other}"


def test_no_modules_import_each_other_in_a_circle():
    graph = nx.DiGraph(
        (name, other) for name in modules() for other in imports(name) & modules().keys()
    )
    assert [c for c in nx.strongly_connected_components(graph) if len(c) > 1] == []


def test_no_helper_knows_the_page_that_uses_it():
    """Pages are opened by their declarations; their parts do not even name their types."""
    pages = {page.opens.partition(":")[0] for page in find_pages().values()}
    pages = {
        name
        for name in APP
        if any(name.endswith(f".{page.removeprefix('app.')}") for page in pages)
    }
    assert len(pages) >= 3
    assert {name for name in APP if imports(name, types=True) & pages} == set()


@pytest.mark.parametrize("folder", sorted(ROOT.glob("gpucore/*/*/kernels")), ids=str)
def test_kernels_include_the_shim_shared_headers_and_their_own(folder):
    shared = {path.name for path in (ROOT / "gpucore" / "kernels").glob("*.cuh")}
    allowed = {path.name for path in folder.glob("*.cuh")} | shared | {"simt.h"}
    for path in folder.glob("*.cu*"):
        lines = [line.split() for line in path.read_text().splitlines()]
        included = {words[1].strip('"') for words in lines if words[:1] == ["#include"]}
        assert included <= allowed, path.name
