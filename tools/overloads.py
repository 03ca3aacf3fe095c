"""Write gpucore/overloads.pyi: the types of ``gpucore.run``, with the result that each name gives.

    python tools/overloads.py           # write the file
    python tools/overloads.py --check   # change nothing; 1 if something would change

All types stand in annotations: results and problems in those of the runners' functions, other
parameters in those of ``gpucore.run``.
"""

from __future__ import annotations

import ast
import inspect
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any

from gpucore.family import algorithms, methods
from gpucore.run import run

TARGET = Path(__file__).resolve().parents[1] / "gpucore" / "overloads.pyi"
HEAD = '"""Types of gpucore.run for type checkers; written by tools/overloads.py."""\n'


def runners() -> Iterator[tuple[str, Callable[..., Any], inspect.Signature]]:
    """Yield the name, the function and its signature of all that ``gpucore.run`` can run."""
    for name, runner in {**algorithms(), **methods()}.items():
        function, signature = runner.run, inspect.signature(runner.run)
        while isinstance(function, partial):
            function = function.func
        yield name, function, signature


@cache
def origins(module: str) -> dict[str, str]:
    """Return the module of each class that a module imports or defines, also for types only."""
    found = {}
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[module]))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {one.name: node.module for one in node.names}
        elif isinstance(node, ast.ClassDef):
            found[node.name] = module
    return found


class Imports:
    """Imports that the annotations of functions need."""

    def __init__(self, **names: set[str]) -> None:
        self.names = names

    def add(self, function: Callable[..., Any], annotation: str) -> str:
        """Return an annotation of a function, and note where its names come from."""
        known = origins(function.__module__)
        for node in ast.walk(ast.parse(annotation, mode="eval")):
            if isinstance(node, ast.Name) and node.id in known:
                self.names.setdefault(known[node.id], set()).add(node.id)
        return annotation

    def lines(self) -> list[str]:
        """Return the statements, in ruff's order: the standard library's, then ours."""
        own: list[str] = []
        others: list[str] = []
        for module, names in sorted(self.names.items()):
            line = f"from {module} import {', '.join(sorted(names))}"
            (own if module.startswith("gpucore.") else others).append(line)
        return [*others, "", *own]


def unformatted() -> str:
    """Return the file's text in long lines."""
    imports = Imports(typing={"Literal", "overload"})
    names_of: dict[str, list[str]] = {}
    problems: set[str] = set()
    for name, function, signature in runners():
        result = imports.add(function, signature.return_annotation)
        names_of.setdefault(result, []).append(name)
        problem = next(iter(signature.parameters.values()))
        problems.update(imports.add(function, problem.annotation).split(" | "))
    signature = inspect.signature(run)
    for one in signature.parameters.values():
        imports.add(run, one.annotation)
    names_of[imports.add(run, signature.return_annotation)] = []  # for a name that is no literal
    (_, given, *_), (_, _, *others) = signature.parameters, signature.parameters.values()
    problems.update(signature.parameters[given].annotation.split(" | "))
    rest = ", ".join(text_of(one) for one in others)
    lines = [HEAD, *imports.lines()]
    for result, names in names_of.items():
        kind = f"Literal[{', '.join(map(repr, names))}]" if names else "str"
        head = f"name: {kind}, {given}: {' | '.join(sorted(problems))}, *, {rest}"
        lines.append(f"@overload\ndef run({head}) -> {result}: ...")
    return "\n".join(lines)


def text_of(parameter: inspect.Parameter) -> str:
    """Return a parameter of a function as a stub has it."""
    stars = "**" if parameter.kind is parameter.VAR_KEYWORD else ""
    default = "" if parameter.default is parameter.empty else " = ..."
    return f"{stars}{parameter.name}: {parameter.annotation}{default}"


def written() -> str:
    """Return the file's text."""
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(TARGET), "-"]
    ran = subprocess.run(command, input=unformatted(), capture_output=True, text=True, check=True)
    return ran.stdout


def main(arguments: list[str]) -> int:
    """Write or check the file; return the exit code."""
    text = written()
    if TARGET.exists() and TARGET.read_text() == text:
        return 0
    if "--check" in arguments:
        print(f"{TARGET.name} differs from the declarations; run {Path(__file__).name}")
        return 1
    TARGET.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
