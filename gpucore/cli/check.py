"""``warplens check``: certify a solution that anybody found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpucore.cli.console import NOT_CERTIFIED, print_json, stdout
from gpucore.cli.options import (
    GraphArgument,
    JsonOption,
    WeightsOption,
    WeightsSeedOption,
    load_for,
    parse_params,
)
from gpucore.problem import size_of

if TYPE_CHECKING:
    from threading import Event

    from gpucore.progress import Progress
    from gpucore.solutions import Checked

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
    weights_seed: WeightsSeedOption = 0,
    weights: WeightsOption = None,
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
        name = family or family_of(answer)
        declared = get_family(name)
        answer = replace(answer, params={**answer.params, **declared.read_files(given)})
        problem = load_for(graph, name, weights_seed, progress, cancel, weights=weights)
        return problem, check_solution(problem, answer, name, require or ())

    problem, checked = run_work(work)
    if json:
        about = {"graph": problem.name, **size_of(problem).numbers, "solution": solution}
        print_json({**about, **checked.as_dict()})
    else:
        _show(problem, solution, checked)
    if not checked.ok:
        raise typer.Exit(NOT_CERTIFIED)


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
    for measure, value in checked.measures.items():
        table.add_row("", escape(measure), f"{value:,.9g}")
    out.print(table)
    verdict = "a solution, as claimed" if checked.ok else "NOT a solution, or not as claimed"
    out.print(f"[bold]{verdict}[/]")
