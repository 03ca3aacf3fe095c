"""Places where NumPy-style docstrings and Sphinx disagree."""

from __future__ import annotations

import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

_SEVERAL = re.compile(r"(\w+(?:, \w+)+) : (.*)")


def split_attributes(lines: list[str]) -> list[str]:
    """Give attributes that share a description (``a, b : int``) an entry each.

    Sphinx does so in the section of parameters only.
    """
    split: list[str] = []
    inside, number = False, 0
    while number < len(lines):
        line = lines[number]
        if number + 1 < len(lines) and set(lines[number + 1]) == {"-"}:
            inside = line == "Attributes"
        match = _SEVERAL.fullmatch(line) if inside else None
        number += 1
        if match is None:
            split.append(line)
            continue
        end = number
        while end < len(lines) and lines[end].startswith(" "):
            end += 1
        for name in match[1].split(", "):
            split += [f"{name} : {match[2]}", *lines[number:end]]
        number = end
    return split


def _process(app: Sphinx, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    lines[:] = split_attributes(lines)


def _unlink(app: Sphinx, doctree: nodes.document) -> None:
    """Take links off plain words of types, such as "shape", and off sizes, such as "R" and "2"."""
    for node in list(doctree.findall(addnodes.pending_xref)):
        word = node["reftarget"]
        if node.get("refspecific") and "." not in word and (word.islower() or len(word) == 1):
            node.replace_self(node.children)


def _rename(app: Sphinx, doctree: nodes.document) -> None:
    """Call attributes what their section in the source is called."""
    for node in doctree.findall(nodes.field_name):
        if node.astext() == "Variables":
            node.children = [nodes.Text("Attributes")]


def setup(app: Sphinx) -> dict[str, Any]:
    """Work before napoleon, whose priority is 500, and before references are resolved."""
    app.connect("autodoc-process-docstring", _process, priority=400)
    app.connect("doctree-read", _unlink)
    app.connect("doctree-read", _rename)
    return {"parallel_read_safe": True}
