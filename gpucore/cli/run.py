"""``warplens run``: one algorithm or CPU method on one graph."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpucore.cli.console import NOT_CERTIFIED, exit_code, installed_version, print_json, stdout
from gpucore.cli.fields import options_from
from gpucore.cli.options import (
    ColumnsOption,
    DeviceName,
    DeviceOption,
    GraphArgument,
    JsonOption,
    PermuteOption,
    PolicyName,
    WeightsSeedOption,
    device_for,
    load_for,
    load_without_copy,
    parse_params,
)
from gpucore.errors import ParameterError, RecordError
from gpucore.params import is_number
from gpucore.problem import size_of
from gpucore.saving import check_target

if TYPE_CHECKING:
    from threading import Event

    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Progress
    from gpucore.result import Result


class LevelName(StrEnum):
    """How much to record."""

    COUNTERS = "counters"
    EVENTS = "events"


@dataclass(frozen=True)
class RunOptions:
    """Arguments and options of ``warplens run``."""

    algorithm: Annotated[str, typer.Argument(help="An algorithm or a CPU method, by name.")]
    graph: GraphArgument
    device: DeviceOption = DeviceName.AUTO
    variant: Annotated[str | None, typer.Option(help="Variant of the algorithm.")] = None
    param: Annotated[
        list[str] | None,
        typer.Option("--param", "-p", help="A parameter as key=value; may be repeated."),
    ] = None
    policy: Annotated[
        PolicyName | None, typer.Option(help="How the host device interleaves warps.")
    ] = None
    seed: Annotated[int | None, typer.Option(help="Seed of the host device's random schedule.")] = (
        None
    )
    weights_seed: WeightsSeedOption = 0
    permute: PermuteOption = None
    columns: ColumnsOption = None
    record: Annotated[
        Path | None, typer.Option(help="Write what happened inside to this file (.npz).")
    ] = None
    record_level: Annotated[
        LevelName, typer.Option(help="Every event, or only counters for every warp.")
    ] = LevelName.EVENTS
    certify: Annotated[bool, typer.Option(help="Check the result with independent code.")] = True
    ranks: Annotated[
        int | None,
        typer.Option(
            help="Run on so many ranks, each a thread with a device of its own. Under mpiexec "
            "the processes are the ranks."
        ),
    ] = None
    json: JsonOption = False

    @property
    def level(self) -> str:
        """How much to record."""
        return "off" if self.record is None else self.record_level.value

    @property
    def on_device(self) -> bool:
        """Whether they ask for a device or a schedule, which methods on the processor have not."""
        return self.device is DeviceName.CUDA or (self.policy, self.seed) != (None, None)


@options_from(RunOptions)
def run(options: RunOptions) -> None:
    """Run an algorithm or a CPU method on a graph, and certify the result."""
    from gpucore.ranks import guarded

    with guarded(exit_code) as prints:
        problem, result = _run(options)
        if prints:
            _output(problem, result, options.record, json=options.json)
    if result.certificate is not None and not result.certificate.ok:
        raise typer.Exit(NOT_CERTIFIED)


def _run(options: RunOptions) -> tuple[Graph, Result]:
    """Check the options, load the problem and run."""
    from gpucore.cli.work import run_work

    algorithm, graph = options.algorithm, options.graph
    record, ranks = options.record, options.ranks
    if record is not None:
        _check_record(record, graph)
    given = parse_params(options.param or [])
    if options.variant is not None and "variant" in given:
        raise ParameterError("the variant is given twice, by --variant and -p variant=; keep one")
    if options.variant is not None:
        given["variant"] = options.variant

    def work(progress: Progress, cancel: Event) -> tuple[Graph, Result]:
        import gpucore
        from gpucore.family import get_family, get_runner
        from gpucore.ranks import load_part, number_of_ranks
        from gpucore.run import check_record, make_params

        runner = get_runner(algorithm)
        params = get_family(runner.family).read_files(given)
        make_params(runner, params, on_ranks=number_of_ranks(ranks) is not None)
        check_record(runner, options.level)
        target = device_for(runner, options.device, options.policy, options.seed)
        hooks: dict[str, Any] = {"progress": progress, "cancel": cancel}
        problem: Any = None  # a graph, or this rank's part, which has what the output needs
        whole = options.permute is not None or options.columns is not None
        if record is None and not whole and ranks != 1:
            problem = load_part(runner, graph, target, seed=options.weights_seed, **hooks)
            if problem is None and ranks is None:
                problem = load_without_copy(
                    graph, runner, target, options.weights_seed, progress, cancel
                )
        if problem is None:
            problem = load_for(
                graph, runner.family, options.weights_seed, progress, cancel,
                permute=options.permute, recorded=record is not None, columns=options.columns,
            )  # fmt: skip
        return problem, gpucore.run(
            algorithm,
            problem,
            device="auto" if target is None else target,
            record=options.level,
            certify=options.certify,
            ranks=ranks,
            **hooks,
            **params,
        )

    return run_work(work)


def _output(problem: Graph, result: Result, record: Path | None, *, json: bool) -> None:
    """Write the record and the result."""
    if record is not None and result.record is not None:
        result.record.save(record)
    elif record is not None:
        record = None  # nothing was written
    if json:
        print_json(_as_object(problem, result, record))
    else:
        _show(problem, result, record)


def _check_record(path: Path, graph: str) -> None:
    """Check before the run, not after it, that the record can be written."""
    check_target(path, RecordError)
    try:
        same = path.exists() and path.samefile(graph)
    except (OSError, ValueError):  # the graph is not a file
        same = False
    if same:
        raise RecordError(
            f"the record would replace {graph}, which the run reads; choose another name for it"
        )


def _as_object(graph: Graph, result: Result, record: Path | None) -> dict[str, Any]:
    """Return the result under its stable keys, with the problem and the parameters."""
    return {
        **result.summary(),
        "graph": graph.name,
        **size_of(graph).numbers,
        "params": result.params,
        "record": None if record is None else str(record),
        "warplens": installed_version(),
    }


def _show(graph: Graph, result: Result, record: Path | None) -> None:
    from rich.markup import escape
    from rich.table import Table

    from gpucore.format import human_time

    out = stdout()
    name, words = escape(graph.name or "graph"), size_of(graph).words
    out.print(f"[bold]{result.algorithm}[/] {result.variant} on [bold]{name}[/]: {words}")
    table = Table(show_header=False, box=None, padding=(0, 2))
    table.add_row("device", str(result.device.get("model") or result.device.get("name")))
    table.add_row("time", human_time(result.seconds))
    for figure, value in result.figures.items():
        # Unknown figures and lists are only in the output of --json.
        if value is None or isinstance(value, (list, dict)):
            continue
        table.add_row(figure, escape(_figure_text(value)))
    table.add_row("certified", escape(_certificate_text(result)))
    if result.certificate is not None and result.certificate.seconds is not None:
        table.add_row("", f"in {human_time(result.certificate.seconds)}")
    if record is not None:
        table.add_row("record", escape(str(record)))
    out.print(table)


def _figure_text(value: object) -> str:
    """Format a figure."""
    if not is_number(value):
        return f"{value}"
    return f"{value:,}" if isinstance(value, int) else f"{value:,.8g}"


def _certificate_text(result: Result) -> str:
    certificate = result.certificate
    if certificate is None:
        return "not checked"
    if certificate.ok:
        return "yes: " + ", ".join(check.name for check in certificate.checks)
    failure = certificate.failure
    return f"NO: {failure.name}: {failure.detail}" if failure else "NO"
