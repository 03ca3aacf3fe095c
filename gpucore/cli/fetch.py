"""``warplens fetch``: graphs of SuiteSparse and SNAP, and data sets, into the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from gpucore.cli.console import print_json, stdout
from gpucore.cli.options import JsonOption

if TYPE_CHECKING:
    from threading import Event

    from gpucore.progress import Progress


def fetch(
    names: Annotated[
        list[str],
        typer.Argument(
            help="suitesparse:GROUP/NAME, snap:NAME or a data set that is fetched, such as "
            "insteval; several by blanks."
        ),
    ],
    json: JsonOption = False,
) -> None:
    """Fetch public graphs and data sets into the cache, and check those that are there.

    Other commands fetch by themselves; pages of the web app never do.
    """
    from gpucore.cli.work import run_work
    from gpucore.datasets.remote import allow_downloads, find, is_fetched, local_file
    from gpucore.errors import GraphError

    for name in names:
        if not is_fetched(name):
            raise GraphError(
                f"{name!r} is in no collection, and no data set that is fetched; use "
                "suitesparse:GROUP/NAME, snap:NAME or a name that warplens datasets marks"
            )
        find(name)
    allow_downloads()

    def work(progress: Progress, cancel: Event) -> dict[str, str]:
        return {name: str(local_file(name, progress=progress, cancel=cancel)) for name in names}

    found = run_work(work)
    if json:
        print_json({"files": found})
        return
    for name, path in found.items():
        stdout().print(f"{name}: {path}", markup=False)
