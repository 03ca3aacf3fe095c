"""Measure what a paper's figures need, and write them: JSON, SVG, PDF, and pages of packages."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import entry_points
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpucore.bench.papers import pdf
from gpucore.bench.papers.charts import chart_of
from gpucore.bench.papers.declare import Paper, PaperFigure, Size
from gpucore.bench.papers.evaluate import evaluate
from gpucore.bench.papers.svg import chart_svg
from gpucore.bench.plan import Plan
from gpucore.bench.plots.svg import stack
from gpucore.bench.results import FIX
from gpucore.bench.session import run_session
from gpucore.bench.suite import Case, Experiment, Suite
from gpucore.errors import ParameterError, RecordError
from gpucore.progress import Cancel, Progress
from gpucore.saving import make_directory, replacing

if TYPE_CHECKING:
    from gpucore.device import Device

#: Entry-point group of functions ``write(evaluated, folder)`` that draw pages; they return paths.
GROUP = "warplens.figures"
#: Seconds of a case, and of a run, in the size "small".
SMALL_CASE, SMALL_RUN = 0.3, 20.0


@dataclass(frozen=True)
class Wish:
    """What is measured of a paper.

    Attributes
    ----------
    size : {"small", "medium", "paper"}
        Size of the instances.
    figures : sequence of str
        Numbers of figures ("figure 4", "table 1"); empty for all.
    instances : sequence of str
        Other instances than those of the size; empty for these.
    repeat : int or None
        Repetitions; None for the paper's, or one in the size "small".
    case_limit, run_limit, time_limit, cores, processes
        As for :class:`gpucore.bench.plan.Plan`.
    """

    size: Size = "small"
    figures: Sequence[str] = ()
    instances: Sequence[str] = ()
    repeat: int | None = None
    case_limit: float = 60.0
    run_limit: float = 60.0
    time_limit: float | None = None
    cores: int | None = None
    processes: int = 1


def chosen_figures(paper: Paper, numbers: Sequence[str]) -> tuple[PaperFigure, ...]:
    """Return the figures with these numbers, or all; ParameterError for an unknown one or none."""
    if not paper.figures:
        reasons = "; ".join(paper.not_shown.values())
        raise ParameterError(f"{paper.name} has no figures here: {reasons}")
    known = {figure.number: figure for figure in paper.figures}
    known |= {figure.slug: figure for figure in paper.figures}
    for number in numbers:
        if number in paper.not_shown:
            raise ParameterError(f"{number} is left out: {paper.not_shown[number]}")
        if number not in known:
            shown = ", ".join(figure.number for figure in paper.figures)
            raise ParameterError(f"{paper.name} has no {number!r}; it has {shown}")
    return tuple(known[number] for number in numbers) or paper.figures


def suite_of(paper: Paper, figures: Sequence[PaperFigure], size: Size) -> Suite:
    """Return the family's suite with the figures as its experiments."""
    suite = paper.suite()

    def cases_of(figure: PaperFigure) -> Callable[[int], list[Case]]:
        def cases(cores: int) -> list[Case]:
            if size != "small":
                return figure.cases(cores)
            found = (figure.few or figure.cases)(cores)
            # Starting a process takes longer than a small run.
            return [dataclasses.replace(case, separate=False) for case in found]

        return cases

    experiments = tuple(
        Experiment(
            figure.slug,
            figure.title,
            f"{figure.number} of the paper",
            cases_of(figure),
            plot="none",
            within=figure.within,
        )
        for figure in figures
    )
    return dataclasses.replace(suite, experiments=experiments)


def run_paper(
    paper: Paper,
    wish: Wish,
    device: Device,
    output: Path,
    graph_cache: Path,
    *,
    progress: Progress | None = None,
    cancel: Cancel | None = None,
    log: Callable[[str], None] = lambda text: None,
) -> tuple[dict[str, Any], bool]:
    """Measure what is missing, and evaluate the figures.

    Measurements are kept in ``OUTPUT/PAPER-SIZE/FAMILY.json``; a session that was stopped goes on.

    Returns
    -------
    evaluated : dict
        See :func:`gpucore.bench.papers.evaluate.evaluate`.
    complete : bool
        False if the time limit ended the session.

    Raises
    ------
    ParameterError, GraphError, DeviceError, RecordError, Cancelled
        Finished measurements are in the file.
    """
    small = wish.size == "small"
    figures = chosen_figures(paper, wish.figures)
    plan = Plan(
        graphs=list(wish.instances) or list(paper.instances[wish.size]),
        repeat=wish.repeat or (1 if small else paper.repeat),
        case_limit=SMALL_CASE if small else wish.case_limit,
        run_limit=SMALL_RUN if small else wish.run_limit,
        time_limit=wish.time_limit,
        cores=wish.cores,
        processes=wish.processes,
    )
    results, complete = run_session(
        suite_of(paper, figures, wish.size),
        plan,
        device,
        folder_of(paper, wish.size, output),
        graph_cache,
        progress=progress,
        cancel=cancel,
        log=log,
    )
    chosen = dataclasses.replace(paper, figures=figures)
    return evaluate(chosen, [results.data]) | {"size": wish.size}, complete


def folder_of(paper: Paper, size: Size, output: Path) -> Path:
    """Return the directory of a paper's results and drawings."""
    return output / f"{paper.name}-{size}"


def write_figures(evaluated: dict[str, Any], folder: Path) -> list[Path]:
    """Write ``figures.json``, an SVG and a PDF for each figure with charts, and packages' pages.

    The PDF files have a page for each chart; without the extra "pdf" there are none.

    Returns
    -------
    list of Path
        The written files, the pages last.
    """
    make_directory(folder, RecordError, FIX)
    data = json.dumps(evaluated, indent=1, allow_nan=False) + "\n"
    files = {folder / "figures.json": data.encode()}
    for figure in evaluated["figures"]:
        drawn = [chart_svg(chart_of(chart)) for chart in figure["charts"]]
        if drawn:
            files[folder / f"{figure['slug']}.svg"] = stack(figure["title"], drawn).encode()
        if drawn and pdf.available() is None:
            files[folder / f"{figure['slug']}.pdf"] = pdf.figure_pdf(figure["title"], drawn)
    for path, content in files.items():
        with replacing(path, RecordError, FIX) as file:
            file.write(content)
    pages = [page.load()(evaluated, folder) for page in entry_points(group=GROUP)]
    return [*files, *chain.from_iterable(pages)]
