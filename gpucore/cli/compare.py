"""``warplens compare``: one graph, several runners."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpucore.cli.console import NOT_CERTIFIED, print_json, print_table
from gpucore.cli.options import (
    ColumnsOption,
    DeviceName,
    DeviceOption,
    DuplicatesOption,
    GraphArgument,
    JsonOption,
    PermuteOption,
    WeightsOption,
    WeightsSeedOption,
    load_for,
)
from gpucore.problem import size_of

if TYPE_CHECKING:
    from threading import Event

    from gpucore.compare import Comparison, Entry
    from gpucore.progress import Progress


def compare(
    graph: GraphArgument,
    runners: Annotated[
        list[str],
        typer.Argument(help="Algorithms as NAME[:VARIANT][@DEVICE], and CPU methods by name."),
    ],
    device: DeviceOption = DeviceName.AUTO,
    weights_seed: WeightsSeedOption = 0,
    weights: WeightsOption = None,
    permute: PermuteOption = None,
    columns: ColumnsOption = None,
    duplicates: DuplicatesOption = None,
    repeat: Annotated[
        int, typer.Option(min=1, max=10_000, help="Runs of each; the median counts.")
    ] = 1,
    certify: Annotated[bool, typer.Option(help="Check the results with independent code.")] = True,
    json: JsonOption = False,
) -> None:
    """Run several algorithms, variants, devices or CPU methods on one graph."""
    from gpucore.cli.work import run_work

    def work(progress: Progress, cancel: Event) -> Comparison:
        from gpucore.compare import Contestant
        from gpucore.compare import compare as compare_runners

        contestants = [Contestant.parse(text, device.value) for text in runners]
        family = contestants[0].family
        problem = load_for(
            graph,
            family,
            weights_seed,
            progress,
            cancel,
            permute=permute,
            weights=weights,
            columns=columns,
            duplicates=duplicates,
        )
        return compare_runners(
            problem,
            contestants,
            repeat=repeat,
            certify=certify,
            progress=progress,
            cancel=cancel,
        )

    comparison = run_work(work)
    if json:
        print_json(_as_object(comparison))
    else:
        _show(comparison)
    if not comparison.certified:
        raise typer.Exit(NOT_CERTIFIED)


def _as_object(comparison: Comparison) -> dict[str, Any]:
    return {
        "graph": comparison.graph.name,
        **size_of(comparison.graph).numbers,
        "objective": comparison.objective,
        "runners": comparison.as_rows(),
    }


def _show(comparison: Comparison) -> None:
    from rich.markup import escape
    from rich.table import Table

    from gpucore.format import human_time

    graph, fastest = comparison.graph, comparison.fastest
    table = Table(title=escape(f"{graph.name or 'graph'}: {size_of(graph).words}"))
    for name in ("runner", "device", "time", "times fastest", comparison.objective):
        table.add_column(name, justify="left" if name in ("runner", "device") else "right")
    table.add_column("certified")
    table.add_column("solution")
    for entry in comparison.entries:
        result = entry.result
        if result is None or fastest is None or fastest.result is None:
            failure = escape(f"failed: {entry.error}")
            table.add_row(entry.contestant.label, "", "", "", "", "", failure)
            continue
        certificate = result.certificate
        table.add_row(
            entry.contestant.label,
            str(result.device.get("name")),
            human_time(result.seconds),
            f"{result.seconds / max(fastest.result.seconds, 1e-12):.2f}",
            f"{result.figures.get(comparison.objective, '')}",
            "not checked" if certificate is None else ("yes" if certificate.ok else "NO"),
            _difference_text(entry),
        )
    print_table(table)


def _difference_text(entry: Entry) -> str:
    if entry.differs is None:
        return "reference"
    return "identical" if entry.differs == 0 else f"differs at {entry.differs:,}"
