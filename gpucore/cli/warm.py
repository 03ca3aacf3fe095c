"""``warplens warm``: compile the kernels for this GPU before they are needed."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Annotated

import typer

from gpucore.cli.console import print_json, stdout
from gpucore.cli.options import DeviceName, DeviceOption, JsonOption, open_device

if TYPE_CHECKING:
    from threading import Event

    from gpucore.progress import Progress
    from gpucore.warm import Warmed

# Added to the niceness of a process in the background.
_BACKGROUND = 10


def warm(
    families: Annotated[list[str] | None, typer.Argument(help="Families; all without it.")] = None,
    device: DeviceOption = DeviceName.AUTO,
    background: Annotated[
        bool, typer.Option("--background", help="Give way to other processes.")
    ] = False,
    json: JsonOption = False,
) -> None:
    """Compile kernels before they are needed: run every variant once on a small problem.

    Without it, the first run of a variant on a GPU waits for the compiler. The host's kernels were
    compiled when the package was built; for them there is nothing to do.
    """
    from gpucore.cli.work import run_work

    if background and hasattr(os, "nice"):
        os.nice(_BACKGROUND)

    def work(progress: Progress, cancel: Event) -> list[Warmed] | None:
        from gpucore.progress import check
        from gpucore.warm import variants
        from gpucore.warm import warm as run_all

        variants(families or ())
        check(cancel)
        target = open_device(device, None, None)
        if target.name == "host":
            return None
        return list(run_all(families or (), device=target, progress=progress, cancel=cancel))

    found = run_work(work)
    if json:
        print_json({"warmed": [case._asdict() for case in found or ()]})
    elif found is None:
        stdout().print("The host's kernels are compiled already; there is nothing to do.")
    else:
        for case in found:
            record = "" if case.record == "off" else ", recorded"
            stdout().print(f"{case.seconds:7.2f} s  {case.algorithm} {case.variant}{record}")
