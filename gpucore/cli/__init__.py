"""The ``warplens`` command; one module a command.

Exit codes: 0 success, 1 the result was not certified (or something essential is missing),
2 wrong usage or parameter, 3 a graph or file is not usable, 4 device, kernel or package trouble,
130 cancelled.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from gpucore.interrupts import leave_at_interrupt


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit with its code."""
    leave_at_interrupt()  # before the imports that take time
    from gpucore.cli.app import build

    build()(list(sys.argv[1:] if arguments is None else arguments), prog_name="warplens")
