"""``warplens bench``: the experiments of a family's paper, resumable, with plots."""

from __future__ import annotations

import math
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpucore.cli.console import error_line, print_json, print_table, stdout
from gpucore.cli.options import DeviceName, DeviceOption, JsonOption, open_device
from gpucore.errors import RecordError
from gpucore.family import families

if TYPE_CHECKING:
    from threading import Event

    from gpucore.bench.suite import Data, Suite
    from gpucore.progress import Progress


#: Families with benchmarks, in the order of their papers; those without one come last.
MEASURED = sorted(
    (name for name, family in families().items() if family.bench),
    key=lambda name: (not families()[name].papers, families()[name].papers),
)


def bench(
    family: Annotated[
        str,
        typer.Argument(help=f"Family of algorithms: {', '.join(MEASURED)}."),
    ] = MEASURED[0],
    graphs: Annotated[
        str,
        typer.Option(
            help="Graphs, separated by commas (generators by blanks): names of benchmark graphs, "
            "data sets or files; all: the family's standard ones; small: small siblings. "
            "Default: all on a GPU, small on the host device."
        ),
    ] = "",
    experiments: Annotated[
        str, typer.Option(help="Experiments, separated by commas; default: all of the family.")
    ] = "",
    device: DeviceOption = DeviceName.AUTO,
    output: Annotated[
        Path, typer.Option(help="Directory of the results; what it holds is not measured again.")
    ] = Path("warplens-bench"),
    cache: Annotated[
        Path | None, typer.Option(help="Directory of the generated graphs (several GB).")
    ] = None,
    repeat: Annotated[
        int,
        typer.Option(
            min=1, max=10_000, help="Repetitions after a warm-up; the median is reported."
        ),
    ] = 5,
    case_limit: Annotated[
        float,
        typer.Option(help="Seconds after which a case gets no further run, the warm-up aside."),
    ] = 60.0,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds after which the session ends with what it has.")
    ] = None,
    cores: Annotated[
        int | None, typer.Option(min=1, max=4096, help="Cores for the methods on the processor.")
    ] = None,
    certify_limit: Annotated[
        float,
        typer.Option(help="Edges above which a family's quicker proof, if it has one, is enough."),
    ] = 20e6,
    study_limit: Annotated[
        float,
        typer.Option(help="Edges above which solutions that only studies find are not certified."),
    ] = 2e6,
    every_limit: Annotated[
        float,
        typer.Option(help="Edges above which only a case's last solution is certified."),
    ] = math.inf,
    run_limit: Annotated[
        float,
        typer.Option(help="Seconds after which a run is given up."),
    ] = 60.0,
    processes: Annotated[
        int,
        typer.Option(min=1, max=1024, help="Processes at a time, for methods that get their own."),
    ] = 1,
    peers: Annotated[
        Path | None, typer.Option(help="File of other libraries' times, drawn beside ours.")
    ] = None,
    report_only: Annotated[
        bool, typer.Option("--report-only", help="Measure nothing; report what OUTPUT holds.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Measure a family's algorithms: times, performance profiles, distance to the memory's speed.

    A stopped session keeps every finished measurement; the same command continues it.
    """
    from gpucore.bench.cache import default_directory
    from gpucore.bench.report import write_report
    from gpucore.bench.results import read_peers, read_results, reported
    from gpucore.bench.suite import get_suite
    from gpucore.cli.work import run_work

    suite = get_suite(family)
    published = [] if peers is None else read_peers(peers)
    results_file = output / f"{family}.json"
    if report_only:
        data, complete = read_results(results_file), True
        if data["family"] != family:
            raise RecordError(f"{results_file} holds results of {data['family']}, not of {family}")
    else:

        def work(progress: Progress, cancel: Event) -> tuple[Data, bool]:
            from gpucore.bench.plan import Plan
            from gpucore.bench.session import run_session
            from gpucore.datasets.remote import allow_downloads

            allow_downloads()
            target = open_device(device)
            plan = Plan(
                graphs=_graph_names(graphs, suite, target.name),
                experiments=[name.strip() for name in experiments.split(",") if name.strip()],
                repeat=repeat,
                case_limit=case_limit,
                time_limit=time_limit,
                cores=cores,
                certify_limit=certify_limit,
                study_limit=study_limit,
                every_limit=every_limit,
                run_limit=run_limit,
                processes=processes,
            )
            results, done = run_session(
                suite,
                plan,
                target,
                output,
                cache or default_directory(),
                progress=progress,
                cancel=cancel,
                log=_log,
            )
            return results.data, done

        data, complete = run_work(work)
    with reported(results_file) if report_only else nullcontext():
        page = write_report(suite, data, output, published)
        if json:
            print_json(_as_object(suite, data, published, page, complete))
        else:
            _show(suite, data, published, page)


def _log(text: str) -> None:
    """Print a finished measurement on stderr, so that an interrupted session leaves a log."""
    from gpucore.cli.console import stderr

    stderr().print(text, markup=False, style="dim")


def _graph_names(text: str, suite: Suite, device: str) -> list[str]:
    """Split the list of graphs; with generators in it only at blanks, since they contain commas."""
    if not text.strip():
        return list(suite.graphs if device == "cuda" else suite.small_graphs)
    names: list[str] = []
    groups = {"all": suite.graphs, "small": suite.small_graphs}
    for part in text.split() if ":" in text else text.replace(",", " ").split():
        names += groups.get(part, (part,))
    return list(dict.fromkeys(names))


def _as_object(
    suite: Suite, data: Data, peers: list[dict[str, Any]], page: Path, complete: bool
) -> dict[str, Any]:
    import dataclasses
    import math

    from gpucore.bench.plots.experiments import peer_speed_ups
    from gpucore.bench.summary import mean_speed_up, summarise, with_measured
    from gpucore.bench.verdicts import verdicts

    def known(value: Any) -> Any:
        if isinstance(value, tuple):
            return [known(part) for part in value]
        return None if isinstance(value, float) and not math.isfinite(value) else value

    peers = with_measured(data, suite.quality, peers)
    rows = summarise(data, suite.contest, suite.quality, peers, rated=suite.rated)
    return {
        "family": suite.family,
        "complete": complete,
        "verdicts": verdicts(data)._asdict(),
        "copy_bandwidth": data["copy"]["bandwidth"],
        "geometric_mean_speed_up": known(mean_speed_up(rows)),
        "peer_speed_ups": peer_speed_ups(data, suite.contest.experiment, peers),
        "graphs": [
            {name: known(value) for name, value in dataclasses.asdict(row).items()} for row in rows
        ],
        "report": str(page),
    }


def _show(suite: Suite, data: Data, peers: list[dict[str, Any]], page: Path) -> None:
    import math

    from rich.markup import escape
    from rich.table import Table

    from gpucore.bench.details import speed_up_lines
    from gpucore.bench.report import table_cells, table_head
    from gpucore.bench.summary import mean_speed_up, summarise, with_measured
    from gpucore.bench.verdicts import verdicts

    peers = with_measured(data, suite.quality, peers)
    rows = summarise(data, suite.contest, suite.quality, peers, rated=suite.rated)
    table = Table(title=suite.title)
    for name in table_head(suite, rows):
        table.add_column(
            name, justify="left" if name in ("graph", "which", "solutions") else "right"
        )
    for row in rows:
        table.add_row(*map(escape, table_cells(suite, row, rows)))
    out = stdout()
    print_table(table)
    out.print(f"copy bandwidth {data['copy']['bandwidth'] / 1e9:.0f} GB/s (read and written)")
    if math.isfinite(mean := mean_speed_up(rows)):
        out.print(f"speed-up, geometric mean: {mean:.2f}")
    out.print(f"certified: {verdicts(data)}", markup=False)
    for line in speed_up_lines(suite, data, peers):
        out.print(line, markup=False)
    out.print(f"report: {page}", markup=False)
    if any(not row.certified for row in rows):
        error_line("some solutions were not certified")
        raise typer.Exit(1)
