"""References of docstrings to objects that have no place in the pages.

Most docstrings are written for readers of the source, and refer to internal modules. Such a
reference leads to the page of its object, if it has one under another name; else it stays as text,
if there is such an object. All others are dead, and Sphinx reports them.
"""

from __future__ import annotations

import pkgutil
import sys
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.util.nodes import make_refnode


@cache
def found(target: str) -> Any:
    """Return the object with a full name, or None."""
    module, _, rest = target, "", ""
    while module:
        try:
            one: Any = import_module(module)
        except ImportError:
            module, _, last = module.rpartition(".")
            rest = f"{last}.{rest}" if rest else last
            continue
        for name in filter(None, rest.split(".")):
            one = getattr(one, name, None)
        return one
    return None


@cache
def named(name: str) -> Any:
    """Return the object that modules of the engine call by a short name, or None."""
    package = import_module("gpucore")
    for one in pkgutil.iter_modules(package.__path__, "gpucore."):
        import_module(one.name)
    modules = [m for key, m in sorted(sys.modules.items()) if key.startswith("gpucore.")]
    return next((vars(m)[name] for m in modules if name in vars(m)), None)


def fits(one: Any, role: str) -> bool:
    """Return whether an object is what a role calls it."""
    kinds = {"mod": ModuleType, "class": type, "exc": type}
    if role in ("func", "meth"):
        return callable(one)
    return isinstance(one, kinds[role]) if role in kinds else one is not None


def _resolve(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, content: nodes.TextElement
) -> nodes.Node | None:
    if node.get("refdomain") != "py":
        return None
    target, role = node["reftarget"], node["reftype"]
    one = found(target) if "." in target else named(target)
    if not fits(one, role):
        return None
    for name, place in env.domains["py"].objects.items():  # type: ignore[attr-defined]
        if name.rpartition(".")[2] == target.rpartition(".")[2] and found(name) is one:
            where = node.get("refdoc", "")
            return make_refnode(app.builder, where, place.docname, place.node_id, [content], name)
    return content


def setup(app: Sphinx) -> dict[str, Any]:
    """Answer after Sphinx has found nothing."""
    app.connect("missing-reference", _resolve)
    return {"parallel_read_safe": True}
