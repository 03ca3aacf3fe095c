"""``warplens doctor``: installed packages, usable devices, missing parts."""

from __future__ import annotations

from typing import Any

import typer

from gpucore.cli.console import print_json, print_table
from gpucore.cli.options import JsonOption

_MARKS = {"ok": "[green]ok[/]", "optional": "[yellow]–[/]", "missing": "[red]missing[/]"}


def doctor(json: JsonOption = False) -> None:
    """Show what is installed, which device a run takes, and how to get what is missing.

    The exit code is 1 if something is missing that is always needed.
    """
    from gpucore.cli.checks import examine

    findings = examine()
    broken = any(finding.state == "missing" for finding in findings)
    if json:
        print_json({"ok": not broken, "checks": [finding.as_dict() for finding in findings]})
    else:
        _show(findings)
    if broken:
        raise typer.Exit(1)


def _show(findings: list[Any]) -> None:
    from rich.markup import escape
    from rich.table import Table

    table = Table(show_header=False, box=None, padding=(0, 2))
    for finding in findings:
        table.add_row(_MARKS[finding.state], finding.name, escape(finding.detail))
        if finding.fix:
            table.add_row("", "", f"[dim]{escape(finding.fix)}[/]")
    print_table(table)
