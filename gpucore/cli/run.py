"""``warplens run``: one algorithm or CPU method on one graph."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpucore.cli.console import (
    NOT_CERTIFIED,
    exit_code,
    installed_version,
    print_json,
    print_table,
    stdout,
)
from gpucore.cli.fields import options_from
from gpucore.cli.options import (
    ColumnsOption,
    DeviceName,
    DeviceOption,
    DuplicatesOption,
    GraphArgument,
    JsonOption,
    PermuteOption,
    PolicyName,
    WeightsOption,
    WeightsSeedOption,
    device_for,
    load_for,
    load_without_copy,
    parse_params,
)
from gpucore.errors import ParameterError, RecordError, WarplensError
from gpucore.format import counted
from gpucore.params import is_number
from gpucore.problem import size_of
from gpucore.saving import check_target, is_same

if TYPE_CHECKING:
    from threading import Event

    from gpucore.problems.graph.graph import Graph
    from gpucore.progress import Progress
    from gpucore.result import Result


#: Rows and columns of the solution that are printed.
_SHOWN, _SHOWN_COLUMNS = 10, 8


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
    weights: WeightsOption = None
    permute: PermuteOption = None
    columns: ColumnsOption = None
    duplicates: DuplicatesOption = None
    record: Annotated[
        Path | None, typer.Option(help="Write what happened inside to this file (.npz).")
    ] = None
    record_level: Annotated[
        LevelName | None,
        typer.Option(
            help="What a record holds: every event (without this option), or only counters for "
            "every warp."
        ),
    ] = None
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o",
            help="Write the solution, by your names, to this file: .csv, .tsv, .json, .npz, or "
            ".mtx for matchings.",
        ),
    ] = None  # fmt: skip
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
        return "off" if self.record is None else (self.record_level or LevelName.EVENTS).value

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
            _output(problem, result, options)
    if result.certificate is not None and not result.certificate.ok:
        raise typer.Exit(NOT_CERTIFIED)


def _run(options: RunOptions) -> tuple[Graph, Result]:
    """Check the options, load the problem and run."""
    from gpucore.cli.work import run_work

    algorithm, graph = options.algorithm, options.graph
    record, ranks, output = options.record, options.ranks, options.output
    if options.record_level is not None and record is None:
        raise ParameterError("--record-level is of a record: give --record FILE, too")
    for path, what, kind in ((record, "record", RecordError), (output, "output", ParameterError)):
        if path is not None:
            _check_new(path, graph, what, kind)
    if record is not None and output is not None and is_same(record, output):
        raise ParameterError(f"--record and --output are both {output}; name two files")
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
        from gpucore.solutions.write import check_output

        runner = get_runner(algorithm)
        params = get_family(runner.family).read_files(given)
        make_params(runner, params, on_ranks=number_of_ranks(ranks) is not None)
        check_record(runner, options.level)
        if output is not None:
            check_output(output, runner.family)
        target = device_for(runner, options.device, options.policy, options.seed)
        hooks: dict[str, Any] = {"progress": progress, "cancel": cancel}
        problem: Any = None  # a graph, or this rank's part, which has what the figures need
        whole = (record, output, options.permute, options.weights, options.columns)
        if all(value is None for value in whole) and ranks != 1:
            problem = load_part(runner, graph, target, seed=options.weights_seed, **hooks)
            if problem is None and ranks is None:
                problem = load_without_copy(
                    graph, runner, target, options.weights_seed, progress, cancel
                )
        if problem is None:
            problem = load_for(
                graph, runner.family, options.weights_seed, progress, cancel,
                permute=options.permute, recorded=record is not None, named=output is not None,
                weights=options.weights, columns=options.columns, duplicates=options.duplicates,
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


def _output(problem: Graph, result: Result, options: RunOptions) -> None:
    """Write the record, the solution and the result."""
    record = options.record
    if record is not None and result.record is not None:
        result.record.save(record)
    elif record is not None:
        record = None  # nothing was written
    found = _as_object(problem, result, record)
    if options.output is not None:
        from gpucore.family import get_runner
        from gpucore.solutions import save_solution

        weights = None if options.weights is None else options.weights.value
        about = {
            "graph": problem.name,
            "problem": {
                "weights_seed": options.weights_seed,
                "weights": weights,
                "columns": options.columns,
                "duplicates": options.duplicates,
            },
            "warplens": installed_version(),
        }
        family = get_runner(options.algorithm).family
        save_solution(options.output, problem, result, family, **about)
        found["output"] = str(options.output)
    if options.json:
        print_json(found)
    else:
        _show(problem, result, record)
        _show_solution(problem, result, options)


def _show_solution(problem: Any, result: Result, options: RunOptions) -> None:
    """Print the first lines of the solution, or where it was written."""
    from rich.markup import escape
    from rich.table import Table

    from gpucore.family import get_family, get_runner
    from gpucore.problems.graph.part import GraphPart
    from gpucore.solutions import table_of

    family = get_runner(options.algorithm).family
    if isinstance(problem, GraphPart) or not get_family(family).solution:
        return  # one device has the graph, or several: --output loads it here
    out, found = stdout(), table_of(problem, result, family, _SHOWN)
    if options.output is not None:
        rows = counted(found.total, "row")
        out.print(f"wrote {rows} of {found.name} to {escape(str(options.output))}")
        return
    titles = list(found.columns)[:_SHOWN_COLUMNS]
    table = Table(*titles, box=None, padding=(0, 2))
    for row in found.rows():
        table.add_row(*(escape(_figure_text(value)) for value in row[: len(titles)]))
    print_table(table)
    if found.total > _SHOWN or len(found.columns) > len(titles):
        rows = counted(found.total, "row")
        out.print(f"the first of {rows} of {found.name}; --output FILE writes all")


def _check_new(path: Path, graph: str, what: str, kind: type[WarplensError]) -> None:
    """Check before the run, not after it, that a file can be written."""
    check_target(path, kind)
    if is_same(path, graph):
        read = Path(graph).exists()
        would = (
            f"replace {graph}, which the run reads"
            if read
            else f"be read in place of {graph} from then on"
        )
        raise kind(f"the {what} would {would}; choose another name for it")


def _as_object(graph: Graph, result: Result, record: Path | None) -> dict[str, Any]:
    """Return the result under its stable keys, with the problem and the parameters."""
    return {
        **result.summary(),
        "graph": graph.name,
        **size_of(graph).numbers,
        "params": result.params,
        "notes": list(result.notes),
        "record": None if record is None else str(record),
        "warplens": installed_version(),
    }


def _show(graph: Graph, result: Result, record: Path | None) -> None:
    from rich.markup import escape
    from rich.table import Table

    from gpucore.format import human_time
    from gpucore.members import in_owners_words
    from gpucore.problems.graph.part import GraphPart

    out = stdout()
    name, words = escape(graph.name or "graph"), size_of(graph).words
    form = f" {result.variant}" if result.variant else ""
    out.print(f"[bold]{result.algorithm}[/]{form} on [bold]{name}[/]: {words}")
    table = Table(show_header=False, box=None, padding=(0, 2))
    table.add_row("device", str(result.device.get("model") or result.device.get("name")))
    table.add_row("time", human_time(result.seconds))
    for figure, value in result.figures.items():
        # Unknown figures and lists are only in the output of --json.
        if value is None or isinstance(value, (list, dict)):
            continue
        table.add_row(figure, escape(_figure_text(value)))
    for text in result.notes:
        table.add_row("note", escape(text))
    spoken = partial(in_owners_words, graph) if not isinstance(graph, GraphPart) else str
    table.add_row("certified", escape(spoken(_certificate_text(result))))
    if result.certificate is not None and result.certificate.seconds is not None:
        table.add_row("", f"in {human_time(result.certificate.seconds)}")
    for measured in result.certificate.measured if result.certificate is not None else ():
        table.add_row("measured", escape(spoken(f"{measured.name}: {measured.detail}")))
    if record is not None:
        table.add_row("record", escape(str(record)))
    print_table(table)


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
