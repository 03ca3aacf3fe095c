"""``warplens watch FOLDER``: many programs, and a table by label, or by file without labels."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from gpucore.cli.console import NOT_CERTIFIED, print_json, print_table, stdout
from gpucore.errors import ParameterError
from gpucore.format import counted
from gpucore.saving import check_target, replacing

if TYPE_CHECKING:
    from threading import Event

    from gpucore.progress import Progress
    from gpucore.watching.programs.folder import Case


def watch_folder(
    folder: str,
    labels: str | None,
    output: str | None,
    arguments: list[str],
    processes: int,
    as_json: bool,
    options: dict[str, Any],
) -> None:
    """Watch a folder, and print the table; see :mod:`gpucore.watching.programs.folder`."""
    from gpucore.cli.work import run_work
    from gpucore.watching.programs.folder import read_cases, summary, watch_cases

    if output is not None:
        check_target(output, ParameterError)
    cases = read_cases(Path(folder), Path(labels) if labels else None, arguments)

    def work(progress: Progress, cancel: Event) -> None:
        watch_cases(
            Path(folder), cases, processes=processes, progress=progress, cancel=cancel, **options
        )

    try:
        run_work(work)
    finally:  # what was found before a cancel is kept
        rows = summary(cases)
        if output is not None:
            whole = {"summary": rows, "files": [case.as_json() for case in cases]}
            with replacing(output) as stream:
                stream.write(json.dumps(whole, indent=1).encode())
    failed = [case for case in cases if case.failed]
    if as_json:
        failures = [{"file": case.file, "text": case.failed} for case in failed]
        found = {case.file: sorted(case.found) for case in cases if case.found}
        report = {"folder": folder, "files": len(cases), "summary": rows, "found": found}
        print_json(report | {"failed": failures})
    else:
        if labels is None:
            _show_files(cases)
        else:
            _show_labels(rows)
        _show_failed(cases, failed)
    if failed or any(row["missed"] or row["false_alarms"] for row in rows):
        raise typer.Exit(NOT_CERTIFIED)


def _show_files(cases: list[Case]) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table("file", "found", box=None, padding=(0, 2))
    for case in cases:
        if case.done and not case.failed:
            table.add_row(escape(case.file), ", ".join(sorted(case.found)) or "nothing")
    print_table(table)


def _show_labels(rows: list[dict[str, Any]]) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2))
    for title in ("label", "files", "found", "missed", "false alarms"):
        table.add_column(title, justify="left" if title == "label" else "right")
    for row in rows:
        table.add_row(*(str(value) for value in row.values()))
    print_table(table)


def _show_failed(cases: list[Case], failed: list[Case]) -> None:
    from rich.markup import escape

    for case in failed:
        stdout().print(escape(f"{case.file}: {case.failed.splitlines()[0]}"))
    stdout().print(f"{counted(len(cases), 'file')}, of which {len(failed)} cannot be watched")
