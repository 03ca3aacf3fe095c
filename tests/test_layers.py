"""Arrows point down: labs, app, then gpucore; in it commands, algorithms, devices, kernels."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# A module may import its own layer and the layers below it.
LAYERS = (
    ("gpucore.cli",),
    ("gpucore.bench", "gpucore.compare"),
    ("gpucore.algorithms", "gpucore.cpu"),
    ("gpucore.record", "gpucore.certify"),
    ("gpucore.device", "gpucore.native"),
    ("gpucore.simt", "gpucore.kernels"),
)
FOREIGN = {"app", "labs", "voila", "bokeh", "ipywidgets", "anywidget", "traitlets", "tornado"}


def modules():
    return sorted((ROOT / "gpucore").rglob("*.py"))


def imported(path, *, at_start):
    """Return the modules that a file imports; for type checkers only does not count."""
    tree = ast.parse(path.read_text())
    guarded = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"
    ]
    hidden = {id(child) for guard in guarded for child in ast.walk(guard)}
    nodes = tree.body if at_start else ast.walk(tree)
    for node in nodes:
        if id(node) in hidden:
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def layer(name):
    for depth, prefixes in enumerate(LAYERS):
        if any(name == prefix or name.startswith(prefix + ".") for prefix in prefixes):
            return depth
    return None


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_gpucore_imports_no_app_and_no_widget(path):
    roots = {name.partition(".")[0] for name in imported(path, at_start=False)}
    assert not roots & FOREIGN


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(ROOT)))
def test_modules_import_downwards(path):
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
    own = layer(name)
    if own is None:
        return
    upward = {
        other
        for other in imported(path, at_start=True)
        if (depth := layer(other)) is not None and depth < own
    }
    assert not upward


def test_kernels_include_only_the_shim_and_each_other():
    allowed = {path.name for path in (ROOT / "gpucore" / "kernels").glob("*.cuh")} | {"simt.h"}
    for path in (ROOT / "gpucore" / "kernels").glob("*.cu*"):
        lines = [line.split() for line in path.read_text().splitlines()]
        included = {words[1].strip('"') for words in lines if words[:1] == ["#include"]}
        assert included <= allowed, path.name
