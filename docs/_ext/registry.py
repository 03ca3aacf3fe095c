"""Tables and lists that are made from the registry and from the measurements, never by hand."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from gpucore.bench.papers.declare import papers
from gpucore.family import families, get_family
from gpucore.networkx_backend import get_info
from gpucore.watching.source.outside import OUTSIDE, OUTSIDE_PROGRAMS

ROOT = Path(__file__).resolve().parents[2]


class Algorithms(SphinxDirective):
    """Tables of algorithms, methods and peers: of the family in the argument, or of all."""

    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the parsed tables."""
        if self.arguments:
            return self.parse_text_to_nodes("\n".join(table(self.arguments[0])))
        lines: list[str] = []
        for name, family in families().items():
            better = "larger" if family.objective[1] == "max" else "smaller"
            lines += [
                f"**{family.title}** (family `{name}`, on problems of the kind `{family.problem}`; "
                f"{better} `{family.objective[0]}` is better)",
                "",
                *table(name),
                "",
            ]
        return self.parse_text_to_nodes("\n".join(lines))


def table(family: str) -> list[str]:
    """Return the lines of a family's table, and the variants of its algorithms."""
    declared = get_family(family)
    rows = []
    for one in declared.load_runners().values():
        runs_as = {"device": "kernels", "library": "peer", "cpu": "one thread"}[one.where]
        if one.where == "cpu" and one.parallel:
            runs_as = "threads"
        rows.append((one.name, runs_as, one.title, one.source))
    lines = [_row(("name", "runs as", "what", "source")), _row(["---"] * 4)]
    lines += [_row((f"`{row[0]}`", *row[1:])) for row in rows]
    for one in declared.load_algorithms().values():
        lines += ["", f"Variants of `{one.name}`, the default first:", ""]
        lines += [f"- `{v.name}`: {v.about}" for v in one.variants]
    return lines


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


class Papers(SphinxDirective):
    """List of the papers whose figures are repeated, with the command that does so."""

    def run(self) -> list[nodes.Node]:
        """Return the parsed table."""
        rows = [
            _row((one.title, one.source, f"{families()[one.family].title}",
                  f"`warplens figures {one.name}`"))
            for one in papers().values()
        ]  # fmt: skip
        head = [_row(("paper", "source", "family", "its figures")), _row(["---"] * 4)]
        return self.parse_text_to_nodes("\n".join([*head, *rows]))


class NetworkX(SphinxDirective):
    """List of the functions of NetworkX that the backend answers."""

    def run(self) -> list[nodes.Node]:
        """Return the parsed list."""
        functions = get_info()["functions"].items()
        said = {name: facts.get("additional_docs") or "As NetworkX." for name, facts in functions}
        return self.parse_text_to_nodes("\n".join(f"- `{n}`: {text}" for n, text in said.items()))


class Measured(SphinxDirective):
    """What a file of benchmarks/results says, as its sentences in benchmarks/README.md.

    That page is written by ``tools/tables.py`` from the files, and a test compares the two.
    """

    required_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Return the parsed list."""
        source = ROOT / "benchmarks" / "README.md"
        self.env.note_dependency(str(source))
        found = sentences(source.read_text(), self.arguments[0])
        if not found:
            raise self.error(f"benchmarks/README.md has no summary of {self.arguments[0]!r}")
        return self.parse_text_to_nodes("\n".join(found))


class Outside(SphinxDirective):
    """What `gpucore.watch` does not run."""

    def run(self) -> list[nodes.Node]:
        """Return the parsed list."""
        lines = [f"- {one.what}: {one.instead}" for one in OUTSIDE]
        lines += ["", "In host code of programs:", ""]
        lines += [f"- {one.what}: {one.instead}" for one in OUTSIDE_PROGRAMS]
        return self.parse_text_to_nodes("\n".join(lines))


def sentences(text: str, name: str) -> list[str]:
    """Return the sentences that summarise a file of results, and the remarks on its limits."""
    pattern = rf"<!-- summary {re.escape(name)}.*?-->(.*?)<!-- end -->(.*?)\n##"
    match = re.search(pattern, text, re.DOTALL)
    if not match:
        return []
    said = [line for line in match[1].splitlines() if line.startswith("- ")]
    return [*said, "", *match[2].splitlines()]


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the directives."""
    app.add_directive("algorithms", Algorithms)
    app.add_directive("papers", Papers)
    app.add_directive("networkx", NetworkX)
    app.add_directive("measured", Measured)
    app.add_directive("outside", Outside)
    return {"parallel_read_safe": True}
