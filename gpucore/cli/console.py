"""Output of the command line: results to stdout, everything else to stderr."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpucore import errors
from gpucore.interrupts import CANCELLED

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

NOT_CERTIFIED = 1
USAGE = 2
BAD_INPUT = 3
DEVICE = 4

#: The first class that matches determines the code.
_CODES: tuple[tuple[type[errors.WarplensError], int], ...] = (
    (errors.Cancelled, CANCELLED),
    (errors.ParameterError, USAGE),
    (errors.GraphError, BAD_INPUT),
    (errors.RecordError, BAD_INPUT),
    (errors.DeviceError, DEVICE),
    (errors.MissingDependency, DEVICE),
)


def exit_code(error: errors.WarplensError) -> int:
    """Return the exit code for this kind of error."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), DEVICE)


def stdout() -> Console:
    """Return a console on stdout; without a terminal, it is wide enough to break no line."""
    return _console(sys.stdout)


def stderr() -> Console:
    """Return a console on stderr."""
    return _console(sys.stderr)


def print_table(table: Table) -> None:
    """Write a table to stdout; a narrow terminal breaks its words, and hides none."""
    for column in table.columns:
        column.overflow = "fold"
    stdout().print(table)


@cache
def _console(stream: Any) -> Console:
    """Return the stream's only console: it keeps printed lines and a progress bar apart."""
    from rich.console import Console

    return Console(file=stream, width=None if stream.isatty() else 200, highlight=False)


def error_line(text: str, *, log: bool = False) -> None:
    """Write an error as one line; a log keeps its lines.

    Names of files and graphs may hold characters that move the cursor; they are shown escaped.
    """
    keep = "\n\t" if log else ""
    shown = "".join(c if c.isprintable() or c in keep else repr(c)[1:-1] for c in text)
    print(f"warplens: {shown}", file=sys.stderr)


def prepare_streams() -> None:
    """Let both streams escape characters that their encoding lacks; replace closed streams."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115
        elif isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def output_failure(error: OSError) -> str:
    """Return why stdout took no text; empty for other errors.

    All other files are written by :mod:`gpucore.saving`, which raises errors of ours.
    """
    if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO):
        return ""
    return error.strerror or str(error)


def drop_output() -> None:
    """Drop what waits to be written to stdout; Python would try again when it ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.close(null)


def installed_version() -> str:
    """Return Warplens's version, also if the package is not installed."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("warplens")
    except PackageNotFoundError:
        return "not installed"


def print_json(value: Any) -> None:
    """Write exactly one JSON object to stdout."""
    print(json.dumps(value, default=_plain, allow_nan=False))


def _plain(value: Any) -> Any:
    """Convert NumPy's scalars to plain Python ones."""
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")
