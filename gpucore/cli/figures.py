"""``warplens figures``: the figures of a paper, measured here, beside its printed numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from gpucore.cli.console import print_json, print_table, stdout
from gpucore.cli.options import DeviceName, DeviceOption, JsonOption, open_device

if TYPE_CHECKING:
    from threading import Event

    from gpucore.bench.papers.declare import Paper
    from gpucore.bench.papers.run import Wish
    from gpucore.progress import Progress


def figures(
    paper: Annotated[
        str, typer.Argument(help="Paper or family; without one, all papers one after the other.")
    ] = "",
    size: Annotated[
        str,
        typer.Option(
            help="Instances: small (a minute on a laptop), medium, paper (as in the paper)."
        ),
    ] = "small",
    only: Annotated[
        str,
        typer.Option("--figures", help='Figures, separated by commas: "figure 4, table 1".'),
    ] = "",
    instances: Annotated[
        str, typer.Option(help="Other instances, separated by blanks; also suitesparse:GROUP/NAME.")
    ] = "",
    real: Annotated[
        bool,
        typer.Option("--real", help="The paper's own graphs from SuiteSparse and SNAP, fetched."),
    ] = False,
    device: DeviceOption = DeviceName.AUTO,
    output: Annotated[
        Path, typer.Option(help="Directory of results and drawings; what it holds is kept.")
    ] = Path("warplens-figures"),
    cache: Annotated[Path | None, typer.Option(help="Directory of the generated graphs.")] = None,
    repeat: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Repetitions; default: the paper's, small: one."),
    ] = None,
    case_limit: Annotated[
        float,
        typer.Option(help="Seconds after which a case gets no further run, the warm-up aside."),
    ] = 60.0,
    run_limit: Annotated[float, typer.Option(help="Seconds after which a run is given up.")] = 60.0,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds after which a paper ends with what it has.")
    ] = None,
    cores: Annotated[
        int | None, typer.Option(min=1, max=4096, help="Cores for the methods on the processor.")
    ] = None,
    processes: Annotated[
        int,
        typer.Option(min=1, max=1024, help="Processes at a time, for methods that get their own."),
    ] = 1,
    listed: Annotated[
        bool, typer.Option("--list", help="List papers and figures; measure nothing.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Measure a paper's figures and tables, with the paper's printed numbers beside ours.

    Writes data as JSON, drawings as SVG and, with the extra "pdf", as PDF; with the extra "app"
    also a page with Bokeh. A stopped session keeps every finished measurement; the same command
    continues it.
    """
    from gpucore.bench.papers.declare import SIZES, get_paper, papers
    from gpucore.bench.papers.run import Wish
    from gpucore.errors import ParameterError

    chosen = [get_paper(paper)] if paper else list(papers().values())
    if listed:
        _list(chosen, json)
        return
    if size not in SIZES:
        raise ParameterError(f"there is no size {size!r}; there are {', '.join(SIZES)}")
    wish = Wish(
        size=size,
        figures=[name.strip() for name in only.split(",") if name.strip()],
        instances=instances.split(),
        repeat=repeat,
        case_limit=case_limit,
        run_limit=run_limit,
        time_limit=time_limit,
        cores=cores,
        processes=processes,
    )
    done = [
        _measure(one, _with_real(one, wish) if real else wish, device, output, cache, json)
        for one in chosen
        if one.figures or paper  # a paper without any is an error only if it is named
    ]
    if json:
        print_json(done[0] if paper else {"papers": done})


def _with_real(paper: Paper, wish: Wish) -> Wish:
    """Return the wish with the paper's own graphs; ParameterError if no collection has them."""
    from dataclasses import replace

    from gpucore.errors import ParameterError

    if not paper.real:
        raise ParameterError(f"no public collection has the graphs of {paper.name}; omit --real")
    return replace(wish, instances=paper.real)


def _measure(
    paper: Paper, wish: Wish, device: DeviceName, output: Path, cache: Path | None, json: bool
) -> dict[str, Any]:
    """Measure and write one paper; return the object that --json prints."""
    from gpucore.bench.cache import default_directory
    from gpucore.bench.papers.evaluate import counts
    from gpucore.bench.papers.run import folder_of, run_paper, write_figures
    from gpucore.cli.bench import _log
    from gpucore.cli.work import run_work
    from gpucore.datasets.remote import allow_downloads

    def work(progress: Progress, cancel: Event) -> tuple[dict[str, Any], bool]:
        allow_downloads()
        return run_paper(
            paper,
            wish,
            open_device(device),
            output,
            cache or default_directory(),
            progress=progress,
            cancel=cancel,
            log=_log,
        )

    evaluated, complete = run_work(work)
    written = write_figures(evaluated, folder_of(paper, wish.size, output))
    if not json:
        _show(evaluated, written)
    return {
        "paper": paper.name,
        "size": wish.size,
        "complete": complete,
        **counts(evaluated),
        "files": [str(path) for path in written],
    }


def _list(papers: list[Paper], json: bool) -> None:
    rows = [
        {
            "paper": paper.name,
            "title": paper.title,
            "figures": [figure.number for figure in paper.figures],
            "not_shown": dict(paper.not_shown),
        }
        for paper in papers
    ]
    if json:
        print_json({"papers": rows})
        return
    out = stdout()
    for paper in papers:
        out.print(f"{paper.name}: {paper.title}. {paper.source}", markup=False)
        for figure in paper.figures:
            out.print(f"  {figure.number}: {figure.title}", markup=False)
        for number, why in paper.not_shown.items():
            out.print(f"  {number}: left out, {why}", markup=False)


def _show(evaluated: dict[str, Any], written: list[Path]) -> None:
    """Print the printed numbers beside ours, and what agrees."""
    from rich.markup import escape
    from rich.table import Table

    from gpucore.bench.papers import pdf

    verdicts = {True: "agrees", False: "DIFFERS", None: "not measured"}
    table = Table(title=escape(evaluated["title"]))
    for name in ("figure", "the paper", "printed", "ours"):
        table.add_column(name)
    for figure in evaluated["figures"]:
        for one in figure["printed"]:
            cells = (figure["number"], one["what"], one["value"], one["ours"] or "–")
            table.add_row(*map(escape, cells))
        for one in figure["expectations"]:
            verdict = verdicts[one["holds"]]
            words = f"{verdict}: {one['words']}" if one["words"] else verdict
            table.add_row(*map(escape, (figure["number"], one["sentence"], "", words)))
    out = stdout()
    print_table(table)
    out.print(f"written: {written[0].parent}", markup=False)
    if reason := pdf.available():
        out.print(f"not written: {reason}", markup=False)
    if written[-1].suffix == ".html":
        out.print(f"page: {written[-1]}", markup=False)
