"""Arrows point down: labs, app, gpucore; in it the families, then the engine, and no circle.

Every import counts, also one inside a function; only what type checkers alone import does not, for
it never runs.
"""

import ast
from functools import cache
from importlib import import_module
from pathlib import Path

import networkx as nx
import pytest

import gpucore
from gpucore.family import families
from warplens.app.pages import find_pages

ROOT = Path(__file__).parents[1]
#: From top to bottom: a module imports its own line and the lines below it. No module is left out.
LAYERS = (
    ("gpucore.cli",),
    ("gpucore.families",),
    ("gpucore.bench",),
    ("gpucore.networkx_backend",),
    ("gpucore.compare", "gpucore.drop_in", "gpucore.warm"),
    ("gpucore.watching.programs",),
    ("gpucore.run", "gpucore.watching", "gpucore"),
    ("gpucore.watching.launches",),
    ("gpucore.watching.reports",),
    ("gpucore.watching.memory",),
    ("gpucore.watching.compiling",),
    ("gpucore.watching.source",),
    ("gpucore.watching.toolchain",),
    ("gpucore.ranks", "gpucore.solutions"),
    (
        "gpucore.problems",
        "gpucore.io",
        "gpucore.loading",
        "gpucore.members",
        "gpucore.notes",
    ),
    ("gpucore.runner",),
    ("gpucore.certify", "gpucore.cpu"),
    ("gpucore.record",),
    ("gpucore.device", "gpucore.native"),
    (
        "gpucore.compiles",
        "gpucore.datasets",
        "gpucore.family",
        "gpucore.problem",
        "gpucore.result",
        "gpucore.specification",
    ),
    ("gpucore.declarations", "gpucore.limits", "gpucore.params", "gpucore.seeds"),
    (
        "gpucore.archives",
        "gpucore.arrays",
        "gpucore.counts",
        "gpucore.errors",
        "gpucore.former",
        "gpucore.installing",
        "gpucore.format",
        "gpucore.former",
        "gpucore.interrupts",
        "gpucore.last",
        "gpucore.memory",
        "gpucore.processor",
        "gpucore.progress",
        "gpucore.rows",
        "gpucore.saving",
    ),
)
#: The app from top to bottom, by the same rule; imports for type checkers count here, too.
APP_LAYERS = (
    ("app.site",),
    ("app.families",),
    ("app.dashboard", "app.papers"),
    ("app.published.command",),
    ("app.play",),
    ("app.published",),
    ("app.comparison",),
    ("app.page",),
    ("app.links",),
    ("app.stories",),
    ("app.charts", "app.code"),
    ("app.outcomes",),
    ("app.cards", "app.fields"),
    ("app.widgets",),
    ("app.gallery", "app.pages"),
    ("app.view", "app.picture"),
    ("app.measures",),
    # What a view is made of.
    ("app.charts.spec", "app.code.book", "app.jobs", "app.sources"),
    (
        "app",
        "app.browser_files",
        "app.classroom",
        "app.clock",
        "app.devices",
        "app.errors",
        "app.glossary",
        "app.installed",
        "app.layout",
        "app.limits",
        "app.theme",
    ),
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


def layer(name, layers):
    """Return the line on which a module stands, counted from the top; None if on none.

    The longest name counts; "gpucore" and "app" stand for their ``__init__`` only.
    """
    lines = {prefix: depth for depth, prefixes in enumerate(layers) for prefix in prefixes}
    found = name
    while found not in lines and "." in found:
        found = found.rpartition(".")[0]
    return lines.get(found) if found == name or "." in found else None


def family_of(name):
    """Return the family in whose folder a module lies, or nothing."""
    for folder in ("gpucore.families.", "app.families.", "labs."):
        if name.startswith(folder):
            family = name.removeprefix(folder).partition(".")[0]
            return family if family in families() else ""
    return ""


GPUCORE = [name for name in modules() if name.partition(".")[0] == "gpucore"]
APP = [name for name in modules() if name.partition(".")[0] == "app"]


@pytest.mark.parametrize(("names", "layers"), [(GPUCORE, LAYERS), (APP, APP_LAYERS)])
def test_every_module_has_a_layer(names, layers):
    assert [name for name in names if layer(name, layers) is None] == []


def wrong_imports(names, is_wrong, types=False):
    """Return the pairs of a module and what it imports for which a rule does not hold."""
    return [(name, o) for name in names for o in sorted(imports(name, types)) if is_wrong(name, o)]


def upward(layers):
    """Return a rule: an import is wrong that leads to a higher line."""

    def is_wrong(name, other):
        line = layer(other, layers) if other in modules() else None
        return line is not None and line < layer(name, layers)

    return is_wrong


def test_gpucore_imports_downwards():
    assert wrong_imports(GPUCORE, upward(LAYERS)) == []
    assert wrong_imports(GPUCORE, lambda _, other: other.partition(".")[0] in FOREIGN) == []


def test_app_imports_downwards():
    assert wrong_imports(APP, upward(APP_LAYERS), types=True) == []
    assert wrong_imports(APP, lambda _, other: other.partition(".")[0] == "labs", types=True) == []


def test_no_family_imports_another_and_shared_code_none():
    known = {name: family_of(name) for name in modules()}
    allowed = {name: {name, *family.builds_on} for name, family in families().items()}

    def is_wrong(name, other):
        theirs = known.get(other) or family_of(other)
        return bool(theirs) and theirs not in allowed.get(known[name], ())

    assert wrong_imports(modules(), is_wrong) == []


def test_gpucore_has_what_families_export():
    declared = {
        name: (f"gpucore.families.{family.name}.{module}", getattr(gpucore, name), attribute)
        for family in families().values()
        for name, reference in family.exports.items()
        for module, _, attribute in [reference.partition(":")]
    }
    assert set(declared) <= set(gpucore.__all__)
    for module, value, attribute in declared.values():
        assert value is getattr(import_module(module), attribute)
    tree = ast.parse(modules()["gpucore.families.exports"].read_text(encoding="utf-8"))
    for_types = {
        (alias.asname, node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert for_types == {(name, module, own) for name, (module, _, own) in declared.items()}
    assert not any(map(family_of, imports("gpucore", types=True)))


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
