"""Parts of papers: every variant, parameter, rule and comparator, with where it lives here."""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from gpucore.errors import ParameterError
from gpucore.family import algorithms, get_runner, methods

if TYPE_CHECKING:
    from gpucore.bench.papers.declare import Paper
    from gpucore.runner import Runner

Kind = Literal["variant", "parameter", "rule", "comparator"]
#: The folder that paths of the table are relative to.
ROOT = Path(__file__).resolve().parents[3]


@dataclass(frozen=True)
class Part:
    """A part of a paper.

    Attributes
    ----------
    kind : {"variant", "parameter", "rule", "comparator"}
        What it is.
    what, place : str
        Its name in the paper, and where the paper has it.
    here : tuple of str
        References: an algorithm or a method by its name, ``"ALGORITHM.variant=VARIANT"``,
        ``"ALGORITHM.PARAMETER"``, ``"MODULE:NAME"`` for what is no choice of a run, or the path of
        a kernel's source. Without any, the project does not have it.
    note : str
        How ours differs, or why it is missing.
    """

    kind: Kind
    what: str
    place: str
    here: tuple[str, ...] = ()
    note: str = ""


def resolve(reference: str) -> tuple[Runner, str, str]:
    """Return what a reference names: runner, parameter, value.

    Raises
    ------
    ParameterError
        There is no such algorithm, method, parameter or variant.
    """
    place, _, value = reference.partition("=")
    name, _, parameter = place.partition(".")
    found = get_runner(name)
    if parameter:
        known = _parameters(found)
        if parameter not in known:
            raise ParameterError(f"{reference}: {name} has no parameter {parameter!r}")
        if parameter == "variant":
            found.variant(value)
    return found, parameter, value


def _parameters(found: Runner) -> list[str]:
    """Return the names of a runner's parameters."""
    return [field.name for field in dataclasses.fields(found.params)]


def file_of(found: Runner) -> str:
    """Return the file of a runner, relative to the project's folder."""
    run = found.run.func if isinstance(found.run, partial) else found.run
    return _module_file(run.__module__)


def _module_file(name: str) -> str:
    return Path(str(sys.modules[name].__file__)).resolve().relative_to(ROOT).as_posix()


def place_of(reference: str) -> str:
    """Return the file of a reference, relative to the project's folder.

    Raises
    ------
    ParameterError
        There is nothing of this name.
    """
    if "/" in reference:
        if not (ROOT / reference).is_file():
            raise ParameterError(f"there is no file {reference}")
        return reference
    if ":" in reference:
        module, _, name = reference.partition(":")
        if find_spec(module) is None or not hasattr(import_module(module), name):
            raise ParameterError(f"there is no {name!r} in {module}")
        return _module_file(module)
    return file_of(resolve(reference)[0])


def page(papers: Mapping[str, Paper]) -> str:
    """Return the table of all papers as Markdown."""
    made = [
        "# What the papers have, and where it is here",
        "This page is written by `python tools/papers.py` from the declarations of the families; a "
        "test compares it with the registry. `warplens figures` measures the figures, the page "
        "“Papers” of the web app shows them. `python tools/papers.py --verdicts` computes every "
        "verdict of that page from the committed results, and names the session that it is from.",
    ]
    return "\n\n".join([*made, *(_section(paper) for paper in papers.values())]) + "\n"


def _section(paper: Paper) -> str:
    rows = [[part.kind, part.what, part.place, *_here(part)] for part in paper.parts]
    figures = f"{paper.family}: `warplens figures {paper.name}`"
    rows += [["figure", f.title, f.number, figures, ""] for f in paper.figures]
    rows += [["figure", why, n, "left out", ""] for n, why in paper.not_shown.items()]
    beyond = [f"`{reference}`" for reference, _ in not_in_papers(paper)]
    head = ("what", "in the paper", "place", "here", "file")
    more = f"\n\nOurs, beyond the paper: {', '.join(beyond)}." if beyond else ""
    table = "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---"] * 5, *rows))
    return f"## {paper.title}\n\n{paper.source}.\n\n{table}{more}"


def _here(part: Part) -> tuple[str, str]:
    """Return the cells of a part: what it is called here, and its file."""
    if not part.here:
        return f"not here: {part.note}", ""
    files = dict.fromkeys(map(place_of, part.here))
    named = [reference.rpartition(":")[2] for reference in part.here if "/" not in reference]
    words = ", ".join(f"`{name}`" for name in named) or "in every run"
    note = f" ({part.note})" if part.note else ""
    return words + note, ", ".join(f"`{file}`" for file in files)


def not_in_papers(paper: Paper) -> Iterator[tuple[str, str]]:
    """Yield what the paper's family has beyond the paper: a reference, and its file."""
    named = {reference for part in paper.parts for reference in part.here}
    own = {name: a for name, a in algorithms().items() if a.family == paper.family}
    for name, algorithm in own.items():
        file = file_of(algorithm)
        for variant in algorithm.variant_names:
            if f"{name}.variant={variant}" not in named and name not in named:
                yield f"{name}.variant={variant}", file
        for parameter in _parameters(algorithm):
            if parameter != "variant" and f"{name}.{parameter}" not in named:
                yield f"{name}.{parameter}", file
        if algorithm.ranks and f"{name}.ranks" not in named:
            yield f"{name}.ranks", file
    for name, method in methods().items():
        if method.family == paper.family and name not in named:
            yield name, file_of(method)
