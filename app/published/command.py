"""``warplens page`` and ``warplens site``: recorded runs as static pages."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from gpucore.errors import ParameterError
from gpucore.format import human_bytes
from gpucore.saving import check_target, is_same, new_folder, replacing

from ..installed import check_installed
from ..limits import PageLimits

#: Graphs for static pages are the author's own: only the browser bounds them.
_LIMITS = PageLimits(vertices=5_000_000, edges=20_000_000, graph_bytes=8 << 30)
_FIX = "name another file with --output"


def page(
    records: Annotated[
        list[Path], typer.Argument(help="A record; up to four of one graph play on one clock.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="The file to write; by default beside the record."),
    ] = None,
    graph: Annotated[
        str, typer.Option(help="The records' graph, if it came from a file: that file.")
    ] = "",
    title: Annotated[str, typer.Option(help="Heading of the page.")] = "",
) -> None:
    """Write recorded runs as one HTML file that plays without a server and without a network."""
    check_installed()
    # Imported on call: other commands need no Bokeh.
    import gpucore
    from gpucore.record import Record

    from .page import page_of
    from .replays import comparison_of, replay_of

    target = output or records[0].with_suffix(".html")
    if any(is_same(target, path) for path in [*records, Path(graph)]):
        raise ParameterError(f"the page would replace {target}; {_FIX}")
    check_target(target, ParameterError, _FIX)
    loaded = gpucore.load(graph) if graph else None
    opened = [Record.load(path) for path in records]
    if len(opened) == 1:
        replay = replay_of(opened[0], _LIMITS, title=title, graph=loaded)
    else:
        replay = comparison_of(opened, _LIMITS, graph=loaded)
    content = page_of(replay).encode()
    with replacing(target, ParameterError, _FIX) as file:
        file.write(content)
    print(f"wrote {target}: {replay.title}, {human_bytes(len(content))}")


def site(
    folder: Annotated[Path, typer.Argument(help="Folder to write; any web server can serve it.")],
    only: Annotated[
        list[str] | None, typer.Option(help="A record of the gallery; repeat it for several.")
    ] = None,
) -> None:
    """Write the gallery as a folder of static pages; open its index.html, or host it anywhere."""
    check_installed()
    from ..play.play import PAGE, write_play
    from .folder import FIX, INDEX, write_site

    console, started = Console(), time.perf_counter()
    with (
        new_folder(folder, ParameterError, FIX),
        console.status("reading the gallery") as status,
    ):

        def progress(name: str, done: int, total: int) -> None:
            status.update(f"page {done + 1} of {total}: {name}")

        pages = write_site(folder, _LIMITS, only or (), progress, playground=PAGE)
        status.update("the playground and its compiler")
        missing = write_play(folder, INDEX)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    console.print(
        f"wrote {len(pages)} pages and {os.fspath(folder / 'index.html')}: {human_bytes(size)} "
        f"in {time.perf_counter() - started:.0f} s",
        soft_wrap=True,
    )
    for words in missing:
        console.print(f"The playground is not complete: {words}", soft_wrap=True, markup=False)
