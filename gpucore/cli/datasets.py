"""``warplens datasets``: the data sets that have names, and the generators."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpucore.cli.console import print_json, print_table, stdout
from gpucore.cli.options import JsonOption
from gpucore.errors import GraphError
from gpucore.format import meant
from gpucore.problem import kinds

if TYPE_CHECKING:
    from inspect import Signature

    from gpucore.datasets import DatasetInfo
    from gpucore.problem import ProblemKind


def datasets(
    name: Annotated[
        str | None, typer.Argument(help="One data set: its source, licence and known answers.")
    ] = None,
    json: JsonOption = False,
) -> None:
    """List the graphs, matrices, preferences and ratings by name, or show one; list generators."""
    from gpucore.datasets import catalogue

    known = catalogue()
    if name is not None and name not in known:
        _refuse_generator(name)
        raise GraphError(
            f"there is no data set {name!r}{meant(name, known)}; there are {', '.join(known)}"
        )
    chosen = list(known.values()) if name is None else [known[name]]
    if json:
        print_json(_as_object(chosen))
    elif name is None:
        _show_all(chosen)
    else:
        _show_one(chosen[0])


def _refuse_generator(name: str) -> None:
    for kind in kinds().values():
        if form := _generators(kind).get(name.partition(":")[0]):
            raise GraphError(f"{name!r} names a generator, not a data set; its form is {form}")


def _as_object(chosen: list[DatasetInfo]) -> dict[str, Any]:
    found = [{**dataclasses.asdict(info), "answers": dict(info.answers)} for info in chosen]
    lists = {kind.generators_key: _generators(kind) for kind in kinds().values()}
    return {"datasets": found, **lists}


def _generators(kind: ProblemKind) -> dict[str, str]:
    """Return the generators of a kind of problem with the form of their specifications."""
    import inspect

    return {
        name: f"{name}:{_parameters(inspect.signature(make))}"
        for name, make in kind.load_generators().items()
    }


def _parameters(signature: Signature) -> str:
    """Return the parameters with their defaults; dots stand for values that have none.

    Brackets are around parameters that may be left out.
    """
    return ",".join(
        f"[{name}=...]"
        if parameter.default is None  # it depends on other parameters
        else f"{name}={'...' if parameter.default is parameter.empty else parameter.default}"
        for name, parameter in signature.parameters.items()
        if name != "limits"
    )


def _show_all(chosen: list[DatasetInfo]) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table()
    for column in ("name", "what", "vertices", "edges", "weights", "licence"):
        table.add_column(column, justify="right" if column in ("vertices", "edges") else "left")
    for info in chosen:
        size = f", {' x '.join(f'{count:,}' for count in info.shape)}" if info.shape else ""
        kind = "" if info.kind == "graph" else f" ({info.kind}{size})"
        table.add_row(
            info.name,
            escape(info.title + kind + (", fetched" if info.url else "")),
            f"{info.vertices:,}",
            f"{info.edges:,}",
            "yes" if info.weighted else "no",
            escape(info.licence),
        )
    out = stdout()
    print_table(table)
    for problem in kinds().values():
        out.print(f"{problem.generators_title}:")
        for words in _generators(problem).values():
            out.print(f"  {words}", markup=False)


def _show_one(info: DatasetInfo) -> None:
    out = stdout()
    out.print(f"{info.name}: {info.title}", style="bold", markup=False)
    for entry in dataclasses.fields(info):
        value = getattr(info, entry.name)
        if entry.name in ("name", "title") or value in ("", {}, ()):
            continue
        out.print(f"  {entry.name:9} {_in_words(value)}", markup=False)


def _in_words(value: Any) -> str:
    """Return an entry of a data set as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key.replace('_', ' ')} {each:,}" for key, each in value.items())
    if isinstance(value, tuple):
        between = ", " if isinstance(value[0], str) else " x "
        return between.join(map(_in_words, value))
    return f"{value:,}" if isinstance(value, int) else str(value)
