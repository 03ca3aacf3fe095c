"""Join small JavaScript modules into the one script of a widget.

Each module becomes a function with its own scope that returns its exports; imports become
constants. A module imports names of others or whole modules, and exports declarations:

- ``"./stage.js"``, ``"../lib/words.js"``: by relative path.
- ``"warplens/NAME.js"``: a module of ``widgets/lib``, from any folder.
- ``"warplens/families.js"``: ``familyOf(name)`` returns the module of a family. It has the
  families that the bundle is made for.
- ``"./events.js"`` in a family's folder: ``KIND``, the codes of its events by name.

The last two are not files: they are generated here. No Node.js is needed to install or to serve.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from gpucore.record.replay import record_kind

from ..pages import folder_of, shown_families
from ..picture import check_exports

#: Modules that every widget and every family can import.
LIB = Path(__file__).parent / "lib"

_APP = Path(__file__).parents[1]
_IMPORT = re.compile(r'^import (?:\{([^}]*)\}|\* as (\w+)) from "([^"\n]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_COMMENT = re.compile(r"\A(?://.*\n)+\n?")
_KIND = re.compile(r"\bKIND\.(\w+)")

_FAMILIES = "warplens/families.js"
_EVENTS = "./events.js"

_FAMILY_OF = """export function familyOf(name) {
  const found = FAMILIES[name];
  if (!found) throw new Error(`there is no picture for the family "${name}"; reload the page`);
  return found;
}
"""


@cache
def bundle(entry: Path, families: tuple[str, ...] = ()) -> str:
    """Return a module and all its imports as the statements of one script.

    Parameters
    ----------
    entry : Path
        The module's file.
    families : tuple of str
        Families whose modules are part of the bundle, if it imports ``warplens/families.js``.

    Returns
    -------
    str
        A script after which ``entry`` holds the module's exports.

    Raises
    ------
    ValueError
        Modules import each other in a circle, use unsupported syntax, or name an event that their
        family does not have; or a family's module does not export what :mod:`app.picture` says.
    """
    made = _Bundle(families)
    key = made.add(entry.resolve(), above=())
    return f"const modules = {{}};\n{''.join(made.parts)}const entry = {_place(key)};\n"


def esm(entry: Path, families: Iterable[str] = ()) -> str:
    """Return the bundle as a module for anywidget: its default export holds ``render``."""
    return f"{bundle(entry, tuple(families))}export default {{ render: entry.render }};\n"


def style(sheets: Sequence[Path], families: Iterable[str] = ()) -> str:
    """Return style sheets as one; the families' own follow the first."""
    own = (player_module(family).with_suffix(".css") for family in families)
    first, *others = sheets
    paths = (first, *(path for path in own if path.is_file()), *others)
    return "".join(path.read_text(encoding="utf-8") for path in paths)


def player_module(family: str) -> Path:
    """Return the JavaScript module that draws the states and events of a family."""
    return folder_of(family) / shown_families()[family].player


class _Bundle:
    """Modules in the order of their imports."""

    def __init__(self, families: tuple[str, ...]) -> None:
        self.families = families
        self.parts: list[str] = []
        self._exports: dict[str, list[str]] = {}
        self._folders = {folder_of(name).resolve(): name for name in shown_families()}

    def add(self, path: Path, above: tuple[str, ...]) -> str:
        """Append a module after its imports; return its key."""
        key = self._key(path)
        if key in above:
            raise ValueError(f"modules import each other: {' -> '.join((*above, key))}")
        if key in self._exports:
            return key
        text = path.read_text(encoding="utf-8")
        kinds: dict[str, int] = {}

        def constant(found: re.Match[str]) -> str:
            names, whole, module = found.groups()
            if module == _EVENTS:
                kinds.update(self._kinds(path))
                other = self._add_events(path, kinds)
            elif module == _FAMILIES:
                other = self._add_families((*above, key))
            else:
                other = self.add(_find(module, path), (*above, key))
            taken = whole or f"{{ {' '.join(names.split()).rstrip(',')} }}"
            return f"const {taken} = {_place(other)};\n"

        text = _IMPORT.sub(constant, _COMMENT.sub("", text))
        unknown = set(_KIND.findall(text)) - set(kinds)
        if kinds and unknown:
            raise ValueError(
                f"{key}: the family has no event {sorted(unknown)[0]}; it has {', '.join(kinds)}"
            )
        self._append(key, text)
        return key

    def _append(self, key: str, text: str) -> None:
        exports = _EXPORT.findall(text)
        text = _EXPORT.sub("", text)
        unknown = re.search(r"^(?:import|export)\b.*", text, re.MULTILINE)
        if unknown:
            raise ValueError(f"{key}: cannot bundle {unknown[0]!r}")
        self._exports[key] = exports
        self.parts.append(
            f"{_place(key)} = (() => {{\n{text}return {{ {', '.join(exports)} }};\n}})();\n"
        )

    def _key(self, path: Path) -> str:
        """Return the unique key of a module."""
        for folder, family in self._folders.items():
            if path.is_relative_to(folder):
                return f"families/{family}/{path.relative_to(folder).as_posix()}"
        return (path.relative_to(_APP) if path.is_relative_to(_APP) else path).as_posix()

    def _kinds(self, path: Path) -> dict[str, int]:
        """Return the events of the family in whose folder a module is."""
        family = self._folders.get(path.parent)
        if family is None:
            raise ValueError(f"{path}: only modules in a family's folder can import {_EVENTS}")
        return {event.code.name: int(event.code) for event in record_kind(family).events}

    def _add_events(self, path: Path, kinds: dict[str, int]) -> str:
        key = self._key(path.parent / _EVENTS)
        if key not in self._exports:
            self._append(key, f"export const KIND = Object.freeze({json.dumps(kinds)});\n")
        return key

    def _add_families(self, above: tuple[str, ...]) -> str:
        if _FAMILIES not in self._exports:
            keys = {name: self.add(player_module(name).resolve(), above) for name in self.families}
            for key in keys.values():
                check_exports(key, self._exports[key])
            table = ", ".join(f"{json.dumps(name)}: {_place(key)}" for name, key in keys.items())
            self._append(_FAMILIES, f"const FAMILIES = {{ {table} }};\n{_FAMILY_OF}")
        return _FAMILIES


def _place(key: str) -> str:
    """Return the expression for a module."""
    return f"modules[{json.dumps(key)}]"


def _find(module: str, path: Path) -> Path:
    """Return the file that a module at `path` imports."""
    library, _, name = module.partition("/")
    if library == "warplens":
        return (LIB / name).resolve()
    if library not in (".", ".."):
        raise ValueError(f"{path.name}: cannot bundle an import of {module!r}")
    return (path.parent / module).resolve()
