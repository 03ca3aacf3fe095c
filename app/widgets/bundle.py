"""Join the widgets' small JavaScript modules into the one text that a widget needs.

Every module becomes a function of its own scope that returns what it exports; imports become
constants taken from there.  That is all the modules in ``js/`` use: imports of siblings, by names
or whole, and named exports of declarations.  Nobody needs Node.js to install or to serve.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).parent / "js"

_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"\A(?://.*\n)+\n?")


@cache
def bundle(entry: str, sources: Path = SOURCES) -> str:
    """Return a module and all that it imports as the statements of one script.

    Parameters
    ----------
    entry : str
        Name of the module, without ``.js``.
    sources : path
        Where the modules lie.

    Returns
    -------
    str
        A script after which ``modules.<entry>`` holds the entry's exports.

    Raises
    ------
    ValueError
        Modules import each other in a circle, or use a form that is not understood here.
    """
    parts = ["const modules = {};\n"]
    _append(entry, sources, parts, done=set(), above=())
    return "".join(parts)


def esm(entry: str) -> str:
    """Return the bundle as a module for anywidget: its default export holds ``render``."""
    return f"{bundle(entry)}export default {{ render: modules.{entry}.render }};\n"


def _append(
    name: str, sources: Path, parts: list[str], done: set[str], above: tuple[str, ...]
) -> None:
    """Append a module behind those that it imports."""
    if name in above:
        raise ValueError(f"modules import each other: {' -> '.join((*above, name))}")
    if name in done:
        return
    done.add(name)
    text = (sources / f"{name}.js").read_text(encoding="utf-8")
    for *_, other in _IMPORT.findall(text):
        _append(other, sources, parts, done, (*above, name))
    text = _COMMENT.sub("", text)
    text = _IMPORT.sub(_constant, text)
    exports = _EXPORT.findall(text)
    text = _EXPORT.sub("", text)
    unknown = re.search(r"^(?:import|export)\b.*", text, re.MULTILINE)
    if unknown:
        raise ValueError(f"{name}.js: cannot bundle {unknown[0]!r}")
    parts.append(f"modules.{name} = (() => {{\n{text}return {{ {', '.join(exports)} }};\n}})();\n")


def _constant(found: re.Match[str]) -> str:
    """Return what stands for an import."""
    names, whole, module = found.groups()
    taken = whole or f"{{ {' '.join(names.split()).rstrip(',')} }}"
    return f"const {taken} = modules.{module};\n"
