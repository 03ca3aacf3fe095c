"""The editor's library, CodeMirror 6, as one script.

Each package is a CommonJS module; the script holds them all, runs those that are required, and
leaves what the editor uses in ``globalThis.CodeMirror``. No bundler and no Node.js is needed.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

from .npm import Package

#: What the editor uses, by its name there.
_USED = {
    "state": "@codemirror/state",
    "view": "@codemirror/view",
    "language": "@codemirror/language",
    "commands": "@codemirror/commands",
    "lint": "@codemirror/lint",
    "cpp": "@codemirror/lang-cpp",
    "tags": "@lezer/highlight",
}


def packages() -> Iterator[tuple[Package, str]]:
    """Yield the packages, each with its CommonJS module."""
    table = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    for row in table["package"]:
        member = row.pop("file", "dist/index.cjs")
        yield Package(**row), member


def codemirror_script() -> str:
    """Return the script; its packages are fetched once.

    Raises
    ------
    MissingDependency
        They are not in the cache and cannot be fetched.
    """
    parts = ["(() => {\nconst modules = {};\nconst require = (name) => modules[name];\n"]
    for package, member in packages():
        parts.append(
            f"/* {package.name} {package.version}\n{package.read('LICENSE')}*/\n"
            "{\nconst module = { exports: {} };\n((module, exports) => {\n"
            f"{package.read(member)}\n}})(module, module.exports);\n"
            f"modules[{json.dumps(package.name)}] = module.exports;\n}}\n"
        )
    used = ", ".join(f"{key}: require({json.dumps(name)})" for key, name in _USED.items())
    return "".join([*parts, f"globalThis.CodeMirror = {{ {used} }};\n}})();\n"])
