"""``warplens check``: certify a solution that anybody found."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpucore.cli.console import NOT_CERTIFIED, print_json, print_table, stdout
from gpucore.cli.options import (
    ColumnsOption,
    DuplicatesOption,
    GraphArgument,
    JsonOption,
    RepeatedName,
    WeightsName,
    WeightsOption,
    load_for,
    parse_params,
)
from gpucore.errors import GraphError, ParameterError
from gpucore.notes import notes_of
from gpucore.problem import size_of

if TYPE_CHECKING:
    from threading import Event

    from gpucore.progress import Progress
    from gpucore.solutions import Checked
    from gpucore.solutions.form import Answer

#: Marks of findings, by whether the property holds.
_MARKS = {True: "yes", False: "NO", None: "?"}


def check(
    graph: GraphArgument,
    solution: Annotated[
        str,
        typer.Argument(
            help="A file of the solution: .csv, .tsv, .txt, .json, .npz, .npy or .mtx, by "
            "warplens run --output or by another program."
        ),
    ],
    family: Annotated[
        str | None, typer.Option(help="What it is a solution of, where the file does not say.")
    ] = None,
    require: Annotated[
        list[str] | None,
        typer.Option(help="A property that it must have, such as maximal; may be repeated."),
    ] = None,
    param: Annotated[
        list[str] | None,
        typer.Option("--param", "-p", help="A parameter as key=value, such as b=2."),
    ] = None,
    weights_seed: Annotated[
        int | None,
        typer.Option(help="As for the run; by default what the file says, else 0."),
    ] = None,
    weights: WeightsOption = None,
    columns: ColumnsOption = None,
    duplicates: DuplicatesOption = None,
    json: JsonOption = False,
) -> None:
    """Check a solution that anybody found: whether it is one, and which properties it has."""
    from gpucore.cli.work import run_work

    given = parse_params(param or [])

    def work(progress: Progress, cancel: Event) -> tuple[Any, Checked]:
        from dataclasses import replace

        from gpucore.family import get_family
        from gpucore.solutions import check_solution, read_answer
        from gpucore.solutions.check import family_of

        answer = read_answer(solution)
        name = family or family_of(answer, given)
        declared = get_family(name)
        _check_params(given, name)
        answer = replace(answer, params={**answer.params, **declared.read_files(given)})
        given_how = {"weights": weights, "columns": columns, "duplicates": duplicates}
        seed, how = _preparation(answer, weights_seed, given_how)
        problem = load_for(graph, name, seed, progress, cancel, **how)
        return problem, check_solution(problem, answer, name, require or ())

    problem, checked = run_work(work)
    if json:
        about = {"graph": problem.name, **size_of(problem).numbers, "solution": solution}
        about["notes"] = list(notes_of(problem))
        print_json({**about, **checked.as_dict()})
    else:
        _show(problem, solution, checked)
    if not checked.ok:
        raise typer.Exit(NOT_CERTIFIED)


def _check_params(given: Iterable[str], family: str) -> None:
    """Raise ParameterError for a parameter on which no certificate of the family depends."""
    from gpucore.solutions.form import forms

    for name in given:
        takers = [own for own, form in forms().items() if name in form.params]
        if family not in takers:
            fix = f"--family says that it is of {' or '.join(takers)}" if takers else "leave it out"
            raise ParameterError(f"a solution of {family} has no parameter {name!r}; {fix}")


def _preparation(
    answer: Answer, seed: int | None, given: dict[str, Any]
) -> tuple[int, dict[str, Any]]:
    """Return seed and options of the problem: the caller's, else those that the solution names."""
    named, columns = answer.problem.get("weights_seed", 0), answer.problem.get("columns")
    if type(named) is not int or named < 0:
        raise GraphError(f"the solution's weights_seed is {named!r}; it is a number from 0")
    if not isinstance(columns, str | None):
        raise GraphError(f"the solution's columns are {columns!r:.60}; they are a text")
    found: dict[str, Any] = {"columns": columns}
    for option, names in (("weights", WeightsName), ("duplicates", RepeatedName)):
        meant = answer.problem.get(option)
        if meant is not None and meant not in list(names):
            words = " or ".join(names)
            raise GraphError(f"the solution's {option} are {meant!r}; they are {words}")
        found[option] = names(meant) if meant else None
    chosen = {option: given[option] or meant for option, meant in found.items()}
    return named if seed is None else seed, chosen


def _show(problem: Any, solution: str, checked: Checked) -> None:
    from rich.markup import escape
    from rich.table import Table

    out = stdout()
    name, words = escape(problem.name or "graph"), size_of(problem).words
    out.print(f"[bold]{escape(solution)}[/] ({checked.family}) for [bold]{name}[/]: {words}")
    table = Table(show_header=False, box=None, padding=(0, 2))
    for finding in checked.findings:
        required = " (required)" if finding.required else ""
        table.add_row(
            _MARKS[finding.holds], escape(finding.name + required), escape(finding.detail)
        )
    for text in notes_of(problem):
        table.add_row("", "note", escape(text))
    for measure, value in checked.measures.items():
        table.add_row("", escape(measure), f"{value:,.9g}")
    print_table(table)
    verdict = "a solution, as claimed" if checked.ok else "NOT a solution, or not as claimed"
    out.print(f"[bold]{verdict}[/]")
